package selection

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
)

// digest is the first half of the stable key of a text (spec of gates, section
// 1.7): it tells texts apart, and it sorts as the whole key does.
type digest struct{ hi, lo uint64 }

func (d digest) compare(e digest) int {
	switch {
	case d == e:
		return 0
	case d.hi < e.hi || d.hi == e.hi && d.lo < e.lo:
		return -1
	}
	return 1
}

// digester computes digests. It is not safe for concurrent use.
type digester struct{ buf []byte }

// of is the stable key of a text with a salt.
func (d *digester) of(text, salt string) digest {
	d.buf = append(append(append(d.buf[:0], salt...), ':'), text...)
	sum := sha256.Sum256(d.buf)
	return digest{binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])}
}

// numbers gives texts numbers as they come: 0, 1, 2, ... It knows them by their
// digests, so that a prompt that serves as a key costs no more than an id: 16
// bytes and 5 to 11 bytes of a slot in an open hash table.
type numbers struct {
	slots   []uint32 // number plus 1; 0 is free
	digests column[digest]
}

func (t *numbers) len() int { return t.digests.n }

// number gives the text of a digest its number, a new one when it has none.
func (t *numbers) number(d digest) uint32 {
	if 4*(t.len()+1) > 3*len(t.slots) {
		t.grow()
	}
	at := t.slot(d)
	if t.slots[at] == 0 {
		t.digests.append(d)
		t.slots[at] = uint32(t.len())
	}
	return t.slots[at] - 1
}

// find gives the number of a digest that may not have one.
func (t *numbers) find(d digest) (n uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	slot := t.slots[t.slot(d)]
	return slot - 1, slot > 0
}

// slot is where the number of a digest stands, or would.
func (t *numbers) slot(d digest) uint64 {
	mask := uint64(len(t.slots) - 1)
	at := d.lo & mask
	for t.slots[at] != 0 && *t.digests.at(int(t.slots[at] - 1)) != d {
		at = (at + 1) & mask
	}
	return at
}

func (t *numbers) grow() {
	t.slots = make([]uint32, max(16, 2*len(t.slots)))
	for n := range t.len() {
		t.slots[t.slot(*t.digests.at(n))] = uint32(n + 1)
	}
}

// merge gives the texts of o numbers too, and says which.
func (t *numbers) merge(o *numbers) []uint32 {
	into := make([]uint32, o.len())
	for n := range into {
		into[n] = t.number(*o.digests.at(n))
	}
	return into
}

// names gives a few texts numbers and keeps copies of them.
type names struct {
	numbers map[string]uint16
	texts   []string
}

// MaxNames is how many different fault kinds, models or values of the field of
// slices are told apart. Further ones count as one.
const MaxNames = 1 << 15

// otherName stands for all names beyond MaxNames.
const otherName = "other"

func (t *names) number(text string) uint16 {
	if n, ok := t.numbers[text]; ok {
		return n
	}
	if len(t.texts) >= MaxNames && text != otherName {
		return t.number(otherName)
	}
	return t.add(text)
}

func (t *names) add(text string) uint16 {
	if t.numbers == nil {
		t.numbers = map[string]uint16{}
	}
	n := uint16(len(t.texts))
	text = strings.Clone(text)
	t.numbers[text] = n
	t.texts = append(t.texts, text)
	return n
}

// merge gives the names of o numbers too, and says which.
func (t *names) merge(o *names) []uint16 {
	into := make([]uint16, len(o.texts))
	for n, text := range o.texts {
		into[n] = t.number(text)
	}
	return into
}
