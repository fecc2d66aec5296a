package hackscan

import "slices"

// pageTerms are the terms of the rows of a page: those that are followed, and
// the others. The text stays at hand, for the names of new terms and because
// other terms may be followed by the time the page is added.
type pageTerms struct {
	followed *followed // nil where none are
	lowered  []byte
	texts    [][sourceCount]span   // of a row, in lowered; a tail follows each
	marks    []uint64              // of a row, a bit for each followed term that it has
	others   []term                // each at least once
	ends     [][sourceCount]uint32 // where the others of a row end, by source
}

// span is where a text stands.
type span struct{ from, to uint32 }

// reset makes room for rows in which terms of f are followed.
func (p *pageTerms) reset(f *followed) {
	*p = pageTerms{f, p.lowered[:0], p.texts[:0], p.marks[:0], p.others[:0], p.ends[:0]}
}

// add reads the texts of a row.
func (p *pageTerms) add(v *rowView, sources Sources, x *termFinder) {
	var texts [sourceCount]span
	for source := range sourceCount {
		if sources&sourceBit(source) != 0 && len(v.parts[source]) > 0 {
			from := len(p.lowered)
			var to int
			p.lowered, to = v.appendLower(source, p.lowered)
			texts[source] = span{uint32(from), uint32(to)}
		}
	}
	p.texts = append(p.texts, texts)
	p.find(texts, x)
}

// find appends the terms of the texts of a row.
func (p *pageTerms) find(texts [sourceCount]span, x *termFinder) {
	var marks []uint64
	if p.followed != nil {
		n := len(p.marks)
		p.marks = append(p.marks, p.followed.none...)
		marks = p.marks[n:]
	}
	var ends [sourceCount]uint32
	for source, at := range texts {
		if at.from < at.to {
			terms := x.cutter.cut(p.lowered, int(at.from), int(at.to), saltOf(source))
			if marks != nil {
				terms = x.mark(p.followed, terms, marks)
			}
			p.others = x.appendNew(p.others, terms)
		}
		ends[source] = uint32(len(p.others))
	}
	p.ends = append(p.ends, ends)
}

// follow finds the terms of all rows from one on anew, now that other terms are
// followed, those of f.
func (p *pageTerms) follow(f *followed, row int, x *termFinder) {
	p.followed, p.marks = f, p.marks[:0]
	if f != nil {
		p.marks = append(p.marks, make([]uint64, row*len(f.none))...)
	}
	p.others, p.ends = p.others[:0], append(p.ends[:0], make([][sourceCount]uint32, row)...)
	for _, texts := range p.texts[row:] {
		p.find(texts, x)
	}
}

// marksOf says which followed terms a row has.
func (p *pageTerms) marksOf(row int) []uint64 {
	n := len(p.followed.none)
	return p.marks[row*n : row*n+n]
}

// othersOf are the other terms of a row that a source has.
func (p *pageTerms) othersOf(row, source int) []term {
	from := uint32(0)
	switch {
	case source > 0:
		from = p.ends[row][source-1]
	case row > 0:
		from = p.ends[row-1][sourceCount-1]
	}
	return p.others[from:p.ends[row][source]]
}

// termFinder finds terms and keeps its buffers. It is used by one goroutine at a
// time.
type termFinder struct {
	cutter termCutter
	maybe  []term // that may be followed
	seen   [1 << seenBits]uint64
	texts  uint64
}

const seenBits = 10

// mark marks those of the terms that are followed, and returns the others.
func (x *termFinder) mark(f *followed, terms []term, marks []uint64) []term {
	if len(x.maybe) < len(terms) {
		x.maybe = make([]term, 2*len(terms))
	}
	maybe, n, rest := x.maybe[:len(terms)], 0, 0
	for _, t := range terms {
		maybe[n], terms[rest] = t, t
		here := f.maybe.has(t.hash)
		n += here
		rest += 1 - here
	}
	for _, t := range maybe[:n] {
		if number, ok := f.find(t.hash); ok {
			marks[number>>6] |= 1 << (number & 63)
			continue
		}
		terms[rest] = t
		rest++
	}
	return terms[:rest]
}

// appendNew appends terms but for most of those that stand before in the text. A
// place in seen holds the last of some terms, joined with the number of the
// text, so that nothing is left of those of other texts.
func (x *termFinder) appendNew(dst, terms []term) []term {
	x.texts++
	n, text := len(dst), mix(x.texts)
	dst = slices.Grow(dst, len(terms))
	dst = dst[:n+len(terms)]
	for _, t := range terms {
		place := &x.seen[t.hash>>(64-seenBits)]
		dst[n] = t
		if *place != t.hash^text {
			n++
		}
		*place = t.hash ^ text
	}
	return dst[:n]
}
