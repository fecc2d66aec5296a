package selection

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// ErrInputChanged says that a row of the second pass was not there in the first.
var ErrInputChanged = errors.New("selection: the rows are not those that were planned")

// NothingKeptError says that rows came in and none was kept.
type NothingKeptError struct {
	In      int
	Gate    Gate  // took the last rows
	Dropped Tally // what each gate took
}

func (e *NothingKeptError) Error() string {
	return fmt.Sprintf("selection: nothing is left of %d rows: %s took the last %d", e.In, e.Gate, e.Dropped[e.Gate])
}

// Plan says which rows are kept, and in which order. It is made of sketches, in
// a first pass over the rows, and says in a second one what to do with each. It
// holds 1 byte a row and 8 bytes a kept row beside the sketches, and is safe for
// concurrent use when it is made.
type Plan struct {
	a      *Accumulator
	gates  []Gate
	order  []uint32 // of the kept rows, the order in which they are written
	ranks  []uint32 // of the kept rows in their own order, the place in order
	starts []uint32 // kept rows before each block of rows
	scores []score  // of each task as it came in, in mode RL

	report Report
}

// Report says what a selection kept and why it dropped the rest.
type Report struct {
	Mode     Mode            `json:"mode"`
	In       int             `json:"in"`
	Kept     int             `json:"kept"`
	Dropped  Tally           `json:"dropped"` // rows by gate; In = Kept + all of these
	By       *SliceReport    `json:"by,omitzero"`
	RL       *RLReport       `json:"rl,omitzero"`
	SFT      *SFTReport      `json:"sft,omitzero"`
	Pairs    *PairReport     `json:"pairs,omitzero"`
	Findings []stats.Finding `json:"findings"` // slices that starved
}

// Plan selects from the rows that were read. The accumulator must not be used
// any more. A million rows take about a second, and the context is asked between
// the steps of it.
func (a *Accumulator) Plan(ctx context.Context) (*Plan, error) {
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	a.settle()
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	p := &Plan{a: a, gates: make([]Gate, a.at.n)}
	p.report = Report{Mode: a.o.Mode, In: a.at.n, Findings: []stats.Finding{}}
	switch a.o.Mode {
	case RL:
		if err := p.planRL(ctx); err != nil {
			return nil, err
		}
	case SFT:
		s := sampling{o: a.o, rows: &a.sft, gates: p.gates}
		p.order = s.run(a.prompt.len())
		s.out.Leaks = leakReport(&a.leaks, s.out.Leaks.Checked, s.out.LeaksDropped)
		p.report.SFT = &s.out
	default:
		s := pairing{o: a.o.Pairs, target: a.o.Target, rows: &a.pairs, gates: p.gates}
		p.order = s.run(a.prompt.len())
		p.report.Pairs = &s.out
	}
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	return p, p.finish()
}

func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("selection: plan: %w", err)
	}
	return nil
}

// finish counts what ended where.
func (p *Plan) finish() error {
	r := &p.report
	for _, g := range p.gates {
		r.Dropped[g]++
	}
	r.Kept = r.Dropped[Kept]
	r.By = p.slicesOf()
	r.Findings = append(r.Findings, r.By.starved()...)
	p.rank()
	if r.Kept != len(p.order) || r.In != r.Dropped.In() {
		return fmt.Errorf("selection: rows were lost: in %d, by gates %d, kept %d, ordered %d", r.In, r.Dropped.In(), r.Kept, len(p.order))
	}
	return nil
}

// Err is a *NothingKeptError where rows came in and none was kept.
func (p *Plan) Err() error {
	if r := &p.report; r.In > 0 && r.Kept == 0 {
		return &NothingKeptError{r.In, r.Dropped.last(), r.Dropped}
	}
	return nil
}

// Report says what was selected.
func (p *Plan) Report() *Report { return &p.report }

// Kept is how many rows are kept.
func (p *Plan) Kept() int { return len(p.order) }

// Pick is what a plan says of a row.
type Pick struct {
	Gate Gate // Kept, or where it ended
	Rank int  // its place in the output, of one that is kept
	row  int
}

// rankBlock is how many rows share a start in starts.
const rankBlock = 64

// rank turns the order around.
func (p *Plan) rank() {
	place := make([]uint32, len(p.gates)) // of each kept row in the order
	for rank, i := range p.order {
		place[i] = uint32(rank)
	}
	p.ranks = make([]uint32, 0, len(p.order))
	for i, g := range p.gates {
		if i%rankBlock == 0 {
			p.starts = append(p.starts, uint32(len(p.ranks)))
		}
		if g == Kept {
			p.ranks = append(p.ranks, place[i])
		}
	}
}

// Of says what becomes of the row at a position. The error is [ErrInputChanged]
// for a row that was not read.
func (p *Plan) Of(at rollout.Pos) (Pick, error) {
	i, ok := p.a.at.find(at)
	if !ok {
		return Pick{}, fmt.Errorf("%w: there is a new row at %v", ErrInputChanged, at)
	}
	return p.pick(i), nil
}

func (p *Plan) pick(i int) Pick {
	pick := Pick{Gate: p.gates[i], Rank: -1, row: i}
	if pick.Gate != Kept {
		return pick
	}
	nth := p.starts[i/rankBlock]
	for j := i - i%rankBlock; j < i; j++ {
		if p.gates[j] == Kept {
			nth++
		}
	}
	pick.Rank = int(p.ranks[nth])
	return pick
}

// head is the head of the sketch of a row.
func (a *Accumulator) head(i int) *head {
	switch a.o.Mode {
	case RL:
		return &a.rl.at(i).head
	case SFT:
		return &a.sft.at(i).head
	}
	return &a.pairs.at(i).head
}
