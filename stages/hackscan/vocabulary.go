package hackscan

import (
	"cmp"
	"slices"
)

// sourceNames are what features of a source are called by, before the term.
var sourceNames = [...]string{"contains:", "result:", "argument:"}

const sourceCount = len(sourceNames)

// of is the set of one source.
func sourceBit(source int) Sources { return 1 << source }

// word names the source in reports.
func sourceWord(source int) string { return [...]string{"replies", "results", "arguments"}[source] }

// vocabulary is the terms that the second pass looks for, the candidates of
// every source, and finds their numbers by their hashes.
type vocabulary struct {
	*termIndex
	terms  []candidate
	sure   [sourceCount]bool
	absent [sourceCount]uint32 // rows that another term may be in
}

// newVocabulary takes the candidates of a sketch and of terms that were followed
// beside it.
func newVocabulary(s *sketch, followed []candidate, o *Options) *vocabulary {
	v := &vocabulary{}
	for source := range sourceCount {
		if o.Sources&sourceBit(source) != 0 {
			list, sure := s.candidates(followed, byte(source), o.wanted(source), o.MinRows)
			v.terms = append(v.terms, list...)
			v.sure[source], v.absent[source] = sure, s.absent(byte(source))
		}
	}
	v.termIndex = newTermIndex(v.terms)
	return v
}

// wanted is how many terms of a source become features.
func (o *Options) wanted(source int) int {
	if source == 0 {
		return o.TopTerms
	}
	return o.ToolTerms
}

// appendFound appends the numbers of those terms that it has. hashes is room
// for one of each.
func (v *vocabulary) appendFound(dst []uint16, terms []term, hashes []uint64) []uint16 {
	n := 0
	for i := range terms {
		hashes[n] = terms[i].hash
		n += v.maybe.has(terms[i].hash)
	}
	for _, hash := range hashes[:n] {
		if number, ok := v.find(hash); ok {
			dst = append(dst, uint16(number))
		}
	}
	return dst
}

// settle picks the terms that become features, now that they were counted
// exactly: of each source those that occur in most rows, at least least and not
// in all n. counted are the rows of each term.
func (v *vocabulary) settle(o *Options, counted []int, n int) (picked []int, told []TermCount) {
	for source := range sourceCount {
		if o.Sources&sourceBit(source) == 0 {
			continue
		}
		var own []int
		for i, t := range v.terms {
			if int(t.source) == source && counted[i] >= o.MinRows && counted[i] < n {
				own = append(own, i)
			}
		}
		slices.SortFunc(own, func(a, b int) int {
			return cmp.Or(cmp.Compare(counted[b], counted[a]), cmp.Compare(v.terms[a].name, v.terms[b].name))
		})
		own = own[:min(len(own), o.wanted(source))]
		picked = append(picked, own...)
		told = append(told, TermCount{Source: sourceWord(source), Kept: len(own), Missed: int(v.absent[source]), Exact: v.sure[source]})
	}
	return picked, told
}
