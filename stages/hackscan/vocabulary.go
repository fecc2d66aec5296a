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
	terms  []candidate
	sure   [sourceCount]bool
	hashes []uint64 // by slot; 0 is an empty one
	number []uint16
	maybe  [1 << maybeBits / 64]uint64 // a bit for the beginning of each hash
}

const maybeBits = 15

// newVocabulary takes the candidates of a sketch.
func newVocabulary(s *sketch, o *Options) *vocabulary {
	v := &vocabulary{}
	for source := range sourceCount {
		if o.Sources&sourceBit(source) != 0 {
			list, sure := s.candidates(byte(source), o.wanted(source), o.MinRows)
			v.terms = append(v.terms, list...)
			v.sure[source] = sure
		}
	}
	slots := 64
	for slots < 4*len(v.terms) {
		slots *= 2
	}
	v.hashes, v.number = make([]uint64, slots), make([]uint16, slots)
	for i, t := range v.terms {
		at := int(t.hash) & (slots - 1)
		for v.hashes[at] != 0 {
			at = (at + 1) & (slots - 1)
		}
		v.hashes[at], v.number[at] = t.hash, uint16(i)
		bit := t.hash >> (64 - maybeBits)
		v.maybe[bit>>6] |= 1 << (bit & 63)
	}
	return v
}

// wanted is how many terms of a source become features.
func (o *Options) wanted(source int) int {
	if source == 0 {
		return o.TopTerms
	}
	return o.ToolTerms
}

// find appends the numbers of those terms that it has. Of most that it does not
// have a bit tells so, without a branch. hashes is room for one of each.
func (v *vocabulary) find(dst []uint16, terms []term, hashes []uint64) []uint16 {
	n := 0
	for i := range terms {
		hash := terms[i].hash
		hashes[n] = hash
		bit := hash >> (64 - maybeBits)
		n += int(v.maybe[bit>>6] >> (bit & 63) & 1)
	}
	mask := len(v.hashes) - 1
	for _, hash := range hashes[:n] {
		for i := int(hash) & mask; v.hashes[i] != 0; i = (i + 1) & mask {
			if v.hashes[i] == hash {
				dst = append(dst, v.number[i])
				break
			}
		}
	}
	return dst
}

// settle picks the terms that become features, now that they were counted
// exactly: of each source those that occur in most rows, at least least and not
// in all n. counted are the rows of each term.
func (v *vocabulary) settle(o *Options, counted []int, missed uint32, n int) (picked []int, told []TermCount) {
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
		told = append(told, TermCount{Source: sourceWord(source), Kept: len(own), Missed: int(missed), Exact: v.sure[source]})
	}
	return picked, told
}
