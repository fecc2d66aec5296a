package arrowipc_test

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
)

// rowBuilder is the plain twin of the columns of this package: it fills
// arrow-go's builders.
type rowBuilder struct {
	*array.RecordBuilder
	words *array.String // the dictionary of status

	id, task, group, prompt, tools, final, finish, reason, judge, source, privileged, gate, extra *array.StringBuilder
	index, tokens                                                                                 *array.Int64Builder
	logprob, reward, prior                                                                        *array.Float64Builder
	status                                                                                        *array.BinaryDictionaryBuilder

	messages, calls         *array.ListBuilder
	message, call, function *array.StructBuilder
	markers, gates          *array.ListBuilder
	marker, finding         *array.StructBuilder
}

func newRowBuilder() *rowBuilder {
	b := &rowBuilder{RecordBuilder: array.NewRecordBuilder(memory.DefaultAllocator, arrowipc.Schema())}
	words := array.NewStringBuilder(memory.DefaultAllocator)
	for s := rollout.StatusOK; s <= rollout.StatusTimeout; s++ {
		words.Append(s.String())
	}
	b.words = words.NewStringArray()
	text := func(i int) *array.StringBuilder { return b.Field(i).(*array.StringBuilder) }
	b.id, b.task, b.group, b.prompt, b.tools, b.final, b.finish = text(0), text(1), text(2), text(4), text(6), text(7), text(8)
	b.reason, b.judge, b.source, b.privileged, b.gate, b.extra = text(14), text(15), text(16), text(18), text(19), text(21)
	b.index, b.tokens = b.Field(3).(*array.Int64Builder), b.Field(10).(*array.Int64Builder)
	b.logprob, b.reward, b.prior = b.Field(9).(*array.Float64Builder), b.Field(11).(*array.Float64Builder), b.Field(12).(*array.Float64Builder)
	b.status = b.Field(13).(*array.BinaryDictionaryBuilder)
	list := func(b array.Builder) (*array.ListBuilder, *array.StructBuilder) {
		l := b.(*array.ListBuilder)
		return l, l.ValueBuilder().(*array.StructBuilder)
	}
	b.messages, b.message = list(b.Field(5))
	b.calls, b.call = list(b.message.FieldBuilder(4))
	b.function = b.call.FieldBuilder(2).(*array.StructBuilder)
	b.markers, b.marker = list(b.Field(17))
	b.gates, b.finding = list(b.Field(20))
	return b
}

// built encodes rows with arrow-go's builders.
func (b *rowBuilder) built(rows []rollout.Row) arrow.RecordBatch {
	if err := b.status.InsertStringDictValues(b.words); err != nil {
		panic(err)
	}
	for i := range rows {
		b.add(&rows[i])
	}
	return b.NewRecordBatch()
}

func (b *rowBuilder) add(r *rollout.Row) {
	var inexact rollout.Fields
	text := func(f rollout.Fields, c *array.StringBuilder, s string) {
		if r.Has(f) {
			c.Append(s)
		} else {
			c.AppendNull()
		}
	}
	number := func(f rollout.Fields, c array.Builder, v rollout.Value) {
		if !r.Has(f) {
			c.AppendNull()
		} else if !appendNumber(c, v) {
			inexact |= f
		}
	}
	text(rollout.FieldID, b.id, r.ID)
	text(rollout.FieldTaskID, b.task, r.TaskID)
	text(rollout.FieldGroupID, b.group, r.GroupID)
	number(rollout.FieldIndex, b.index, r.Index)
	text(rollout.FieldPrompt, b.prompt, r.Prompt)
	text(rollout.FieldTools, b.tools, r.Tools)
	text(rollout.FieldFinalText, b.final, r.FinalText)
	text(rollout.FieldFinishReason, b.finish, r.FinishReason)
	number(rollout.FieldLogprob, b.logprob, r.Logprob)
	number(rollout.FieldNTokens, b.tokens, r.NTokens)
	number(rollout.FieldReward, b.reward, r.Reward)
	number(rollout.FieldPriorReward, b.prior, r.PriorReward)
	text(rollout.FieldReason, b.reason, r.Reason)
	text(rollout.FieldJudge, b.judge, r.Judge)
	text(rollout.FieldLabelSource, b.source, r.LabelSource)
	text(rollout.FieldPrivileged, b.privileged, r.Privileged)
	text(rollout.FieldGate, b.gate, r.Gate)
	if r.Has(rollout.FieldStatus) {
		if err := b.status.AppendString(r.Status.String()); err != nil {
			panic(err)
		}
	} else {
		b.status.AppendNull()
	}
	if !b.addMessages(r) {
		inexact |= rollout.FieldMessages
	}
	if !b.addMarkers(r) {
		inexact |= rollout.FieldMarkers
	}
	b.addFindings(r)
	if json := r.AppendExtra(nil, inexact); len(json) > 0 {
		b.extra.BinaryBuilder.Append(json)
	} else {
		b.extra.AppendNull()
	}
}

