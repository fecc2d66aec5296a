package arrowipc

import (
	"bytes"
	"errors"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rollmill/rollmill/formats/rollout"
)

// columns are those of a record batch while it is filled with rows.
type columns struct {
	rows   int
	beside rollout.Fields // fields whose exact value stands in extra, in any row

	id, task, group, prompt, tools, finalText, finishReason textColumn
	reason, judge, labelSource, privileged, gate, extra     textColumn
	index, tokens                                           numberColumn[int64]
	logprob, reward, prior                                  numberColumn[float64]
	status                                                  numberColumn[int8]
	messages                                                messageColumns
	markers                                                 markerColumns
	gates                                                   gateColumns
}

// messageColumns are the levels of the column of messages.
type messageColumns struct {
	list                         listColumn
	role, content, name, callID  textColumn
	calls                        listColumn
	id, kind, function, argument textColumn
}

// markerColumns are the levels of the column of markers.
type markerColumns struct {
	list  listColumn
	name  textColumn
	value numberColumn[float64]
}

// gateColumns are the levels of the column of findings.
type gateColumns struct {
	list               listColumn
	gate, code, detail textColumn
}

// ErrTooLong is returned when a column of one record batch would pass 2 GiB,
// which the cut between batches prevents unless a single row is that large.
var ErrTooLong = errors.New("the texts of a column pass 2 GiB in one record batch")

// texts lists all columns of texts.
func (c *columns) texts() []*textColumn {
	m, g := &c.messages, &c.gates
	return []*textColumn{
		&c.id, &c.task, &c.group, &c.prompt, &c.tools, &c.finalText, &c.finishReason,
		&c.reason, &c.judge, &c.labelSource, &c.privileged, &c.gate, &c.extra,
		&m.role, &m.content, &m.name, &m.callID, &m.id, &m.kind, &m.function, &m.argument,
		&c.markers.name, &g.gate, &g.code, &g.detail,
	}
}

// reset empties the columns. Arrays made of them must not be in use any more.
func (c *columns) reset() {
	c.rows, c.beside = 0, 0
	for _, t := range c.texts() {
		t.reset()
	}
	c.index.reset()
	c.tokens.reset()
	c.logprob.reset()
	c.reward.reset()
	c.prior.reset()
	c.status.reset()
	c.messages.list.reset()
	c.messages.calls.reset()
	c.markers.list.reset()
	c.markers.value.reset()
	c.gates.list.reset()
}

// maxPooled keeps what a single huge record batch needed from being held on to.
const maxPooled = 64 << 20

// pooled reports whether the columns are worth to be kept for other rows.
func (c *columns) pooled() bool {
	return !slices.ContainsFunc(c.texts(), func(t *textColumn) bool { return cap(t.text) > maxPooled })
}

// data returns the columns in the order of the schema. They share the memory of
// c.
func (c *columns) data() ([]*array.Data, error) {
	for _, t := range c.texts() {
		if t.long {
			return nil, ErrTooLong
		}
	}
	return []*array.Data{
		c.id.data(), c.task.data(), c.group.data(), c.index.data(intType), c.prompt.data(), c.messages.data(),
		c.tools.data(), c.finalText.data(), c.finishReason.data(), c.logprob.data(floatType), c.tokens.data(intType),
		c.reward.data(floatType), c.prior.data(floatType), c.statusData(), c.reason.data(), c.judge.data(),
		c.labelSource.data(), c.markers.data(), c.privileged.data(), c.gate.data(), c.gates.data(), c.extra.data(),
	}, nil
}

// record returns the columns as a record batch with memory of its own.
func (c *columns) record() (arrow.RecordBatch, error) {
	data, err := c.data()
	if err != nil {
		return nil, err
	}
	arrays := make([]arrow.Array, len(data))
	for i, d := range data {
		arrays[i] = array.MakeFromData(copied(d))
	}
	return array.NewRecordBatch(schema, arrays, int64(c.rows)), nil
}

// copied returns a column that shares no memory with d.
func copied(d arrow.ArrayData) *array.Data {
	buffers := make([]*memory.Buffer, len(d.Buffers()))
	for i, b := range d.Buffers() {
		if b != nil {
			buffers[i] = memory.NewBufferBytes(bytes.Clone(b.Bytes()))
		}
	}
	if d.DataType().ID() == arrow.DICTIONARY {
		return array.NewDataWithDictionary(d.DataType(), d.Len(), buffers, d.NullN(), 0, statusWords)
	}
	children := make([]arrow.ArrayData, len(d.Children()))
	for i, c := range d.Children() {
		children[i] = copied(c)
	}
	return array.NewData(d.DataType(), d.Len(), buffers, children, d.NullN(), 0)
}

func (c *columns) statusData() *array.Data {
	v := &c.status
	return array.NewDataWithDictionary(statusType, len(v.values),
		[]*memory.Buffer{v.bitmap(len(v.values)), memory.NewBufferBytes(bytesOf(v.values))}, v.nulls, 0, statusWords)
}

func (m *messageColumns) data() *array.Data {
	function := structData(functionType, m.function.len(), m.function.data(), m.argument.data())
	call := structData(callType, m.id.len(), m.id.data(), m.kind.data(), function)
	calls := m.calls.data(callsType, call)
	message := structData(messageType, m.role.len(), m.role.data(), m.content.data(), m.name.data(), m.callID.data(), calls)
	return m.list.data(messagesType, message)
}

func (m *markerColumns) data() *array.Data {
	return m.list.data(markersType, structData(markerType, m.name.len(), m.name.data(), m.value.data(floatType)))
}

func (g *gateColumns) data() *array.Data {
	return g.list.data(findingsType, structData(findingType, g.gate.len(), g.gate.data(), g.code.data(), g.detail.data()))
}
