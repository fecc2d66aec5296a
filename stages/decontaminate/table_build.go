package decontaminate

import (
	"cmp"
	"slices"

	"github.com/sourcegraph/conc/iter"
)

// pair is a value on its way into a table.
type pair struct {
	key   uint64
	value uint32
}

// buildTable makes a table of pairs whose keys were made with shift. It sorts
// them in place. group says of what group a value is; groups of values in order
// are in order.
func buildTable(pairs []pair, shift uint, group func(value uint32) uint32, workers int) *table {
	sortPairs(pairs, shift, workers)
	t := &table{shift: shift}
	entries, listed := 0, 0
	for from := 0; from < len(pairs); {
		to := endOfKey(pairs, from)
		entries++
		if to-from > 1 {
			listed += to - from + 2
		}
		from = to
	}
	t.dir = make([]uint32, 1<<(64-shift)+1)
	t.lows, t.refs = make([]uint32, 0, entries), make([]uint32, 0, entries)
	t.lists = make([]uint32, 0, listed)
	t.filter = make([]uint64, len(t.dir)-1)
	for from := 0; from < len(pairs); {
		to := endOfKey(pairs, from)
		t.add(pairs[from:to], group)
		from = to
	}
	for b := 1; b < len(t.dir); b++ {
		t.dir[b] += t.dir[b-1]
	}
	return t
}

func endOfKey(pairs []pair, from int) int {
	to := from + 1
	for to < len(pairs) && pairs[to].key == pairs[from].key {
		to++
	}
	return to
}

// add adds the entry of pairs of one key.
func (t *table) add(same []pair, group func(uint32) uint32) {
	key := same[0].key
	t.dir[key>>32+1]++
	t.filter[key>>32] |= filterBits(key)
	t.lows = append(t.lows, uint32(key))
	if len(same) == 1 {
		t.refs = append(t.refs, same[0].value)
		return
	}
	t.refs = append(t.refs, isList|uint32(len(t.lists)))
	groups := uint32(1)
	for i := 1; i < len(same); i++ {
		if group(same[i].value) != group(same[i-1].value) {
			groups++
		}
	}
	t.lists = append(t.lists, uint32(len(same)), groups)
	for _, p := range same {
		t.lists = append(t.lists, p.value)
	}
}

// sortPairs sorts by key and value: first into stretches by the highest bits of
// the bucket, which then are sorted side by side.
func sortPairs(pairs []pair, shift uint, workers int) {
	const parts = 256
	buckets := 64 - shift // bits
	top := 32 + buckets - min(buckets, 8)
	compare := func(a, b pair) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.value, b.value)
	}
	if len(pairs) < 4096 {
		slices.SortFunc(pairs, compare)
		return
	}
	var ends [parts + 1]int
	for i := range pairs {
		ends[pairs[i].key>>top+1]++
	}
	for p := 1; p <= parts; p++ {
		ends[p] += ends[p-1]
	}
	spread := make([]pair, len(pairs))
	next := ends
	for _, p := range pairs {
		at := &next[p.key>>top]
		spread[*at] = p
		*at++
	}
	copy(pairs, spread)
	it := iter.Iterator[int]{MaxGoroutines: workers}
	numbers := make([]int, parts)
	it.ForEachIdx(numbers, func(p int, _ *int) { slices.SortFunc(pairs[ends[p]:ends[p+1]], compare) })
}
