package hackscan

import "slices"

// sketch counts in how many rows a term occurs, in bounded memory: lossy
// counting (Manku and Motwani 2002). When it is full after a row, the rarest
// terms are forgotten, and missed is raised to the count that a forgotten term
// may have had. A term that is there occurs in count to count + missed rows,
// where missed is what had been forgotten when it came; one that is not occurs
// in at most s.missed + 1. What a sketch holds depends on the order of rows
// alone.
//
// Most pairs of words occur once. So when something was forgotten, a term is
// only marked when it is met, in one bit, and counted when it is met again: for
// most terms the table is not touched.
type sketch struct {
	capacity int // entries from which on terms are forgotten
	used     int
	missed   uint32
	rows     uint32 // rows counted
	small    bool   // the capacity was cut, see manyRows
	sieve    *sieve // nil before the terms that lead are handed over

	slots []sketchSlot
	names names
	met   []uint64 // bits of the hashes that are there or were met since terms were last forgotten; nil before

	again []term // what add works in
	ahead uint64 // of places that were asked for, so that they are

	spare struct { // what forget works in
		slots []sketchSlot
		names names
	}
}

// sketchSlot is what is known of a term.
type sketchSlot struct {
	hash   uint64 // 0 in an empty slot
	count  uint32
	missed uint32 // rows in which it may have been forgotten
	before uint32 // rows in which a sieve may have held it back
	last   uint32 // the row that counted it last, from 1 on
	name   uint32 // where a piece of text that holds it stands in names
}

// most is in how many rows the term may be.
func (x *sketchSlot) most() uint32 { return x.count + x.missed + x.before }

const metBits = 21

// From manyRows rows on, or when the terms that lead are counted elsewhere, a
// sketch holds a smaller share of what it may: terms that matter then occur in
// hundreds of rows, and a table that stays in the cache is several times as fast.
const (
	manyRows   = 1 << 12
	smallShare = 8
)

func newSketch(capacity int) *sketch {
	return &sketch{capacity: capacity, slots: make([]sketchSlot, 1<<8)}
}

