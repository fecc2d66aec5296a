package hackscan

import (
	"cmp"
	"slices"
)

// leaders are at least n terms of a source that occur in most rows but not in
// all, if there are as many, and those that occur in all rows; most rows first,
// and without their names.
func (s *sketch) leaders(source byte, n int) (list []candidate) {
	tally := make([]int, s.rows+1) // terms by their count
	for _, x := range s.slots {
		if x.hash != 0 && s.names.source(x.name) == source {
			tally[x.count]++
		}
	}
	least := s.rows
	for ; least > 1 && n > 0; least-- {
		n -= tally[least-1]
	}
	for _, x := range s.slots {
		if x.hash != 0 && x.count >= least && s.names.source(x.name) == source {
			list = append(list, candidate{x, source, ""})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.hash, b.hash))
	})
	return list
}

// handOver leaves out terms that are counted elsewhere from now on, and those in
// fewer rows than a limit, which a sieve counts. It gives up most of its capacity.
func (s *sketch) handOver(x *termIndex, v *sieve) {
	s.shrink()
	v.holdAll(s.atMost())
	for i := range s.slots {
		t := &s.slots[i]
		if t.hash == 0 {
			continue
		}
		_, leave := x.find(t.hash)
		if limit := v.limit[s.names.source(t.name)]; !leave && limit > 0 {
			if most := t.most(); most < limit {
				v.hold(t.hash, most)
				leave = true
			} else {
				v.open(t.hash)
			}
		}
		if leave {
			*t = sketchSlot{} // what stands behind it is found again when the table is made anew
			s.used--
		}
	}
	s.sieve = v
	if s.used > s.capacity/2 {
		s.forget()
		return
	}
	s.rebuild()
}

// leading are the counts of terms that may be among those that lead, by source.
func (s *sketch) leading() (counts [sourceCount][]uint32) {
	for _, x := range s.slots {
		if x.hash == 0 || x.most() >= s.rows {
			continue
		}
		if source := s.names.source(x.name); x.count > s.sieve.limit[source] {
			counts[source] = append(counts[source], x.count)
		}
	}
	return counts
}

// takeBack counts all terms again: those that were kept away are as if they had
// been forgotten.
func (s *sketch) takeBack(terms []candidate) {
	if s.sieve != nil {
		s.missed += slices.Max(s.sieve.limit[:])
		s.sieve = nil
		for i := range s.slots {
			x := &s.slots[i]
			x.missed, x.before = x.missed+x.before, 0
		}
	}
	for _, t := range terms {
		*s.slot(t.hash) = sketchSlot{t.hash, t.count, 0, 0, 0, s.names.add(t.source, []byte(t.name))}
		if s.met != nil {
			s.mark(t.hash)
		}
		s.grow()
	}
}
