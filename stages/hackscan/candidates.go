package hackscan

import (
	"cmp"
	"slices"
)

// candidate is a term that may become a feature.
type candidate struct {
	sketchSlot
	source byte
	name   string
}

// candidates are the terms of a source that may be among the n that occur in
// most rows, at least least and not all of them. followed are terms that the
// sketch does not count. sure says that none is missing: their counts are exact,
// or a few more than n stay in the contest, which the second pass decides.
func (s *sketch) candidates(followed []candidate, source byte, n, least int) (list []candidate, sure bool) {
	bounds := []uint32{} // counts of terms that are surely in the contest
	consider := func(c candidate) {
		if int(c.most()) < least || c.count >= s.rows {
			return
		}
		list = append(list, c)
		if int(c.count) >= least && c.most() < s.rows {
			bounds = append(bounds, c.count)
		}
	}
	for _, c := range followed {
		if c.source == source {
			consider(c)
		}
	}
	for _, x := range s.slots {
		if x.hash != 0 && s.names.source(x.name) == source {
			consider(candidate{x, source, ""})
		}
	}
	need := uint32(least)
	if len(bounds) >= n && n > 0 {
		slices.Sort(bounds)
		need = max(need, bounds[len(bounds)-n])
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return c.most() < need })
	s.nameAll(list)
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.most(), a.most()), cmp.Compare(a.name, b.name))
	})
	most := n
	if slices.ContainsFunc(list, func(c candidate) bool { return c.most() > c.count }) {
		most += max(16, n/4)
	}
	sure = s.absent(source) < need && (len(list) <= most || most == n)
	return list[:min(len(list), most)], sure
}

// nameAll names those that have no name yet.
func (s *sketch) nameAll(list []candidate) {
	for i := range list {
		if c := &list[i]; c.name == "" {
			_, piece := s.names.at(c.sketchSlot.name)
			c.name = string(termText(nil, piece))
		}
	}
}
