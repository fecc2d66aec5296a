package curate

import (
	"context"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// settled is a record batch of the spool whose rows were told where they ended,
// and what is taken of it.
type settled struct {
	frame *arrowipc.Frame
	rows  []rollout.Row // with no more fields than were needed

	packet  arrowipc.Packet
	held    []rollout.Row
	lot     lot // the kept rows
	samples []sample
}

// settle tells the rows of a record batch where they ended. Only those that are
// written, shown or looked at once more are decoded whole.
func (l *line) settle(b stream.Batch[*arrowipc.Frame], kept *shelf) (stream.Batch[settled], error) {
	s := settled{frame: b.Items[0], lot: kept.lot()}
	f, n := s.frame, s.frame.Rows()
	rows, err := f.Decode(l.plan.Sets(), 0, n)
	if err != nil {
		return stream.Batch[settled]{}, err
	}
	s.rows = rows
	picks, whole, shown := make([]selection.Pick, n), make([]bool, n), make([]bool, n)
	seen := map[string]int{}
	for i := range rows {
		r := &rows[i]
		r.Pos = l.spool.at.at(int(r.Pos.Record - 1))
		gate := r.Gate
		if gate == "" {
			if picks[i], err = l.plan.Of(r.Pos); err != nil {
				return stream.Batch[settled]{}, err
			}
			if p := picks[i]; p.Gate != selection.Kept {
				gate = p.Gate.String()
			}
			whole[i] = l.plan.NeedsWhole(picks[i]) || picks[i].Gate == selection.GateHoldout
		}
		seen[gate]++
		shown[i] = seen[gate] <= samplesAGate || l.result.samples.wanted[r.Pos]
		whole[i] = whole[i] || shown[i] || f.Beside()&l.plan.Sets() != 0
	}
	if err := s.fill(whole); err != nil {
		return stream.Batch[settled]{}, err
	}
	for i := range rows {
		r, before := &rows[i], rows[i].Gate
		if before == "" {
			l.plan.Finish(r, picks[i])
		}
		if shown[i] {
			s.samples = append(s.samples, sampleOf(r))
		}
		switch {
		case before != "":
		case picks[i].Gate == selection.Kept:
			s.lot.add(r, picks[i].Rank)
		case picks[i].Gate == selection.GateHoldout:
			s.held = append(s.held, *r)
			s.held[len(s.held)-1].Clear(rollout.FieldGate | rollout.FieldGates)
		}
	}
	return stream.Carry(b, []settled{s}), nil
}

// fill decodes the rows whole that must be.
func (s *settled) fill(whole []bool) error {
	for i := 0; i < len(whole); i++ {
		from := i
		for i < len(whole) && whole[i] {
			i++
		}
		if i == from {
			continue
		}
		rows, err := s.frame.Decode(rollout.AllFields, from, i)
		if err != nil {
			return err
		}
		for k := range rows {
			rows[k].Pos = s.rows[from+k].Pos
		}
		copy(s.rows[from:], rows)
	}
	return nil
}

// splice makes record batches of rows.arrow.
func splice(_ context.Context, b stream.Batch[settled]) (stream.Batch[settled], error) {
	for i := range b.Items {
		s := &b.Items[i]
		var err error
		if s.packet, err = s.frame.Splice(s.rows); err != nil {
			return b, err
		}
		s.rows = nil
		if len(s.held) == 0 { // which are written yet, and stand in the frame
			s.frame.Recycle()
		}
		s.frame = nil
	}
	return b, nil
}

func packets(_ context.Context, b stream.Batch[settled]) (stream.Batch[arrowipc.Packet], error) {
	list := make([]arrowipc.Packet, len(b.Items))
	for i := range list {
		list[i] = b.Items[i].packet
	}
	return stream.Carry(b, list), nil
}

func heldOut(_ context.Context, b stream.Batch[settled]) (stream.Batch[rollout.Row], error) {
	var rows []rollout.Row
	for i := range b.Items {
		rows = append(rows, b.Items[i].held...)
	}
	return stream.Carry(b, rows), nil
}
