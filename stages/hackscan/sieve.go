package hackscan

// sieve keeps from a sketch the terms that are too rare to lead. It counts each
// term in two cells, which other terms may share, so that a term is in no more
// rows than either of them says (the count-min sketch of Cormode and Muthukrishnan
// 2005). When both say that it may be in as many rows as the limit, they are
// opened: terms with two open cells are let through, and not counted any more in
// the cells, which then say how many rows each of them may have missed.
type sieve struct {
	cells [2][]uint32 // twice the count, and 1 in an open cell
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

// missed is in how many rows a term may have been before it was let through: the
// cell that was opened last counted it until then, up to the limit at most.
func (v *sieve) missed(hash uint64, source byte) uint32 {
	a, b := v.of(hash)
	return min(v.limit[source], max(*a, *b)>>1)
}

// open lets a term through.
func (v *sieve) open(hash uint64) {
	a, b := v.of(hash)
	*a |= 1
	*b |= 1
}

// hold says that a term may be in as many rows as most.
func (v *sieve) hold(hash uint64, most uint32) {
	a, b := v.of(hash)
	*a, *b = max(*a, most<<1|*a&1), max(*b, most<<1|*b&1)
}

// holdAll says that any term may be in as many rows as most. A source whose limit
// is not beyond goes without one.
func (v *sieve) holdAll(most uint32) {
	for i := range v.cells[0] {
		v.cells[0][i], v.cells[1][i] = most<<1, most<<1
	}
	for source, limit := range v.limit {
		if limit <= most {
			v.limit[source] = 0
		}
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
		openA, openB := *a&1, *b&1
		*a += 2 - 2*openA
		*b += 2 - 2*openB
		through[n] = t
		n += int(openA & openB)
		if openA&openB == 0 && min(*a|-openA, *b|-openB) >= limit { // what an open cell says is not asked
			*a |= 1
			*b |= 1
			n++
		}
	}
	return through[:n]
}
