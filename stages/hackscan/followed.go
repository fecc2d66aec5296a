package hackscan

import (
	"math"
	"math/bits"
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
		most, room := n+max(minReserve, min(3*n, maxReserve)), float64(n+max(minDense, 3*n/4))/8
		enough, doubtful := n+max(minDense, n/4), 0.
		everywhere, others := 0, 0
		for _, c := range s.leaders(byte(source), most) {
			if c.count == s.rows {
				if everywhere++; everywhere <= most {
					terms = append(terms, c)
				}
				continue
			}
			room -= min(1./8, float64(c.count)/float64(s.rows))
			if others++; others > most || room < 0 || others > enough && float64(c.count) < doubtful {
				break
			}
			if others == n {
				last[source] = c.count
				doubtful = float64(c.count) - 4*math.Sqrt(float64(c.count))
			}
			terms = append(terms, c)
		}
	}
	s.nameAll(terms)
	return terms, last
}

// A quarter more terms than wanted are followed, and beyond that those that may
// yet lead by chance, as where many occur in about as many rows: up to four times
// as many as wanted within bounds, as far as there is room, of which a frequent
// one takes a bit a row and a rare one a byte for each that has it.
const minReserve, maxReserve, minDense = 64, 1 << 10, 16

// marks are the rows of followed terms: packed, and of the chunk of rows that is
// open a bit for each row and term. Those of 64 rows are together, a word a term.
type marks struct {
	done   []packed
	open   []uint64
	chunk  int      // that is open
	words  []uint64 // of one term
	buffer []byte
}

func newMarks(f *followed) *marks {
	n := len(f.terms)
	return &marks{
		done: make([]packed, n), open: make([]uint64, chunkWords*n),
		words: make([]uint64, chunkWords), buffer: make([]byte, 0, bitmapBytes),
	}
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
		m.done[i].append(m.chunk, m.words, m.buffer)
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

// of closes the marks and returns the columns of terms, nil if one of them is not
// followed.
func (m *marks) of(terms []candidate, f *followed) []column {
	columns := make([]column, len(terms))
	m.seal()
	m.open = nil
	for _, t := range terms {
		if _, ok := f.find(t.hash); !ok {
			return nil
		}
	}
	for i, t := range terms {
		number, _ := f.find(t.hash)
		columns[i] = m.done[number].column()
	}
	return columns
}
