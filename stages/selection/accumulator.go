package selection

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// Accumulator reads rows into sketches, from which [Accumulator.Plan] selects.
// It holds 32 bytes a row, 40 in mode SFT, and 22 to 27 bytes a task and a
// prompt; no text of a row is kept. Accumulators of workers or shards merge, and
// what is selected does not depend on how rows are spread over them, nor on the
// order in which they come: positions order them. It is not safe for concurrent
// use.
type Accumulator struct {
	o      Options
	at     places
	tasks  numbers // task keys, in mode RL
	prompt numbers // prompts: as they are in mode RL, normalised in the others
	faults names
	models names
	slices names
	leaks  behaviour.Leaks

	rl    column[rlSketch]
	sft   column[sftSketch]
	pairs column[pairSketch]

	read reader
}

// New returns an accumulator that has read nothing. The error says which option
// is wrong.
func New(o Options) (*Accumulator, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return newAccumulator(o), nil
}

func newAccumulator(o Options) *Accumulator {
	a := &Accumulator{o: o}
	a.faults.number(noFault)
	return a
}

// Fresh returns an accumulator of the same options that has read nothing, to be
// merged.
func (a *Accumulator) Fresh() *Accumulator { return newAccumulator(a.o) }

// Rows is how many rows were read.
func (a *Accumulator) Rows() int { return a.at.n }

// Add reads rows, of which each should have a position of its own.
func (a *Accumulator) Add(rows []rollout.Row) {
	for i := range rows {
		a.add(&rows[i], rows[i].Pos)
	}
	a.read.forget()
}

func (a *Accumulator) add(r *rollout.Row, at rollout.Pos) {
	a.at.append(at)
	a.read.begin(r)
	var h head
	if a.o.By != nil {
		if label := a.o.By(r); label != "" {
			h.slice = a.slices.number(label) + 1
		}
	}
	if held(a.o, r.TaskKey(), at) {
		h.marks |= markHeld
	}
	switch a.o.Mode {
	case RL:
		a.rl.append(a.readRL(h, r))
	case SFT:
		a.sft.append(a.readSFT(h, r))
	default:
		a.pairs.append(a.readPair(h, r))
	}
}

// Merge adds what another accumulator of the same options has read. The other
// must not be used any more.
func (a *Accumulator) Merge(o *Accumulator) {
	tasks, prompts := a.tasks.merge(&o.tasks), a.prompt.merge(&o.prompt)
	faults, models, slices := a.faults.merge(&o.faults), a.models.merge(&o.models), a.slices.merge(&o.slices)
	settle := func(h *head) {
		h.prompt = prompts[h.prompt]
		if h.slice > 0 {
			h.slice = slices[h.slice-1] + 1
		}
	}
	a.at.merge(&o.at)
	a.leaks.Merge(&o.leaks)
	for i := range o.rl.n {
		s := *o.rl.at(i)
		settle(&s.head)
		s.task, s.fault = tasks[s.task], faults[s.fault]
		a.rl.append(s)
	}
	for i := range o.sft.n {
		s := *o.sft.at(i)
		settle(&s.head)
		a.sft.append(s)
	}
	for i := range o.pairs.n {
		s := *o.pairs.at(i)
		settle(&s.head)
		if s.model > 0 {
			s.model = models[s.model-1] + 1
		}
		a.pairs.append(s)
	}
}

// settle brings the rows into the order of their positions, and with them what
// is numbered as it was first seen. Rows that came in order, as they do from a
// flow, stay as they are.
func (a *Accumulator) settle() {
	if !a.at.out {
		return
	}
	order := a.at.order()
	tasks, prompts := newRenumber(&a.tasks), newRenumber(&a.prompt)
	a.rl = reorder(&a.rl, order, func(s *rlSketch) { s.task, s.prompt = tasks.of(s.task), prompts.of(s.prompt) })
	a.sft = reorder(&a.sft, order, func(s *sftSketch) { s.prompt = prompts.of(s.prompt) })
	a.pairs = reorder(&a.pairs, order, func(s *pairSketch) { s.prompt = prompts.of(s.prompt) })
	a.tasks, a.prompt = tasks.to, prompts.to
	a.at = a.at.sorted(order)
}

// reorder lists a column in another order; settle mends each element.
func reorder[T any](c *column[T], order []uint32, settle func(*T)) (out column[T]) {
	if c.n == 0 {
		return out
	}
	for _, i := range order {
		x := *c.at(int(i))
		settle(&x)
		out.append(x)
	}
	return out
}

// renumber numbers what is numbered anew, as it comes.
type renumber struct {
	from *numbers
	to   numbers
}

func newRenumber(from *numbers) *renumber { return &renumber{from: from} }

func (r *renumber) of(n uint32) uint32 { return r.to.number(*r.from.digests.at(int(n))) }
