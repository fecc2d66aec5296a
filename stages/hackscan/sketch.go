package hackscan

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// sketch counts in how many rows a term occurs, in bounded memory: lossy
// counting (Manku and Motwani 2002). When it is full after a row, the rarest
// terms are forgotten, and missed is raised to the count that a forgotten term
// may have had. A term that is there occurs in count to count + missed rows,
// where missed is what had been forgotten when it came; one that is not occurs
// in at most s.missed. What a sketch holds depends on the order of rows alone.
type sketch struct {
	capacity int // entries from which on terms are forgotten
	used     int
	missed   uint32
	rows     uint32 // rows counted

	hashes []uint64 // by slot; 0 is an empty one
	counts []sketchCount
	names  []byte // texts of the terms, each behind its source and length

	spare struct { // what forget works in
		hashes []uint64
		counts []sketchCount
		names  []byte
	}
}

type sketchCount struct {
	count  uint32
	missed uint32
	name   uint32 // where the text stands in names
}

func newSketch(capacity int) *sketch {
	s := &sketch{capacity: capacity}
	s.resize(1 << 8)
	return s
}

func (s *sketch) resize(slots int) {
	s.hashes, s.counts = make([]uint64, slots), make([]sketchCount, slots)
	s.used = 0
}

// slot is where a hash stands, or would stand.
func (s *sketch) slot(hash uint64) int {
	mask := len(s.hashes) - 1
	i := int(hash) & mask
	for s.hashes[i] != hash && s.hashes[i] != 0 {
		i = (i + 1) & mask
	}
	return i
}

// add counts the terms of a row, each of which it holds once. lowered is the
// text that they stand in.
func (s *sketch) add(terms []term, source byte, lowered []byte) {
	for _, t := range terms {
		i := s.slot(t.hash)
		if s.hashes[i] != 0 {
			s.counts[i].count++
			continue
		}
		s.put(i, t.hash, sketchCount{1, s.missed, s.name(source, lowered[t.start:t.end])})
	}
}

// endRow is told after each row.
func (s *sketch) endRow() {
	s.rows++
	if s.used > s.capacity {
		s.forget()
	}
}

// put fills an empty slot.
func (s *sketch) put(i int, hash uint64, c sketchCount) {
	s.hashes[i], s.counts[i] = hash, c
	s.used++
	if s.used*4 > len(s.hashes)*3 {
		hashes, counts := s.hashes, s.counts
		s.resize(2 * len(hashes))
		for j, h := range hashes {
			if h != 0 {
				at := s.slot(h)
				s.hashes[at], s.counts[at] = h, counts[j]
				s.used++
			}
		}
	}
}

// maxName bounds the text of a term that is kept; digits may run long.
const maxName = 200

// name keeps the text of a term: its source, the length and the bytes.
func (s *sketch) name(source byte, piece []byte) uint32 {
	at := len(s.names)
	s.names = termText(append(s.names, source, 0), piece)
	for len(s.names)-at-2 > maxName {
		_, size := utf8.DecodeLastRune(s.names)
		s.names = s.names[:len(s.names)-size]
	}
	s.names[at+1] = byte(len(s.names) - at - 2)
	return uint32(at)
}

func (s *sketch) text(at uint32) (source byte, name string) {
	n := uint32(s.names[at+1])
	return s.names[at], string(s.names[at+2 : at+2+n])
}

// forget leaves out the rarest terms, so many that at most half of the capacity
// stays.
func (s *sketch) forget() {
	s.missed = max(s.missed, s.bound(s.capacity/2))
	hashes, counts := s.spare.hashes[:0], s.spare.counts[:0]
	names := s.spare.names[:0]
	for i, h := range s.hashes {
		c := s.counts[i]
		if h == 0 || c.count+c.missed <= s.missed {
			continue
		}
		kept := s.names[c.name : c.name+2+uint32(s.names[c.name+1])]
		c.name = uint32(len(names))
		names = append(names, kept...)
		hashes, counts = append(hashes, h), append(counts, c)
	}
	s.names, s.spare.names = names, s.names
	s.spare.hashes, s.spare.counts = hashes, counts
	clear(s.hashes)
	for j, h := range hashes {
		at := s.slot(h)
		s.hashes[at], s.counts[at] = h, counts[j]
	}
	s.used = len(hashes)
}

// bound is a count that at most n terms may exceed.
func (s *sketch) bound(n int) uint32 {
	var below [1 << 12]int // terms by what they may count at most
	last := uint32(len(below) - 1)
	for i, h := range s.hashes {
		if h != 0 {
			below[min(last, s.counts[i].count+s.counts[i].missed)]++
		}
	}
	above := 0
	for at := last; ; at-- {
		if above += below[at]; above > n && at < last {
			return at
		}
		if above > n {
			break
		}
	}
	var high []uint32
	for i, h := range s.hashes {
		if most := s.counts[i].count + s.counts[i].missed; h != 0 && most >= last {
			high = append(high, most)
		}
	}
	slices.Sort(high)
	return high[len(high)-1-n]
}

// merge adds what another sketch has counted. A term that one of them does not
// hold may have been forgotten there.
func (s *sketch) merge(o *sketch) {
	missed := s.missed
	for i, h := range s.hashes {
		if h != 0 && o.hashes[o.slot(h)] == 0 {
			s.counts[i].missed += o.missed
		}
	}
	for j, h := range o.hashes {
		if h == 0 {
			continue
		}
		c := o.counts[j]
		if i := s.slot(h); s.hashes[i] != 0 {
			s.counts[i].count += c.count
			s.counts[i].missed += c.missed
		} else {
			source, name := o.text(c.name)
			at := len(s.names)
			s.names = append(append(s.names, source, byte(len(name))), name...)
			s.put(i, h, sketchCount{c.count, c.missed + missed, uint32(at)})
		}
	}
	s.missed += o.missed
	s.rows += o.rows
	if s.used > s.capacity {
		s.forget()
	}
}

// candidate is a term that may become a feature.
type candidate struct {
	hash   uint64
	source byte
	name   string
	sketchCount
}

// candidates are the terms of a source that may be among the n that occur in
// most rows, at least least and not all of them. sure says that none is missing:
// their counts are exact, or a few more than n stay in the contest, which the
// second pass decides.
func (s *sketch) candidates(source byte, n, least int) (list []candidate, sure bool) {
	bounds := []uint32{} // counts of terms that are surely in the contest
	for i, h := range s.hashes {
		c := s.counts[i]
		if h == 0 || int(c.count+c.missed) < least || c.count >= s.rows || s.names[c.name] != source {
			continue
		}
		_, name := s.text(c.name)
		list = append(list, candidate{h, source, name, c})
		if int(c.count) >= least && c.count+c.missed < s.rows {
			bounds = append(bounds, c.count)
		}
	}
	need := uint32(least)
	if len(bounds) >= n && n > 0 {
		slices.Sort(bounds)
		need = max(need, bounds[len(bounds)-n])
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return c.count+c.missed < need })
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.count+b.missed, a.count+a.missed), cmp.Compare(a.name, b.name))
	})
	most := n
	if slices.ContainsFunc(list, func(c candidate) bool { return c.missed > 0 }) {
		most += max(16, n/4)
	}
	sure = s.missed < need && (len(list) <= most || most == n)
	return list[:min(len(list), most)], sure
}