// slot is where a hash stands, or would stand.
func (s *sketch) slot(hash uint64) *sketchSlot {
	mask := len(s.slots) - 1
	i := int(hash) & mask
	for s.slots[i].hash != hash && s.slots[i].hash != 0 {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

// add counts the terms of a row, one of them once however often it is met.
// lowered is the text that they stand in. The table is larger than the first cache: places in it
// are asked for, one behind the other, before the first is needed.
func (s *sketch) add(terms []term, source byte, lowered []byte) {
	sieved := s.sieves(source)
	if sieved {
		terms = s.sieve.pass(terms, source)
	}
	if s.met != nil {
		terms = s.metBefore(terms)
	}
	ahead, mask := uint64(0), len(s.slots)-1
	for i := range terms {
		ahead ^= s.slots[int(terms[i].hash)&mask].hash
	}
	s.ahead = ahead
	row, missed, before := s.rows+1, s.atMost(), uint32(0)
	for _, t := range terms {
		at := s.slot(t.hash)
		if at.hash != 0 {
			if at.last != row {
				at.last = row
				at.count++
			}
			continue
		}
		if sieved {
			before = s.sieve.missed(t.hash, source)
		}
		*at = sketchSlot{t.hash, 1, missed, before, row, s.names.add(source, lowered[t.start:t.end])}
		s.grow()
	}
}

// metBefore marks terms as met and returns those that were met before. The
// others are not there, else they were marked: no need to look.
func (s *sketch) metBefore(terms []term) []term {
	if len(s.again) < len(terms) {
		s.again = make([]term, 2*len(terms))
	}
	again, n := s.again[:len(terms)], 0
	for _, t := range terms {
		again[n] = t
		if !s.mark(t.hash) {
			n++
		}
	}
	return again[:n]
}

// mark marks a hash as met, and reports whether it is for the first time.
func (s *sketch) mark(hash uint64) (first bool) {
	bit := hash >> (64 - metBits)
	word, mask := &s.met[bit>>6], uint64(1)<<(bit&63)
	first = *word&mask == 0
	*word |= mask
	return first
}

// endRow is told after each row.
func (s *sketch) endRow() {
	s.rows++
	if s.used > s.capacity {
		s.forget()
	}
}

// grow counts an entry more and makes room for the next.
func (s *sketch) grow() {
	if s.used++; s.used*4 <= len(s.slots)*3 {
		return
	}
	slots := s.slots
	s.slots = make([]sketchSlot, 2*len(slots))
	for _, x := range slots {
		if x.hash != 0 {
			*s.slot(x.hash) = x
		}
	}
}

// forget leaves out the rarest terms, so many that at most half of the capacity
// stays.
func (s *sketch) forget() {
	if s.met == nil {
		s.met = make([]uint64, 1<<metBits/64)
	} else {
		clear(s.met)
		s.missed++
	}
	if s.rows >= manyRows {
		s.shrink()
	}
	s.missed = max(s.missed, s.bound(s.capacity/2))
	s.rebuild()
}

// shrink lets the sketch hold a smaller share of what it may.
func (s *sketch) shrink() {
	if !s.small {
		s.small = true
		s.capacity = max(1, s.capacity/smallShare)
	}
}

// rebuild leaves out the terms that were not met in more rows than may have been
// missed.
func (s *sketch) rebuild() {
	slots, names := s.spare.slots[:0], s.spare.names
	names.clear()
	for _, x := range s.slots {
		if x.hash == 0 || x.count+x.missed <= s.missed {
			continue
		}
		x.name = names.add(s.names.at(x.name))
		slots = append(slots, x)
	}
	s.names, s.spare.names = names, s.names
	s.spare.slots = slots
	room := len(s.slots)
	for room > 4*len(slots) && room > 1<<8 {
		room /= 2
	}
	if room < len(s.slots) {
		s.slots = make([]sketchSlot, room)
	}
	clear(s.slots)
	for _, x := range slots {
		*s.slot(x.hash) = x
		if s.met != nil {
			s.mark(x.hash)
		}
	}
	s.used = len(slots)
}

// bound is a count that at most n terms may exceed.
func (s *sketch) bound(n int) uint32 {
	var terms [1 << 12]int // by what they may count at most
	last := uint32(len(terms) - 1)
	for _, x := range s.slots {
		if x.hash != 0 {
			terms[min(last, x.count+x.missed)]++
		}
	}
	above := 0
	for at := last; ; at-- {
		if above += terms[at]; above > n && at < last {
			return at
		}
		if above > n {
			break
		}
	}
	var high []uint32
	for _, x := range s.slots {
		if most := x.count + x.missed; x.hash != 0 && most >= last {
			high = append(high, most)
		}
	}
	slices.Sort(high)
	return high[len(high)-1-n]
}

// sieves reports whether rare terms of a source are kept away.
func (s *sketch) sieves(source byte) bool { return s.sieve != nil && s.sieve.limit[source] > 0 }

// absent is in how many rows a term of a source may occur that is not there.
func (s *sketch) absent(source byte) uint32 {
	if s.sieves(source) {
		return s.atMost() + s.sieve.limit[source]
	}
	return s.atMost()
}

// atMost is the same of terms that are let through.
func (s *sketch) atMost() uint32 {
	if s.met != nil {
		return s.missed + 1
	}
	return s.missed
}

// merge adds what another sketch has counted. A term that one of them does not
// hold may have been forgotten there.
func (s *sketch) merge(o *sketch) {
	absent, there := s.atMost(), o.atMost()
	for i := range s.slots {
		if x := &s.slots[i]; x.hash != 0 && o.slot(x.hash).hash == 0 {
			x.missed += there
		}
	}
	for _, x := range o.slots {
		if x.hash == 0 {
			continue
		}
		if at := s.slot(x.hash); at.hash != 0 {
			at.count += x.count
			at.missed += x.missed
		} else {
			source, piece := o.names.at(x.name)
			*at = sketchSlot{x.hash, x.count, x.missed + absent, 0, 0, s.names.add(source, piece)}
			s.grow()
		}
	}
	s.missed = absent + there
	if o.met != nil && s.met == nil {
		s.met = make([]uint64, 1<<metBits/64)
	}
	if s.met != nil {
		for _, x := range s.slots {
			if x.hash != 0 {
				s.mark(x.hash)
			}
		}
	}
	s.rows += o.rows
	if s.used > s.capacity {
		s.forget()
	}
}
