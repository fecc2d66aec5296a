package hackscan

import (
	"cmp"
	"slices"
)

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
