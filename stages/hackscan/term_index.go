package hackscan

// termIndex numbers terms by their hashes.
type termIndex struct {
	hashes  []uint64 // by slot; 0 is an empty one
	numbers []uint32
	maybe   maybeSet
}

func newTermIndex(terms []candidate) *termIndex {
	slots := 64
	for slots < 4*len(terms) {
		slots *= 2
	}
	x := &termIndex{hashes: make([]uint64, slots), numbers: make([]uint32, slots)}
	for i, t := range terms {
		at := int(t.hash) & (slots - 1)
		for x.hashes[at] != 0 {
			at = (at + 1) & (slots - 1)
		}
		x.hashes[at], x.numbers[at] = t.hash, uint32(i)
		x.maybe.add(t.hash)
	}
	return x
}

// find is the number of a term.
func (x *termIndex) find(hash uint64) (number uint32, ok bool) {
	mask := len(x.hashes) - 1
	for i := int(hash) & mask; x.hashes[i] != 0; i = (i + 1) & mask {
		if x.hashes[i] == hash {
			return x.numbers[i], true
		}
	}
	return 0, false
}

// maybeSet has a bit for the beginning of each hash: of most that are not there
// it tells so.
type maybeSet [1 << maybeBits / 64]uint64

const maybeBits = 15

func (m *maybeSet) add(hash uint64) {
	bit := hash >> (64 - maybeBits)
	m[bit>>6] |= 1 << (bit & 63)
}

// has is 1 if the hash may be there, else 0, so that no branch is needed.
func (m *maybeSet) has(hash uint64) int {
	bit := hash >> (64 - maybeBits)
	return int(m[bit>>6] >> (bit & 63) & 1)
}
