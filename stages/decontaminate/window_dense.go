package decontaminate

import (
	"cmp"
	"slices"
)

// densest finds, for each text of the index, the stretch of the scanned text that
// has its n-grams at the most places. N-grams come in the order of the scanned
// text, and what has fallen out of the window is forgotten: what is held depends
// on the texts of the index and not on how often a phrase is repeated.
type densest struct {
	list   []dense          // in the order of the index when all is collected
	byText map[uint32]int32 // where a text stands in list
}

// dense is the stretch of one text.
type dense struct {
	text        uint32
	window      uint32  // the words that a stretch may span
	most        int     // the places that the best stretch has
	first, last seed    // its ends: the first of several
	held        []place // where the text was found last
	from        int     // the first of them within the window
}

// seed is an n-gram that a text of the index has too: not verified.
type seed struct {
	at  uint32 // in the scanned text
	pos uint32 // in the text of the index
}

// place is where the scanned text has an n-gram that a text of the index has too,
// and where that has it first.
type place = seed

// keepTexts is of how many texts the buffers are kept between scans.
const keepTexts = 1 << 12

func (d *densest) reset() {
	if cap(d.list) > keepTexts {
		d.list, d.byText = nil, nil
	}
	d.list = d.list[:0]
	if d.byText == nil {
		d.byText = map[uint32]int32{}
	}
	clear(d.byText)
}

// of returns where a text stands in the list, whose entry is made where there is
// none.
func (d *densest) of(x *Index, text int) int32 {
	if i, ok := d.byText[uint32(text)]; ok {
		return i
	}
	i := len(d.list)
	if i < cap(d.list) {
		d.list = d.list[:i+1] // with the buffer of an earlier scan
	} else {
		d.list = append(d.list, dense{})
	}
	d.list[i] = dense{text: uint32(text), window: uint32(windowOf(len(x.wordsOf(text)))), held: d.list[i].held[:0]}
	d.byText[uint32(text)] = int32(i)
	return int32(i)
}

// done puts the texts in order.
func (d *densest) done() {
	slices.SortFunc(d.list, func(a, b dense) int { return cmp.Compare(a.text, b.text) })
}

// add adds an n-gram that the text has from pos to last. Places come in order.
func (s *dense) add(at, pos, last uint32) {
	for s.from < len(s.held) && at-s.held[s.from].at >= s.window {
		s.from++
	}
	if s.from > len(s.held)/2 {
		s.held = s.held[:copy(s.held, s.held[s.from:])]
		s.from = 0
	}
	s.held = append(s.held, place{at, pos})
	if n := len(s.held) - s.from; n > s.most {
		s.most, s.first, s.last = n, s.held[s.from], seed{at, last}
	}
}

// whose says which texts have an n-gram: those of one entry, worked out once while
// a phrase is repeated.
type whose struct {
	entries map[uint32][2]uint32 // of an entry its part of list
	list    []textGram
}

// textGram is an n-gram of a text: the text, and where it has it first and last.
type textGram struct {
	dense     int32 // the place of the text in a densest
	pos, last uint32
}

// keepGrams bounds what is remembered.
const keepGrams = 1 << 15

func (w *whose) reset() {
	if w.entries == nil {
		w.entries = map[uint32][2]uint32{}
	}
	clear(w.entries)
	w.list = w.list[:0]
}

// collect collects the n-grams found that open a match. Stock phrases are
// collected apart.
func (w *window) collect(e *Evidence, f *found, maxItems int) {
	w.seeds.reset()
	w.stock.reset()
	w.whose.reset()
	t := f.grams.table
	for _, h := range f.hits {
		to := &w.seeds
		stock := t.groups(int(h.entry)) > maxItems
		if stock {
			to = &w.stock
		}
		part, known := w.whose.entries[h.entry]
		if !known {
			if len(w.whose.list) > keepGrams {
				w.whose.reset()
			}
			part[0] = uint32(len(w.whose.list))
			w.textsOf(e.x, t.values(int(h.entry)), stock, to)
			part[1] = uint32(len(w.whose.list))
			w.whose.entries[h.entry] = part
		}
		for _, g := range w.whose.list[part[0]:part[1]] {
			to.list[g.dense].add(h.at, g.pos, g.last)
		}
	}
	w.seeds.done()
	w.stock.done()
}

// textsOf lists the texts that have an n-gram at these tokens: of a stock phrase
// the first one, if it is a question.
func (w *window) textsOf(x *Index, tokens []uint32, stock bool, to *densest) {
	for len(tokens) > 0 {
		text := x.textAt(tokens[0])
		n := 1
		for n < len(tokens) && tokens[n] < x.firsts[text+1] {
			n++
		}
		first := x.firsts[text]
		g := textGram{0, tokens[0] - first, tokens[n-1] - first}
		if stock {
			if x.texts[text].part != Question {
				return
			}
			g.last = g.pos
		}
		g.dense = to.of(x, text)
		w.whose.list = append(w.whose.list, g)
		if stock {
			return
		}
		tokens = tokens[n:]
	}
}