func appendNumber(b array.Builder, v rollout.Value) (exact bool) {
	switch b := b.(type) {
	case *array.Int64Builder:
		i, ok := v.Int()
		if ok {
			b.Append(i)
		} else {
			b.AppendNull()
		}
		return ok && strconv.FormatInt(i, 10) == v.Text
	case *array.Float64Builder:
		f, ok := v.Float()
		if ok {
			b.Append(f)
		} else {
			b.AppendNull()
		}
		return ok && v.Text == string(rollout.AppendFloat(nil, f))
	}
	panic("no builder of numbers")
}

func appendSome(b array.Builder, s string) {
	if s == "" {
		b.AppendNull()
	} else {
		b.(*array.StringBuilder).Append(s)
	}
}

func (b *rowBuilder) addMessages(r *rollout.Row) (exact bool) {
	b.messages.Append(r.Has(rollout.FieldMessages))
	exact = true
	for i := range r.Messages {
		m := &r.Messages[i]
		b.message.Append(true)
		b.message.FieldBuilder(0).(*array.StringBuilder).Append(m.Role)
		if text := m.Text(); text != "" || m.Parts != "" || m.NoContent == rollout.Present {
			b.message.FieldBuilder(1).(*array.StringBuilder).Append(text)
		} else {
			b.message.FieldBuilder(1).AppendNull()
			exact = exact && m.NoContent == rollout.Null
		}
		exact = exact && m.Parts == ""
		appendSome(b.message.FieldBuilder(2), m.Name)
		appendSome(b.message.FieldBuilder(3), m.ToolCallID)
		b.calls.Append(len(m.ToolCalls) > 0)
		for _, c := range m.ToolCalls {
			b.call.Append(true)
			appendSome(b.call.FieldBuilder(0), c.ID)
			appendSome(b.call.FieldBuilder(1), c.Type)
			b.function.Append(true)
			b.function.FieldBuilder(0).(*array.StringBuilder).Append(c.Name)
			b.function.FieldBuilder(1).(*array.StringBuilder).Append(c.Arguments)
		}
	}
	return exact
}

func (b *rowBuilder) addMarkers(r *rollout.Row) (exact bool) {
	b.markers.Append(r.Has(rollout.FieldMarkers))
	exact = true
	for _, m := range r.Markers {
		b.marker.Append(true)
		b.marker.FieldBuilder(0).(*array.StringBuilder).Append(m.Name)
		exact = appendNumber(b.marker.FieldBuilder(1), m.Value) && exact
	}
	return exact
}

func (b *rowBuilder) addFindings(r *rollout.Row) {
	b.gates.Append(r.Has(rollout.FieldGates))
	for _, g := range r.Gates {
		b.finding.Append(true)
		appendSome(b.finding.FieldBuilder(0), g.Gate)
		appendSome(b.finding.FieldBuilder(1), g.Code)
		appendSome(b.finding.FieldBuilder(2), g.Detail)
	}
}
