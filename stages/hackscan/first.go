package hackscan

import (
	"cmp"
	"slices"
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

// addTerms counts the terms of a row, the i-th of a page.
func (f *First) addTerms(row int, p *pageTerms, i int) {
	if f.o.Sources == 0 {
		return
	}
	followed := f.followed.Load()
	if p.followed != followed {
		p.follow(followed, i, &f.terms)
	}
	if followed != nil {
		f.marks.add(row, p.marksOf(i))
	}
	for source := range sourceCount {
		terms := p.othersOf(i, source)
		f.sketch.add(terms, byte(source), p.lowered)
		if f.trail != nil {
			f.trail.add(terms)
		}
	}
	f.sketch.endRow()
	switch {
	case f.trail != nil && f.trail.endRow():
		f.follow()
	case followed != nil && f.sketch.rows >= f.lookAt:
		f.look()
	}
}

// follow begins to follow the terms that lead.
func (f *First) follow() {
	terms, last := f.sketch.lead(&f.o)
	followed := newFollowed(terms)
	f.marks = f.trail.marks(followed)
	v := newSieve(f.o.TopTerms + 2*f.o.ToolTerms)
	for source, rows := range last {
		v.limit[source] = rows / limitShare
	}
	f.sketch.handOver(followed.termIndex, v)
	f.trail = nil
	f.followed.Store(followed)
	f.lookAgain()
}

// look raises the limits of the sieve, as the terms that lead are in more rows.
func (f *First) look() {
	leading := f.sketch.leading()
	counts := f.marks.counts()
	for i, t := range f.followed.Load().terms {
		if counts[i] < int(f.sketch.rows) {
			leading[t.source] = append(leading[t.source], uint32(counts[i]))
		}
	}
	for source, counts := range leading {
		if n := f.o.wanted(source); n > 0 && len(counts) >= n {
			slices.Sort(counts)
			f.sketch.sieve.raise(source, counts[len(counts)-n]/limitShare)
		}
	}
	f.lookAgain()
}

// lookAgain says when the limits are raised next: a dozen times until there are
// twice as many rows.
func (f *First) lookAgain() { f.lookAt = f.sketch.rows + f.sketch.rows/16 + 1 }

// leave follows no terms any more: the sketch counts all of them.
func (f *First) leave() {
	f.trail = nil
	f.sketch.takeBack(f.counted())
	f.marks = nil
	f.followed.Store(nil)
}

// counted are the terms that are followed, with their rows.
func (f *First) counted() []candidate {
	if f.marks == nil {
		return nil
	}
	terms := slices.Clone(f.followed.Load().terms)
	for i, n := range f.marks.counts() {
		terms[i].count, terms[i].missed, terms[i].before = uint32(n), 0, 0
	}
	return terms
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
	columns    []column // of the vocabulary, unless a second pass makes them
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
	f.sealTerms(s)
	if f.at.unsorted {
		profile = s.sort(profile)
	}
	s.distinct = distinctPerTask(s.of, s.tasks, profile)
	return s
}

// sealTerms finds the candidates, and their columns if all of them were followed
// or all rows are in the trail.
func (f *First) sealTerms(s *sealed) {
	s.vocabulary = newVocabulary(f.sketch, f.counted(), &f.o)
	f.sketch = nil
	followed := f.followed.Load()
	if f.trail != nil {
		followed = newFollowed(s.vocabulary.terms)
		f.marks = f.trail.marks(followed)
	}
	if f.marks != nil {
		s.columns = f.marks.of(s.vocabulary.terms, followed)
	}
	f.trail, f.marks = nil, nil
	f.followed.Store(nil)
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
	for i, c := range s.columns {
		s.columns[i] = reordered(c, place)
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
