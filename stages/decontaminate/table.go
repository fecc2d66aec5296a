package decontaminate

import "math/bits"

// table is an immutable multimap from 64-bit hashes to numbers below 2^31. A look
// up that finds nothing reads one word of a filter, mostly; nothing is ever
// probed. Its bytes depend on what it holds and on nothing else.
//
// A key is what tells hashes apart: the bucket of a hash and its low 32 bits,
// some fifty bits together. Hashes that share a key share an entry, so whoever
// asks verifies what the values stand for.
type table struct {
	shift  uint     // the bucket of a hash is hash >> shift
	filter []uint64 // of each bucket some bits an entry
	dir    []uint32 // the entries of bucket b are dir[b] to dir[b+1]
	lows   []uint32 // of each entry the low half of its hashes
	refs   []uint32 // of each entry its value, or with the high bit set where its list begins
	lists  []uint32 // how many values, of how many groups, the values in their order
}

const (
	isList    = 1 << 31
	maxValue  = 1<<31 - 1
	perBucket = 6 // a bucket has half as many pairs, up to as many, on average
)

// bucketShift gives the shift for so many pairs. It stays at 32 or above, so
// that a key fits 64 bits.
func bucketShift(pairs int) uint {
	return uint(64 - min(max(bits.Len(uint(pairs/perBucket)), 1), 31))
}

// keyOf joins the bucket of a hash and its low half.
func keyOf(hash uint64, shift uint) uint64 { return hash>>shift<<32 | hash&0xffffffff }

// filterBits are the bits that a hash sets in the filter of its bucket. They are
// taken of the half that is in the key.
func filterBits(hash uint64) uint64 {
	return 1<<(hash>>6&63) | 1<<(hash>>13&63) | 1<<(hash>>20&63)
}

// mayHold is false for most hashes that the table does not hold, and true for
// all that it does.
func (t *table) mayHold(hash uint64) bool {
	want := filterBits(hash)
	return t.filter[hash>>t.shift]&want == want
}

// find returns the entry of a hash, -1 when there is none.
func (t *table) find(hash uint64) int {
	b, low := hash>>t.shift, uint32(hash)
	for e := t.dir[b]; e < t.dir[b+1]; e++ {
		if t.lows[e] == low {
			return int(e)
		}
	}
	return -1
}

// values returns the values of an entry.
func (t *table) values(entry int) []uint32 {
	ref := t.refs[entry]
	if ref&isList == 0 {
		return t.refs[entry : entry+1]
	}
	at := ref &^ isList
	return t.lists[at+2 : at+2+t.lists[at]]
}

// groups is how many different groups the values of an entry are of.
func (t *table) groups(entry int) int {
	ref := t.refs[entry]
	if ref&isList == 0 {
		return 1
	}
	return int(t.lists[ref&^isList+1])
}

// len is how many entries there are.
func (t *table) len() int { return len(t.lows) }

// bytes is the memory that the table takes.
func (t *table) bytes() int {
	return 8*len(t.filter) + 4*(len(t.dir)+len(t.lows)+len(t.refs)+len(t.lists))
}
