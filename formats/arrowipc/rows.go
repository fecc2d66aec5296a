package arrowipc

import (
	"math"
	"strconv"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout"
)

// rowDecoder makes rows of batches. It is not safe for concurrent use.
type rowDecoder struct {
	want    rollout.Fields
	decoder *rollout.Decoder
	scan    jsonscan.Scanner
	digits  []byte // room for the texts of numbers
}

func newRowDecoder(want rollout.Fields) *rowDecoder {
	return &rowDecoder{want: want, decoder: rollout.NewDecoder(want)}
}

// fill makes rows of the rows of b from one on, as many as there are in rows.
// Their strings point into the memory of the batch.
func (d *rowDecoder) fill(rows []rollout.Row, b *batch, from int) {
	want := b.want & d.want
	for f := want & textFields; f != 0; f &= f - 1 {
		fillTexts(rows, &b.texts[columnOf(f&-f)], from, f&-f)
	}
	d.fillInts(rows, want&rollout.FieldIndex, &b.index, from)
	d.fillInts(rows, want&rollout.FieldNTokens, &b.tokens, from)
	d.fillFloats(rows, want&rollout.FieldLogprob, &b.logprob, from)
	d.fillFloats(rows, want&rollout.FieldReward, &b.reward, from)
	d.fillFloats(rows, want&rollout.FieldPriorReward, &b.prior, from)
	if want.Has(rollout.FieldStatus) {
		b.status.fill(rows, from)
	}
	if want.Has(rollout.FieldMessages) {
		b.messages.fill(rows, from)
	}
	if want.Has(rollout.FieldMarkers) {
		d.fillMarkers(rows, &b.markers, from)
	}
	if want.Has(rollout.FieldGates) {
		b.gates.fill(rows, from)
	}
}

// textFields are the fields whose columns are texts, extra excepted.
const textFields = rollout.FieldID | rollout.FieldTaskID | rollout.FieldGroupID | rollout.FieldPrompt | rollout.FieldTools |
	rollout.FieldFinalText | rollout.FieldFinishReason | rollout.FieldReason | rollout.FieldJudge | rollout.FieldLabelSource |
	rollout.FieldPrivileged | rollout.FieldGate

func textOf(r *rollout.Row, f rollout.Fields) *string {
	switch f {
	case rollout.FieldID:
		return &r.ID
	case rollout.FieldTaskID:
		return &r.TaskID
	case rollout.FieldGroupID:
		return &r.GroupID
	case rollout.FieldPrompt:
		return &r.Prompt
	case rollout.FieldTools:
		return &r.Tools
	case rollout.FieldFinalText:
		return &r.FinalText
	case rollout.FieldFinishReason:
		return &r.FinishReason
	case rollout.FieldReason:
		return &r.Reason
	case rollout.FieldJudge:
		return &r.Judge
	case rollout.FieldLabelSource:
		return &r.LabelSource
	case rollout.FieldPrivileged:
		return &r.Privileged
	}
	return &r.Gate
}

func fillTexts(rows []rollout.Row, t *texts, from int, f rollout.Fields) {
	for i := range rows {
		if t.has(from + i) {
			*textOf(&rows[i], f) = t.get(from + i)
			rows[i].Hold(f)
		}
	}
}

func valueOf(r *rollout.Row, f rollout.Fields) *rollout.Value {
	switch f {
	case rollout.FieldIndex:
		return &r.Index
	case rollout.FieldNTokens:
		return &r.NTokens
	case rollout.FieldLogprob:
		return &r.Logprob
	case rollout.FieldReward:
		return &r.Reward
	}
	return &r.PriorReward
}

// fillInts gives rows the integers of field f, none when f is 0.
func (d *rowDecoder) fillInts(rows []rollout.Row, f rollout.Fields, n *numbers[int64], from int) {
	for i := range rows {
		if f == 0 || !n.has(from+i) {
			continue
		}
		number := n.values[from+i]
		v := valueOf(&rows[i], f)
		v.Num = float64(number)
		if uint64(number) < 10 {
			v.Text = "0123456789"[number : number+1]
		} else {
			v.Text = d.text(strconv.AppendInt(d.room(), number, 10))
		}
		rows[i].Hold(f)
	}
}

// fillFloats does the same for floats.
func (d *rowDecoder) fillFloats(rows []rollout.Row, f rollout.Fields, n *numbers[float64], from int) {
	for i := range rows {
		if f != 0 && n.has(from+i) {
			*valueOf(&rows[i], f) = d.number(n.values[from+i])
			rows[i].Hold(f)
		}
	}
}

// number returns a float as the value that it was written from.
func (d *rowDecoder) number(f float64) rollout.Value {
	if f == 0 && !math.Signbit(f) || f == 1 || math.IsNaN(f) || math.IsInf(f, 0) {
		return rollout.Number(f)
	}
	return rollout.Value{Num: f, Text: d.text(rollout.AppendFloat(d.room(), f))}
}

// room returns space for the text of a number.
func (d *rowDecoder) room() []byte {
	if cap(d.digits)-len(d.digits) < 32 {
		d.digits = make([]byte, 0, 8<<10)
	}
	return d.digits[len(d.digits):]
}

// text keeps what was appended to the room.
func (d *rowDecoder) text(b []byte) string {
	d.digits = d.digits[:len(d.digits)+len(b)]
	return view(b)
}
