package hackscan

// sieve keeps from a sketch the terms that are too rare to lead. It counts each
// term in two of its cells, which other terms may share, so that a term is in no
// more rows than either of them says (the count-min sketch of Cormode and
// Muthukrishnan 2005). A term is let through when both reach the limit, and ever
// after; what it may have missed until then is known.
type sieve struct {
	cells [2][]uint32 // twice the count, and 1 if terms that count there are let through
	limit [sourceCount]uint32

	through []term // what pass works in
}

const (
	minCells     = 1 << 14
	cellsPerTerm = 128 // that is wanted: most cells stay far below the limit
	limitShare   = 8   // the last term that leads is in so many times more rows than the limit
)

func newSieve(wanted int) *sieve {
	n := minCells
	for n < cellsPerTerm*wanted {
		n *= 2
	}
	return &sieve{cells: [2][]uint32{make([]uint32, n), make([]uint32, n)}}
}

// of are the cells of a term.
func (v *sieve) of(hash uint64) (a, b *uint32) {
	mask := uint64(len(v.cells[0]) - 1)
	return &v.cells[0][hash>>40&mask], &v.cells[1][hash>>16&mask]
}

// most is in how many rows a term may be.
func (v *sieve) most(hash uint64) uint32 {
	a, b := v.of(hash)
	return min(*a>>1, *b>>1)
}

// hold says that a term may be in as many rows as most, and whether it is let
// through.
func (v *sieve) hold(hash uint64, most uint32, through bool) {
	a, b := v.of(hash)
	*a, *b = max(*a, most<<1|*a&1), max(*b, most<<1|*b&1)
	if through {
		*a |= 1
		*b |= 1
	}
}

// holdAll says that any term may be in as many rows as most.
func (v *sieve) holdAll(most uint32) {
	for i := range v.cells[0] {
		v.cells[0][i], v.cells[1][i] = most<<1, most<<1
	}
}

// raise raises the limit of a source. One without stays without: not all of its
// terms were counted.
func (v *sieve) raise(source int, limit uint32) {
	if v.limit[source] > 0 {
		v.limit[source] = max(v.limit[source], limit)
	}
}

// pass counts the terms of a row and returns those that are let through.
func (v *sieve) pass(terms []term, source byte) []term {
	if len(v.through) < len(terms) {
		v.through = make([]term, 2*len(terms))
	}
	through, n := v.through[:len(terms)], 0
	mask, limit := uint64(len(v.cells[0])-1), 2*v.limit[source]
	first, second := v.cells[0], v.cells[1]
	for _, t := range terms {
		a, b := &first[t.hash>>40&mask], &second[t.hash>>16&mask]
		*a += 2
		*b += 2
		through[n] = t
		n += int(*a & *b & 1)
		if min(*a, *b) >= limit && *a&*b&1 == 0 {
			*a |= 1
			*b |= 1
			n++
		}
	}
	return through[:n]
}
