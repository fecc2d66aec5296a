package hackscan

import (
	"math/bits"
	"slices"
)

// followed are the terms that are expected to become features: those that lead
// when the trail is full. From then on it is noted in which rows they are, and
// no sketch counts them. If all candidates are among them in the end, there is
// no need to read the rows a second time. They do not change.
type followed struct {
	*termIndex
	terms []candidate
	none  []uint64 // the marks of a row that has none of them
}

func newFollowed(terms []candidate) *followed {
	return &followed{newTermIndex(terms), terms, make([]uint64, (len(terms)+63)/64)}
}

// lead are the terms to be followed: of each source those that occur in most
// rows until now, and beside them as many that occur in all rows, as most texts
// of tools have some. Those are no features, unless a row comes that has them
// not. last is in how many rows the last of those is that are wanted, 0 if there
// are not as many.
func (s *sketch) lead(o *Options) (terms []candidate, last [sourceCount]uint32) {
	for source := range sourceCount {
		n := o.wanted(source)
		if n == 0 || o.Sources&sourceBit(source) == 0 {
			continue
		}
		most, room := n+max(minReserve, min(3*n, maxReserve)), float64(n+max(minDense, n/2))/8
		everywhere, others := 0, 0
		for _, c := range s.leaders(byte(source), most) {
			if c.count == s.rows {
				if everywhere++; everywhere <= most {
					terms = append(terms, c)
				}
				continue
			}
			room -= min(1./8, 2*float64(c.count)/float64(s.rows))
			if others++; others > most || room < 0 {
				break
			}
			if others == n {
				last[source] = c.count
			}
			terms = append(terms, c)
		}
	}
	s.nameAll(terms)
	return terms, last
}

// More terms than wanted are followed, as where many occur in about as many rows
// the first rows do not tell which ones will lead: three times as many more
// within bounds, but half as many more of frequent ones, which take a bit a row.
const minReserve, maxReserve, minDense = 64, 1 << 10, 16

// marks are the rows of followed terms: columns of ones, and of the chunk of
// rows that is open a bit for each row and term. Those of 64 rows are together,
// a word a term.
type marks struct {
	done  []column
	open  []uint64
	chunk int      // that is open
	words []uint64 // of one term
	full  []uint64 // the bitmap of terms that all rows of a chunk have
}

func newMarks(f *followed) *marks {
	n := len(f.terms)
	m := &marks{done: make([]column, n), open: make([]uint64, chunkWords*n), words: make([]uint64, chunkWords), full: make([]uint64, chunkWords)}
	for i := range m.full {
		m.full[i] = ^uint64(0)
	}
	return m
}

// add adds what a row has; rows come in their order.
func (m *marks) add(row int, has []uint64) {
	if row/chunkRows != m.chunk {
		m.seal()
		m.chunk = row / chunkRows
	}
	n, bit := len(m.done), uint64(1)<<(row&63)
	at := row % chunkRows >> 6 * n
	open := m.open[at : at+n]
	for i, word := range has {
		for ; word != 0; word &= word - 1 {
			open[i<<6+bits.TrailingZeros64(word)] |= bit
		}
	}
}

// seal closes the open chunk.
func (m *marks) seal() {
	for i := range m.done {
		for w := range m.words {
			m.words[w] = m.open[w*len(m.done)+i]
		}
		if slices.Equal(m.words, m.full) {
			m.done[i].append(m.chunk, chunk{bits: m.full}, chunkRows)
			continue
		}
		m.done[i].addBits(m.chunk, m.words)
	}
	clear(m.open)
}

// counts are in how many rows each term is.
func (m *marks) counts() []int {
	counts := make([]int, len(m.done))
	for i := range m.done {
		counts[i] = m.done[i].n
	}
	for w := range chunkWords {
		for i, word := range m.open[w*len(m.done) : (w+1)*len(m.done)] {
			counts[i] += bits.OnesCount64(word)
		}
	}
	return counts
}

// columns closes the marks and returns what they made.
func (m *marks) columns() []column {
	m.seal()
	m.open = nil
	return m.done
}
