package hackscan

import (
	"cmp"
	"slices"

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
	sketch   *sketch
	dynamics dynamics
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
	f.sketch = newSketch(f.o.TermCapacity)
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
	reader.o = &f.o
	reader.read(page, rows)
	return page
}

// Add adds a page, which must not be used any more.
func (f *First) Add(p *Page) {
	f.rows += p.rows
	base := f.at.packed.n
	known := make([]*growing, len(p.names))
	next := 0 // entry
	from := uint32(0)
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
		for source, end := range p.ends[i] {
			f.sketch.add(p.terms[from:end], byte(source), p.lowered)
			from = end
		}
		f.sketch.endRow()
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
// other rows. The other must not be used any more.
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

// sealed is what the first pass has collected, in the order of positions.
type sealed struct {
	o          *Options
	rows       int
	at         *positions
	of         []uint32
	tasks      int
	reward     column
	features   []*feature
	distinct   int
	vocabulary *vocabulary
	missed     uint32
	dynamics   *Dynamics
}

// seal ends the first pass.
func (f *First) seal() *sealed {
	s := &sealed{o: &f.o, rows: f.rows, at: &f.at, of: f.of.flat(), tasks: len(f.tasks), reward: f.reward.column(), dynamics: f.dynamics.result()}
	profile := f.profile.flat()
	f.of, f.profile, f.tasks = chunked[uint32]{}, chunked[uint64]{}, nil
	slices.SortStableFunc(f.features, func(a, b *growing) int {
		return cmp.Or(a.first.Compare(b.first), cmp.Compare(a.slot, b.slot))
	})
	for _, g := range f.features {
		s.features = append(s.features, &feature{name: g.name, column: g.build.column()})
	}
	f.features, f.number = nil, nil
	if f.at.unsorted {
		profile = s.sort(profile)
	}
	s.distinct = distinctPerTask(s.of, s.tasks, profile)
	s.vocabulary, s.missed = newVocabulary(f.sketch, &f.o), f.sketch.atMost()
	f.sketch = nil
	return s
}

// sort puts the rows into the order of their positions and numbers tasks again.
func (s *sealed) sort(profile []uint64) []uint64 {
	n := s.at.packed.n
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return s.at.at(int(a)).Compare(s.at.at(int(b))) })
	place := make([]uint32, n)
	var at positions
	of, profiles := make([]uint32, n), make([]uint64, n)
	number := make([]int64, s.tasks) // plus one
	tasks := int64(0)
	for i, from := range order {
		place[from] = uint32(i)
		at.append(s.at.at(int(from)))
		if k := s.of[from]; number[k] == 0 {
			tasks++
			number[k] = tasks
		}
		of[i], profiles[i] = uint32(number[s.of[from]]-1), profile[from]
	}
	s.at, s.of = &at, of
	s.reward = reordered(s.reward, place)
	for _, f := range s.features {
		f.column = reordered(f.column, place)
	}
	return profiles
}

// reordered moves each row of a column to its place.
func reordered(c column, place []uint32) column {
	type moved struct {
		row   uint32
		value float64
	}
	var list []moved
	var rows []uint16
	var vals []float64
	for i := range c.chunks {
		rows, vals = c.chunks[i].entries(rows[:0], vals[:0])
		for j, row := range rows {
			list = append(list, moved{place[i*chunkRows+int(row)], vals[j]})
		}
	}
	slices.SortFunc(list, func(a, b moved) int { return cmp.Compare(a.row, b.row) })
	var build columnBuilder
	for _, m := range list {
		build.add(int(m.row), m.value)
	}
	return build.column()
}

// distinctPerTask is the upper median over tasks of two or more rows of how many
// different profiles a task has, 1 if there is no such task.
func distinctPerTask(of []uint32, tasks int, profile []uint64) int {
	size := make([]uint32, tasks+1)
	for _, k := range of {
		size[k+1]++
	}
	for k := range tasks {
		size[k+1] += size[k]
	}
	start := slices.Clone(size)
	byTask := make([]uint64, len(of))
	for i, k := range of {
		byTask[size[k]] = profile[i]
		size[k]++
	}
	var distinct []int
	for k := range tasks {
		own := byTask[start[k]:start[k+1]]
		if len(own) > 1 {
			slices.Sort(own)
			distinct = append(distinct, len(slices.Compact(own)))
		}
	}
	if len(distinct) == 0 {
		return 1
	}
	slices.Sort(distinct)
	return distinct[len(distinct)/2]
}
