package arrowipc

import (
	"sync"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Encode returns rows as one record batch of [Schema]. The memory of the batch
// is its own and the garbage collector's: it may be kept and shared for as long
// as anybody likes, and to release it frees nothing. The error says that the
// texts of a column would pass 2 GiB; [Records] and [Create] cut batches before
// that.
//
// What a column does not give back exactly, such as a reward written 1.0, an
// explicit null or a content that is a list, stands as JSON in the column extra
// too, where [Decode] finds it.
func Encode(rows []rollout.Row) (arrow.RecordBatch, error) {
	return encodeRuns([][]rollout.Row{rows})
}

// scratch are columns to fill, so that those of a record batch can be made as
// large as they need to be.
var scratch = sync.Pool{New: func() any { return &columns{} }}

func encodeRuns(runs [][]rollout.Row) (arrow.RecordBatch, error) {
	c := scratch.Get().(*columns)
	c.fill(runs)
	rec, err := c.record()
	if c.pooled() {
		scratch.Put(c)
	}
	return rec, err
}

// fill makes the columns those of some rows.
func (c *columns) fill(runs [][]rollout.Row) {
	c.reset()
	for _, rows := range runs {
		for i := range rows {
			c.add(&rows[i])
		}
	}
}

// add adds a row.
func (c *columns) add(r *rollout.Row) {
	e := rowEncoder{r: r, unsure: r.Changed()}
	if r.Source() == "" {
		e.unsure = rollout.AllFields // nobody has looked at its texts yet
	}
	c.encode(&e)
}

// encode adds a row with an encoder of its own.
func (c *columns) encode(e *rowEncoder) {
	r := e.r
	c.rows++
	e.text(rollout.FieldID, &c.id, r.ID)
	e.text(rollout.FieldTaskID, &c.task, r.TaskID)
	e.text(rollout.FieldGroupID, &c.group, r.GroupID)
	e.int(rollout.FieldIndex, &c.index, r.Index)
	e.text(rollout.FieldPrompt, &c.prompt, r.Prompt)
	e.messages(&c.messages)
	e.text(rollout.FieldTools, &c.tools, r.Tools)
	e.text(rollout.FieldFinalText, &c.finalText, r.FinalText)
	e.text(rollout.FieldFinishReason, &c.finishReason, r.FinishReason)
	e.float(rollout.FieldLogprob, &c.logprob, r.Logprob)
	e.int(rollout.FieldNTokens, &c.tokens, r.NTokens)
	e.float(rollout.FieldReward, &c.reward, r.Reward)
	e.float(rollout.FieldPriorReward, &c.prior, r.PriorReward)
	e.status(&c.status)
	e.text(rollout.FieldReason, &c.reason, r.Reason)
	e.text(rollout.FieldJudge, &c.judge, r.Judge)
	e.text(rollout.FieldLabelSource, &c.labelSource, r.LabelSource)
	e.markers(&c.markers)
	e.text(rollout.FieldPrivileged, &c.privileged, r.Privileged)
	e.text(rollout.FieldGate, &c.gate, r.Gate)
	e.findings(&c.gates)
	c.beside |= e.extra(&c.extra)
}

// rowEncoder is one row on its way into the columns.
type rowEncoder struct {
	r       *rollout.Row
	left    rollout.Fields // fields whose texts are left out of their columns
	unsure  rollout.Fields // fields whose texts may not be UTF-8
	inexact rollout.Fields // fields that their columns do not give back
}

// valid returns a text of field f as UTF-8, as it would be written as JSON.
func (e *rowEncoder) valid(f rollout.Fields, s string) string {
	if e.unsure&f == 0 || utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func (e *rowEncoder) text(f rollout.Fields, c *textColumn, s string) {
	if !e.r.Has(f) {
		c.addNull()
		return
	}
	if e.left&f != 0 {
		c.addNull()
	} else {
		c.add(e.valid(f, s))
	}
	if s == "" && f&(rollout.FieldTools|rollout.FieldPrivileged) != 0 {
		e.inexact |= f // which is null, since no JSON is empty
	}
}

func (e *rowEncoder) int(f rollout.Fields, c *numberColumn[int64], v rollout.Value) {
	if !e.r.Has(f) {
		c.addNull()
		return
	}
	i, ok, exact := intOf(v)
	if ok {
		c.add(i)
	} else {
		c.addNull()
	}
	if !exact {
		e.inexact |= f
	}
}

func (e *rowEncoder) float(f rollout.Fields, c *numberColumn[float64], v rollout.Value) {
	if !e.r.Has(f) {
		c.addNull()
		return
	}
	if !addFloat(c, v) {
		e.inexact |= f
	}
}

func addFloat(c *numberColumn[float64], v rollout.Value) (exact bool) {
	f, ok, exact := floatOf(v)
	if ok {
		c.add(f)
	} else {
		c.addNull()
	}
	return exact
}

func (e *rowEncoder) status(c *numberColumn[int8]) {
	if s := e.r.Status; e.r.Has(rollout.FieldStatus) && s != rollout.StatusAbsent {
		c.add(int8(s - rollout.StatusOK))
		return
	}
	c.addNull()
	e.inexact |= rollout.FieldStatus // no word at all, should the row hold one
}

func (e *rowEncoder) messages(c *messageColumns) {
	const f = rollout.FieldMessages
	if !e.r.Has(f) {
		c.list.addNull()
		return
	}
	if messagesInexact(e.r.Messages) {
		e.inexact |= f
	}
	if e.left&f != 0 {
		c.list.addNull()
		return
	}
	for i := range e.r.Messages {
		m := &e.r.Messages[i]
		c.role.add(e.valid(f, m.Role))
		c.name.addSome(e.valid(f, m.Name))
		c.callID.addSome(e.valid(f, m.ToolCallID))
		switch {
		case m.Parts != "":
			c.content.add(e.valid(f, m.Text()))
		case m.Content != "" || m.NoContent == rollout.Present:
			c.content.add(e.valid(f, m.Content))
		default:
			c.content.addNull()
		}
		e.calls(c, m.ToolCalls)
	}
	c.list.add(c.role.len())
}

// messagesInexact reports whether their columns do not give messages back.
func messagesInexact(messages []rollout.Message) bool {
	for i := range messages {
		if m := &messages[i]; m.Parts != "" || m.Content == "" && m.NoContent == rollout.Missing {
			return true
		}
	}
	return false
}

func (e *rowEncoder) calls(c *messageColumns, calls []rollout.ToolCall) {
	const f = rollout.FieldMessages
	if len(calls) == 0 {
		c.calls.addNull()
		return
	}
	for i := range calls {
		call := &calls[i]
		c.id.addSome(e.valid(f, call.ID))
		c.kind.addSome(e.valid(f, call.Type))
		c.function.add(e.valid(f, call.Name))
		c.argument.add(e.valid(f, call.Arguments))
	}
	c.calls.add(c.id.len())
}

func (e *rowEncoder) markers(c *markerColumns) {
	if !e.r.Has(rollout.FieldMarkers) {
		c.list.addNull()
		return
	}
	for i := range e.r.Markers {
		m := &e.r.Markers[i]
		c.name.add(e.valid(rollout.FieldMarkers, m.Name))
		if !addFloat(&c.value, m.Value) {
			e.inexact |= rollout.FieldMarkers
		}
	}
	c.list.add(c.name.len())
}

func (e *rowEncoder) findings(c *gateColumns) {
	const f = rollout.FieldGates
	if !e.r.Has(f) {
		c.list.addNull()
		return
	}
	for i := range e.r.Gates {
		g := &e.r.Gates[i]
		c.gate.addSome(e.valid(f, g.Gate))
		c.code.addSome(e.valid(f, g.Code))
		c.detail.addSome(e.valid(f, g.Detail))
	}
	c.list.add(c.gate.len())
}

// extra adds what no other column holds, and returns the fields among that.
func (e *rowEncoder) extra(c *textColumn) (beside rollout.Fields) {
	before := len(c.text)
	c.text = e.r.AppendExtra(c.text, e.inexact)
	if len(c.text) == before {
		c.addNull()
		return 0
	}
	if e.unsure != 0 && !utf8.Valid(c.text[before:]) {
		c.text = append(c.text[:before], string([]rune(string(c.text[before:])))...)
	}
	c.end()
	for i := range e.r.Extra {
		beside |= fieldNames[e.r.Extra[i].Name]
	}
	for f := e.inexact; f != 0; f &= f - 1 {
		if e.r.Has(f & -f) {
			beside |= f & -f
		}
	}
	return beside
}

// fieldNames has the fields by all names that a decoder knows them by.
var fieldNames = makeFieldNames()

func makeFieldNames() map[string]rollout.Fields {
	names := map[string]rollout.Fields{}
	for _, name := range append((rollout.AllFields &^ rollout.FieldExtra).Names(), "task_id", "grader_reason") {
		names[name], _ = rollout.FieldNamed(name)
	}
	return names
}
