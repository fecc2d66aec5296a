package decontaminate

import "github.com/sourcegraph/conc/iter"

// index makes the tables.
func (b *builder) index([]Set) error {
	x := b.x
	x.link()
	hashes := make([]uint64, len(x.texts))
	for _, n := range x.config.N {
		x.grams = append(x.grams, b.gramsOf(n, hashes))
	}
	shift := bucketShift(len(x.texts))
	pairs := make([]pair, len(x.texts))
	for t, h := range hashes {
		pairs[t] = pair{keyOf(h, shift), uint32(t)}
	}
	x.wholes = buildTable(pairs, shift, func(text uint32) uint32 { return text }, b.workers)
	return nil
}

// gramsOf indexes the n-grams of one length, and gives the hashes of whole texts.
func (b *builder) gramsOf(n int, wholes []uint64) grams {
	x := b.x
	starts := make([]int, len(x.texts)+1) // of the pairs of a text
	for t := range x.texts {
		starts[t+1] = starts[t] + max(0, len(x.wordsOf(t))-n+1)
	}
	g := grams{n: n, power: power(n)}
	pairs := make([]pair, starts[len(x.texts)])
	shift := bucketShift(len(pairs))
	const run = 256 // texts at a time
	it := iter.Iterator[int]{MaxGoroutines: b.workers}
	it.ForEachIdx(make([]int, (len(x.texts)+run-1)/run), func(r int, _ *int) {
		var prefixes []uint64
		for t := r * run; t < min((r+1)*run, len(x.texts)); t++ {
			prefixes = append(prefixes[:0], 0)
			for i, id := range x.wordsOf(t) {
				prefixes = append(prefixes, prefixes[i]*polyBase+x.words.hash(id))
			}
			wholes[t] = prefixes[len(prefixes)-1]
			to := pairs[starts[t]:starts[t+1]]
			for i := range to {
				to[i] = pair{keyOf(gramHash(prefixes, i, n, g.power), shift), x.firsts[t] + uint32(i)}
			}
		}
	})
	g.table = buildTable(pairs, shift, func(token uint32) uint32 { return uint32(x.textAt(token)) }, b.workers)
	x.sift(&g)
	return g
}
