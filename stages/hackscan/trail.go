package hackscan

// trail remembers the terms of the first rows, so that it can be told of those
// rows too which terms they have, once it is known which ones are asked for.
type trail struct {
	room   int // hashes that it may hold
	hashes chunked[uint64]
	ends   chunked[uint32] // by row
}

// trailRoom is how many hashes are remembered, 8 MB: the terms of thousands of
// rows, by which the most frequent ones are well known.
const trailRoom = 1 << 20

func (t *trail) add(terms []term) {
	for i := range terms {
		t.hashes.append(terms[i].hash)
	}
}

// endRow ends a row, and reports whether the trail is full.
func (t *trail) endRow() (full bool) {
	t.ends.append(uint32(t.hashes.n))
	return t.hashes.n >= t.room
}

// marks finds terms in the rows.
func (t *trail) marks(f *followed) *marks {
	m := newMarks(f)
	row := make([]uint64, len(f.none))
	from := 0
	for i := range t.ends.n {
		clear(row)
		to := int(t.ends.at(i))
		for ; from < to; from++ {
			if number, ok := f.find(t.hashes.at(from)); ok {
				row[number>>6] |= 1 << (number & 63)
			}
		}
		m.add(i, row)
	}
	return m
}
