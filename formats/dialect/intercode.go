package dialect

import (
	"path"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// interCode reads the logs of InterCode: one object a file, whose members are
// records named by row number. turn_history holds parallel arrays of actions
// and observations; an action becomes an assistant message, an observation the
// user message that the model got it as. The reward is summary.max_reward, the
// best of any turn. Runs by people hold a list of {action, observation} and a
// reward instead.
//
// Row numbers count within one data set, so the task id names environment and
// data set too, as in ic_bash/nl2bash_fs_1/0: several files may be read at once,
// and the runs of several models on the same task meet.
type interCode struct{}

func (interCode) Name() string { return "intercode" }

func (interCode) fits(o outline) bool {
	return o.has("query") && (o.is("turn_history", "{") || o.is("trajectory", "["))
}

func (interCode) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if !isKind(rec.JSON, '{') {
		return dst, notObject(rec.JSON, "a log of InterCode: {query, turn_history, summary}")
	}
	var d draft
	var t transcript
	var query, history, trajectory []byte
	var environment, dataset string
	number := rec.Key
	for name, value := range members(rec.JSON) {
		switch name {
		case "query":
			query = value
			continue
		case "turn_history":
			history = value
			continue
		case "trajectory":
			trajectory = value
			continue
		case "task_id", "query_idx":
			number, _ = scalarText(value)
			continue
		case "summary":
			d.number(rollout.FieldReward, &d.row.Reward, find(value, "max_reward"))
			value = without(value, "max_reward")
		case "reward":
			d.number(rollout.FieldReward, &d.row.Reward, value)
			continue
		case "gold":
			d.reference(value)
			continue
		case "environment":
			environment, _ = jsonwalk.Text(value)
		case "dataset":
			dataset, _ = jsonwalk.Text(value)
		}
		d.carry(name, value)
	}
	text, ok := jsonwalk.Text(query)
	if !ok {
		return dst, missingOr("query", query, "the task as text")
	}
	t.say(rollout.RoleUser, text)
	switch {
	case isKind(history, '{'):
		d.carry("turn_history", t.turns(history))
	case isKind(trajectory, '['):
		t.steps(trajectory, "action")
	default:
		return dst, missingOr("turn_history", history, "an object of the lists actions and observations")
	}
	d.talk(t)
	if number != "" {
		d.text(rollout.FieldTaskID, &d.row.TaskID, interCodeTask(environment, dataset, number))
	}
	return append(dst, d.done(rec.Pos, 0)), nil
}

func interCodeTask(environment, dataset, number string) string {
	var parts []string
	if environment != "" {
		parts = append(parts, environment)
	}
	if dataset != "" {
		base := path.Base(dataset)
		parts = append(parts, strings.TrimSuffix(base, path.Ext(base)))
	}
	return strings.Join(append(parts, number), "/")
}

// turns adds the turns of parallel lists, and returns what else there is:
// rewards, valid_action, and the observations when not all of them are texts.
func (t *transcript) turns(history []byte) (rest []byte) {
	var actions, observations [][]byte
	texts := true
	for name, value := range jsonwalk.Members(history) {
		switch name {
		case "actions":
			actions = elements(value)
		case "observations":
			observations = elements(value)
		}
	}
	for i, action := range actions {
		t.say(rollout.RoleAssistant, textOrCompact(action))
		if i < len(observations) {
			t.observe(observations[i])
		}
	}
	for _, o := range observations {
		texts = texts && isKind(o, '"')
	}
	texts = texts && len(observations) <= len(actions)
	for name, value := range jsonwalk.Members(history) {
		if name != "actions" && (name != "observations" || !texts) {
			rest = appendMember(rest, name, value)
		}
	}
	return closed(rest)
}

// steps adds the turns of a list of objects that hold an observation, and what
// the model said under the first of the names said that is a text.
func (t *transcript) steps(list []byte, said ...string) {
	for step := range jsonwalk.Elements(list) {
		for _, name := range said {
			if text, ok := jsonwalk.Text(find(step, name)); ok && text != "" {
				t.say(rollout.RoleAssistant, text)
				break
			}
		}
		if o := find(step, "observation"); o != nil {
			t.observe(o)
		}
	}
}

// observe adds what the environment answered: a text, or other JSON as its
// text; null as "".
func (t *transcript) observe(value []byte) { t.say(rollout.RoleUser, textOrCompact(value)) }
