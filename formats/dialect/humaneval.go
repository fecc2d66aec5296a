package dialect

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// humanEval reads what the evaluation of HumanEval goes through: samples
// {task_id, completion} before it, with passed and result after it, and lists of
// labels {task_id, n, c, passed: [1, 0, ...]}, of which every label is a row.
// Passed is reward 1; a null label is unscored.
type humanEval struct{}

func (humanEval) Name() string { return "humaneval" }

func (humanEval) fits(o outline) bool {
	return o.has("task_id") && (o.is("passed", "[") || o.is("completion", `"`)) &&
		!o.has("messages") && !o.is("prompt", "[") && !o.has("final_text") && !o.has("schema_version")
}

func (humanEval) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if !isKind(rec.JSON, '{') {
		return dst, notObject(rec.JSON, "{task_id, completion} or {task_id, passed: [...]}")
	}
	var d draft
	var passed, n []byte
	for name, value := range members(rec.JSON) {
		switch name {
		case "task_id":
			if !d.id(rollout.FieldTaskID, &d.row.TaskID, value) {
				return dst, wrongType(name, value, "a string or a number")
			}
		case "prompt":
			if text, ok := jsonwalk.Text(value); ok {
				d.text(rollout.FieldPrompt, &d.row.Prompt, text)
				continue
			}
			d.carry(name, value)
		case "completion":
			text, ok := jsonwalk.Text(value)
			if !ok {
				return dst, wrongType(name, value, "a string")
			}
			d.text(rollout.FieldFinalText, &d.row.FinalText, text)
		case "result":
			if text, ok := jsonwalk.Text(value); ok {
				d.text(rollout.FieldReason, &d.row.Reason, text)
				continue
			}
			d.carry(name, value)
		case "passed":
			passed = value
		case "n":
			n = value
			d.carry(name, value)
		default:
			d.carry(name, value)
		}
	}
	if !isKind(passed, '[') {
		if isKind(passed, '{') {
			return dst, wrongType("passed", passed, "true, false, 0, 1 or a list of them")
		}
		d.number(rollout.FieldReward, &d.row.Reward, passed)
		return append(dst, d.done(rec.Pos, 0)), nil
	}
	labels := elements(passed)
	if v := numberOf(n); v.Kind() == rollout.KindNumber && v.Num != float64(len(labels)) {
		return dst, &Error{CodeFieldType, fmt.Sprintf(`"passed" holds %d labels and "n" says %s`, len(labels), v.Text)}
	}
	if len(labels) == 0 {
		return dst, &Error{CodeNoRows, `"passed" is empty`}
	}
	row := d.done(rec.Pos, 0)
	for i, label := range labels {
		r := row // the rows share Extra
		r.Pos.Part = uint32(i)
		r.Index = rollout.Integer(int64(i))
		r.Touch(rollout.FieldIndex)
		if v := numberOf(label); v.Text != "" {
			r.Reward = v
			r.Touch(rollout.FieldReward)
		}
		dst = append(dst, r)
	}
	return dst, nil
}
