package dialect

import (
	"slices"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// mapped is a row that a mapping is making.
type mapped struct {
	draft
	talked     transcript // messages
	head       transcript // a prompt that is a list of messages
	tail       transcript // a final text that is one
	privileged []byte     // its members, without the closing brace
	steps      []byte
	opener     string
}

// clone returns a copy for one of several rows.
func (d *mapped) clone() mapped {
	c := *d
	c.row.Extra = slices.Clone(d.row.Extra)
	c.row.Markers, c.places = slices.Clone(d.row.Markers), nil
	c.privileged = slices.Clone(d.privileged)
	return c
}

// assign sets the field of a rule. Null leaves it absent.
func (d *mapped) assign(r rule, value []byte) error {
	row := &d.row
	if isNull(value) {
		return nil
	}
	switch r.field {
	case rollout.FieldID:
		return d.assignText(r, &row.ID, value)
	case rollout.FieldTaskID:
		return d.assignText(r, &row.TaskID, value)
	case rollout.FieldGroupID:
		return d.assignText(r, &row.GroupID, value)
	case rollout.FieldFinishReason:
		return d.assignText(r, &row.FinishReason, value)
	case rollout.FieldReason:
		return d.assignText(r, &row.Reason, value)
	case rollout.FieldJudge:
		return d.assignText(r, &row.Judge, value)
	case rollout.FieldLabelSource:
		return d.assignText(r, &row.LabelSource, value)
	case rollout.FieldPrompt:
		return d.assignTalk(r, &row.Prompt, &d.head, value)
	case rollout.FieldFinalText:
		return d.assignTalk(r, &row.FinalText, &d.tail, value)
	case rollout.FieldIndex:
		return d.assignNumber(r, &row.Index, value)
	case rollout.FieldLogprob:
		return d.assignNumber(r, &row.Logprob, value)
	case rollout.FieldNTokens:
		return d.assignNumber(r, &row.NTokens, value)
	case rollout.FieldReward:
		return d.assignNumber(r, &row.Reward, value)
	case rollout.FieldPriorReward:
		return d.assignNumber(r, &row.PriorReward, value)
	case rollout.FieldMessages:
		t, err := readTranscript(r.from.text, value)
		if err == nil {
			d.talked = t
			d.set |= r.field
		}
		return err
	case rollout.FieldTools:
		if !isKind(value, '[') {
			return wrongType(r.from.text, value, "a list of tool schemas")
		}
		d.text(r.field, &row.Tools, compact(value))
	case rollout.FieldStatus:
		text, _ := jsonwalk.Text(value)
		status, ok := rollout.ParseStatus(text)
		if !ok {
			return wrongType(r.from.text, value, "ok, missing_reward, invalid_result, error or timeout")
		}
		d.status(status)
	case rollout.FieldMarkers:
		return d.assignMarkers(r, value)
	case rollout.FieldPrivileged:
		return d.assignPrivileged(r, value)
	case rollout.FieldExtra:
		d.carry(r.name, value)
	}
	return nil
}

// ids are the text fields that may be numbers in a row, too.
const ids = rollout.FieldID | rollout.FieldTaskID | rollout.FieldGroupID

func (d *mapped) assignText(r rule, dst *string, value []byte) error {
	text, ok := scalarText(value)
	if r.native && r.field&ids == 0 {
		text, ok = jsonwalk.Text(value)
	}
	if !ok {
		return wrongType(r.from.text, value, "text or a number")
	}
	d.text(r.field, dst, text)
	return nil
}

// assignTalk sets a prompt or a final text from text or a list of messages.
func (d *mapped) assignTalk(r rule, dst *string, list *transcript, value []byte) (err error) {
	if !isKind(value, '[') {
		*list = transcript{}
		return d.assignText(r, dst, value)
	}
	if *list, err = readTranscript(r.from.text, value); err == nil {
		*dst = ""
		d.set |= r.field
	}
	return err
}

func (d *mapped) assignNumber(r rule, dst *rollout.Value, value []byte) error {
	if isKind(value, '{') || isKind(value, '[') {
		return wrongType(r.from.text, value, "a number or a boolean")
	}
	if r.native && (isKind(value, 't') || isKind(value, 'f')) {
		*dst = rollout.Value{Text: string(value)} // a row may say so, and it is no number
		d.set |= r.field
		return nil
	}
	d.number(r.field, dst, value)
	return nil
}

func (d *mapped) assignMarkers(r rule, value []byte) error {
	if r.name == "" {
		if !isKind(value, '{') {
			return wrongType(r.from.text, value, "an object of numbers")
		}
		d.row.Markers, d.places = nil, nil
		for name, v := range members(value) {
			d.marker(name, v)
		}
		d.set |= rollout.FieldMarkers
		return nil
	}
	if isKind(value, '{') || isKind(value, '[') {
		return wrongType(r.from.text, value, "a number or a boolean")
	}
	d.marker(r.name, value)
	return nil
}

func (d *mapped) assignPrivileged(r rule, value []byte) error {
	if r.name != "" {
		d.tell(r.name, value)
		return nil
	}
	if !isKind(value, '{') {
		return wrongType(r.from.text, value, "an object (or map it to privileged.reference)")
	}
	d.set |= r.field
	for name, v := range members(value) {
		d.tell(name, v)
	}
	return nil
}

// tell sets a member of privileged.
func (d *mapped) tell(name string, value []byte) {
	d.set |= rollout.FieldPrivileged
	rest := without(closed(d.privileged), name)
	d.privileged = appendMember(rest[:max(0, len(rest)-1)], name, value)
}

// settle puts together what several rules say.
func (d *mapped) settle() {
	if d.set&rollout.FieldPrivileged != 0 {
		d.row.Privileged = "{}"
		if d.privileged != nil {
			d.row.Privileged = string(closed(d.privileged))
		}
	}
	given := d.set & (rollout.FieldPrompt | rollout.FieldFinalText)
	prompt, final := d.row.Prompt, d.row.FinalText
	t := d.talked
	switch {
	case d.set&rollout.FieldMessages != 0:
	case d.head.messages != nil || d.tail.messages != nil:
		if t = d.head; t.messages == nil && given&rollout.FieldPrompt != 0 {
			t.say(rollout.RoleUser, prompt)
		}
		t.join(d.tail)
		if d.tail.messages == nil && given&rollout.FieldFinalText != 0 {
			t.say(rollout.RoleAssistant, final)
		}
	case d.steps != nil:
		messages, err := rollout.MessagesFromSteps(string(d.steps), d.opener, prompt, final)
		if err != nil {
			return // steps of another kind stay in Extra
		}
		t = transcript{messages: messages, rest: make([][]byte, len(messages))}
	default:
		return
	}
	d.talk(t)
	if given&rollout.FieldPrompt != 0 && d.head.messages == nil {
		d.row.Prompt = prompt
	}
	if given&rollout.FieldFinalText != 0 && d.tail.messages == nil {
		d.row.FinalText = final
	}
}
