package hackscan

import (
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

// First is the first pass over the rows of a scan: it collects rewards, tasks
// and all features but terms, and counts terms. The text of rows is not kept.
// When all rows were added, [First.Second] gives what the second pass fills.
//
// Several goroutines may Read at once; one at a time may do anything else. What
// is found does not depend on the order of pages nor on how rows are spread
// over pages, as long as rows have positions and the terms are counted exactly,
// which the report says ([TermCount]).
type First struct {
	o       Options
	readers shelf[pageReader]
	pages   shelf[Page]

	rows     int
	at       positions
	tasks    map[xxh3.Uint128]uint32
	of       chunked[uint32]
	profile  chunked[uint64]
	reward   columnBuilder
	features []*growing
	number   map[string]int
	dynamics dynamics

	sketch   *sketch
	trail    *trail // until terms are followed
	followed atomic.Pointer[followed]
	marks    *marks // of what is followed
	lookAt   uint32 // rows after which the sieve's limits are raised
	terms    termFinder
}

// growing is a feature that is being collected.
type growing struct {
	name  string
	first rollout.Pos // of the first row that has it
	slot  int         // its place in that row
	build columnBuilder
}

// NewFirst starts a scan. The error is that of [Options.Validate].
func NewFirst(o Options) (*First, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	f := &First{o: o.withDefaults(), tasks: map[xxh3.Uint128]uint32{}, number: map[string]int{}, dynamics: dynamics{}}
	f.sketch, f.trail = newSketch(f.o.TermCapacity), &trail{room: trailRoom}
	return f, nil
}

// Fields are the fields of a row that the scan reads by itself; the functions
// of [Options] may read others.
func (o Options) Fields() rollout.Fields {
	return behaviour.Fields&^rollout.FieldPrivileged | rollout.FieldReward | rollout.FieldStatus |
		rollout.FieldLogprob | rollout.FieldNTokens | rollout.FieldMarkers
}

// Read reads a batch of rows.
func (f *First) Read(rows []rollout.Row) *Page {
	reader, page := f.readers.take(), f.pages.take()
	defer f.readers.put(reader)
	reader.o, reader.followed = &f.o, f.followed.Load()
	reader.read(page, rows)
	return page
}

// Add adds a page, which must not be used any more.
func (f *First) Add(p *Page) {
	f.rows += p.rows
	base := f.at.packed.n
	known := make([]*growing, len(p.names))
	next := 0 // entry
	for i, at := range p.at {
		row := base + i
		f.at.append(at)
		f.of.append(f.taskNumber(p.tasks[i]))
		f.profile.append(p.profile[i])
		f.reward.add(row, p.rewards[i])
		if t := p.trends[i]; t.ok {
			f.dynamics.add(t.step, p.rewards[i], t.metric)
		}
		for ; next < len(p.entries) && p.entries[next].row == uint32(i); next++ {
			e := &p.entries[next]
			g := known[e.feature]
			if g == nil {
				g = f.feature(p.names[e.feature], at, p.slots[e.feature])
				known[e.feature] = g
			}
			g.build.add(row, e.value)
		}
		f.addTerms(row, &p.terms, i)
	}
	f.pages.put(p)
}

func (f *First) taskNumber(key xxh3.Uint128) uint32 {
	n, known := f.tasks[key]
	if !known {
		n = uint32(len(f.tasks))
		f.tasks[key] = n
	}
	return n
}

// feature finds the feature of a name, which a row at a position has.
func (f *First) feature(name string, at rollout.Pos, slot int) *growing {
	if i, known := f.number[name]; known {
		g := f.features[i]
		if at.Compare(g.first) < 0 {
			g.first, g.slot = at, slot
		}
		return g
	}
	g := &growing{name: name, first: at, slot: slot}
	f.number[name] = len(f.features)
	f.features = append(f.features, g)
	return g
}

// Merge adds what another first pass of the same options has collected, over
// other rows. The other must not be used any more. A second pass is needed then,
// as the two may have followed different terms.
func (f *First) Merge(o *First) {
	base := f.at.packed.n
	number := make([]uint32, len(o.tasks))
	for key, n := range o.tasks {
		number[n] = f.taskNumber(key) // tasks are numbered again by first appearance at the end
	}
	f.rows += o.rows
	for i := range o.at.packed.n {
		f.at.append(o.at.at(i))
		f.of.append(number[o.of.at(i)])
		f.profile.append(o.profile.at(i))
	}
	f.at.unsorted = f.at.unsorted || o.at.unsorted || len(o.tasks) > 0
	copyColumn(&f.reward, o.reward.column(), base)
	for _, g := range o.features {
		copyColumn(&f.feature(g.name, g.first, g.slot).build, g.build.column(), base)
	}
	f.leave()
	o.leave()
	f.sketch.merge(o.sketch)
	f.dynamics.merge(o.dynamics)
}

// copyColumn appends the entries of a column, moved down by base rows.
func copyColumn(to *columnBuilder, c column, base int) {
	var rows []uint16
	var vals []float64
	for i := range c.chunks {
		rows, vals = c.chunks[i].entries(rows[:0], vals[:0])
		for j, row := range rows {
			to.add(base+i*chunkRows+int(row), vals[j])
		}
	}
}
