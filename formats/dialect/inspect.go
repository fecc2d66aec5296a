package dialect

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// inspect reads the evaluation logs of Inspect, where every sample is a row: a
// .json log is one record with a list of samples, a .eval log is a zip with a
// record a sample.
//
// The task id is the evaluation's task and the sample's id, as in
// popularity/1, since ids count within one task; the index is the epoch,
// counted from 0; the target is what only the grader may know. Of the log's
// header a row keeps the model and as eval_status, eval_task and eval_run what
// became of the run, so that a cancelled one is seen.
type inspect struct{}

func (inspect) Name() string { return "inspect" }

func (inspect) fits(o outline) bool {
	if o.is("eval", "{") {
		return o.is("samples", "[") || o.has("version") || o.has("status")
	}
	return o.has("epoch") && o.has("input") && o.has("id") && (o.has("scores") || o.has("score") || o.has("output"))
}

func (i inspect) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if !isKind(rec.JSON, '{') {
		return dst, notObject(rec.JSON, "a log of Inspect, or a sample of one")
	}
	if !isKind(find(rec.JSON, "eval"), '{') {
		row, err := inspectSample(rec.JSON, readLogHeader(rec.Header))
		if err != nil {
			return dst, err
		}
		return append(dst, row.done(rec.Pos, 0)), nil
	}
	samples := find(rec.JSON, "samples")
	if samples == nil {
		return dst, missing("samples", "a list of samples (this log holds its header alone)")
	}
	if !isKind(samples, '[') {
		return dst, wrongType("samples", samples, "a list of samples")
	}
	header := readLogHeader(rec.JSON)
	n, part := len(dst), 0
	for sample := range jsonwalk.Elements(samples) {
		row, err := inspectSample(sample, header)
		if err != nil {
			return dst[:n], err
		}
		dst = append(dst, row.done(rec.Pos, part))
		part++
	}
	if part == 0 {
		return dst, &Error{CodeNoRows, `"samples" is empty`}
	}
	return dst, nil
}

// logHeader is what a log says of all its samples.
type logHeader struct{ status, task, model, run string }

func readLogHeader(json []byte) (h logHeader) {
	for name, value := range jsonwalk.Members(json) {
		switch name {
		case "status":
			h.status, _ = jsonwalk.Text(value)
		case "eval":
			h.task, _ = jsonwalk.Text(find(value, "task"))
			h.model, _ = jsonwalk.Text(find(value, "model"))
			h.run, _ = jsonwalk.Text(find(value, "run_id"))
		}
	}
	return h
}

func inspectSample(sample []byte, header logHeader) (*draft, error) {
	if !isKind(sample, '{') {
		return nil, notObject(sample, "a sample of Inspect")
	}
	var d draft
	var id, input, messages, output, scores, failure, limit, attachments []byte
	for name, value := range members(sample) {
		switch name {
		case "id":
			id = value
		case "uuid":
			if !d.id(rollout.FieldID, &d.row.ID, value) {
				return nil, wrongType(name, value, "a string")
			}
		case "epoch":
			d.epoch(value)
		case "input":
			input = value
		case "messages":
			messages = value
		case "target":
			d.reference(value)
		case "scores", "score":
			scores = value
			d.carry("inspect_"+name, value)
		default:
			switch name {
			case "output":
				output = value
			case "error":
				failure = value
			case "limit":
				limit = value
			case "attachments":
				attachments = value
			}
			if !isNull(value) {
				d.carry(name, value)
			}
		}
	}
	t, err := inspectTranscript(messages, input, attachments)
	if err != nil {
		return nil, err
	}
	d.talk(t)
	if text, ok := jsonwalk.Text(input); !ok && first(messages) != nil || ok && text != d.row.Prompt {
		d.carry("input", input) // a solver made something else of it
	}
	d.scores(scores)
	d.ending(failure, limit, output)
	d.header(header, id)
	return &d, nil
}

// epoch sets the index: epochs count from 1.
func (d *draft) epoch(value []byte) {
	v := numberOf(value)
	if n, ok := v.Int(); ok && n > 0 {
		v = rollout.Integer(n - 1)
	}
	if v.Text != "" {
		d.row.Index = v
		d.set |= rollout.FieldIndex
	}
}

// inspectTranscript reads the messages, or where there are none the input: a
// text, or a list of messages. A text that stands in the log's attachments is
// put back.
func inspectTranscript(messages, input, attachments []byte) (t transcript, err error) {
	switch {
	case first(messages) != nil:
		t, err = readTranscript("messages", messages)
	case isKind(input, '['):
		t, err = readTranscript("input", input)
	case isKind(input, '"'):
		text, _ := jsonwalk.Text(input)
		t.say(rollout.RoleUser, text)
	case messages != nil && !isNull(messages) && messages[0] != '[':
		err = wrongType("messages", messages, wantMessages)
	default:
		err = missingOr("input", input, "a text or "+wantMessages)
	}
	for i := range t.messages {
		if hash, ok := strings.CutPrefix(t.messages[i].Content, "attachment://"); ok {
			if text, ok := jsonwalk.Text(find(attachments, hash)); ok {
				t.messages[i].Content = text
			}
		}
	}
	return t, err
}

// ending sets the finish reason, and for a sample that failed without a score
// the status.
func (d *draft) ending(failure, limit, output []byte) {
	stop, _ := jsonwalk.Text(find(first(find(output, "choices")), "stop_reason"))
	reason := map[string]string{
		"stop": "stop", "max_tokens": "length", "model_length": "length", "tool_calls": "tool",
	}[stop]
	switch {
	case !isNull(failure):
		reason = "error"
	case !isNull(limit):
		reason = "length"
	}
	if reason != "" {
		d.text(rollout.FieldFinishReason, &d.row.FinishReason, reason)
	}
	if !isNull(failure) && d.set&rollout.FieldStatus == 0 {
		d.status(rollout.StatusError)
		if message, ok := jsonwalk.Text(find(failure, "message")); ok {
			d.text(rollout.FieldReason, &d.row.Reason, message)
		}
	}
}

// header sets what the log says of all its samples, and the task id.
func (d *draft) header(h logHeader, id []byte) {
	d.carryText("model_version", h.model)
	d.carryText("eval_status", h.status)
	d.carryText("eval_task", h.task)
	d.carryText("eval_run", h.run)
	if text, ok := scalarText(id); ok && text != "" {
		if h.task != "" {
			text = h.task + "/" + text
		}
		d.text(rollout.FieldTaskID, &d.row.TaskID, text)
	}
}
