package simulate

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/world"
)

// ownMembers is how many members a row has at most beside those of its task.
const ownMembers = 7

// held are the fields that every row has.
const held = rollout.FieldTaskID | rollout.FieldIndex | rollout.FieldPrompt | rollout.FieldMessages | rollout.FieldFinalText |
	rollout.FieldFinishReason

// landed is a row with what of it decides how a group goes on.
type landed struct {
	row       rollout.Row
	signature string
	label     string // "" for none
	truncated bool
	failing   bool
}

// land makes a row, which is empty so far, of the conversation that was held
// (spec of simulation, section 19), and has it graded.
func (t *talk) land(ctx context.Context, l *landed) error {
	r := &l.row
	r.TaskID, r.Index, r.Prompt = t.task.id, rollout.Integer(int64(t.conv.Task.Index)), t.task.prompt
	r.Messages, r.Tools = slices.Clone(t.messages()), t.plan.schemas
	r.FinalText, r.FinishReason, r.Privileged = t.final(), t.finishReason(), t.task.privileged
	fields := held
	if r.Tools != "" {
		fields |= rollout.FieldTools
	}
	if r.Privileged != "" {
		fields |= rollout.FieldPrivileged
	}
	r.Hold(fields)
	r.Extra = append(make([]rollout.Member, 0, len(t.task.members)+ownMembers), t.task.members...)
	add := func(name, json string) { r.Extra = append(r.Extra, rollout.Member{Name: name, JSON: json}) }
	if t.task.realized {
		add("scenario_dimensions", t.realized())
	}
	add("steps", string(append(t.answered(), ']')))

	t.reader.Read(r)
	signature := t.reader.Signature()
	json := `"` + signature.String() + `"`
	l.signature = json[1 : len(json)-1]
	l.truncated = r.FinishReason == "length" || t.reader.Truncated()
	l.failing = t.failing
	add("behavior_signature", json)
	add("tools_used", t.toolsUsed())
	if t.seeded != nil {
		add("seeded", textList(t.seeded))
	}
	if t.input > 0 || t.output > 0 {
		add("usage", `{"input_tokens":`+strconv.FormatInt(t.input, 10)+`,"output_tokens":`+strconv.FormatInt(t.output, 10)+`}`)
	}
	if t.ended != "" {
		add("ended_by", quoted(t.ended))
	}
	return t.grade(ctx, l)
}

// messages returns the conversation without lines of the person that nobody
// answered.
func (t *talk) messages() []rollout.Message {
	m := t.conv.Messages
	for len(m) > 1 && m[len(m)-1].Role == rollout.RoleUser {
		m = m[:len(m)-1]
	}
	return m
}

// realized says what a rollout without a cell has met.
func (t *talk) realized() string {
	tool, condition := grid.Unrelated, grid.Success
	if len(t.used) > 0 {
		tool = t.plan.Tools[t.used[0]].Name
	}
	if len(t.task.plan) > 0 && t.world.Faults() > 0 {
		condition = conditionOf(t.task.plan[0].Mode)
	}
	var o rollout.Object
	o.Text(grid.Tool.String(), tool)
	o.Text(grid.Condition.String(), condition)
	o.Text("origin", "realized")
	return o.String()
}

// conditionOf returns the tool condition that a fault mode stands for.
func conditionOf(mode world.Mode) string {
	for _, c := range grid.Conditions {
		if m, ok := world.ModeOf(c); ok && m == mode {
			return c
		}
	}
	return string(mode)
}

// toolsUsed lists the names of the tools that were called.
func (t *talk) toolsUsed() string {
	if len(t.used) == 1 && len(t.unknown) == 0 {
		return t.plan.usedOnly[t.used[0]]
	}
	names := make([]string, 0, len(t.used)+len(t.unknown))
	for _, at := range t.used {
		names = append(names, t.plan.Tools[at].Name)
	}
	for _, n := range t.unknown {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return textList(names)
}

func textList(texts []string) string {
	dst := []byte{'['}
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = rollout.AppendText(dst, s)
	}
	return string(append(dst, ']'))
}

// lengthCap is the judge of rows that were cut off: they are never judged, and
// carry no label (DAPO, arXiv:2503.14476).
const lengthCap = "length_cap"

// grade has a row graded and finds its label: whether it passed where there is
// a reward, else how the agent behaved (spec of simulation, section 14.3).
func (t *talk) grade(ctx context.Context, l *landed) error {
	r := &l.row
	if t.plan.Grade == nil {
		if !l.truncated {
			l.label = l.signature
		}
		return nil
	}
	if l.truncated {
		r.SetReward(rollout.Value{}, rollout.StatusMissingReward)
		r.Judge = lengthCap
		r.Touch(rollout.FieldJudge)
		return nil
	}
	if err := t.plan.Grade(ctx, r); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		status := rollout.StatusError
		if errors.Is(err, context.DeadlineExceeded) {
			status = rollout.StatusTimeout
		}
		r.SetReward(rollout.Value{}, status)
	}
	pass, graded := r.BinaryReward()
	switch {
	case !graded:
		l.label = l.signature
	case pass:
		l.label = "pass"
	default:
		l.label = "fail"
		l.failing = true
	}
	return nil
}
