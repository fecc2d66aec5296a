package decontaminate

import (
	"cmp"
	"slices"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Evidence is what a scan found in one text: enough for every rule at every
// threshold, without another scan. What rules ask for is worked out when they
// ask, once.
type Evidence struct {
	x     *Index
	split *splitter
	text  string
	p     []uint64 // hashes of its beginnings
	whole int      // the entry of its whole words among those of the index; -1
	found []found

	located bool
	spans   []span
	ids     []uint32 // its words by their numbers in the vocabulary, 0 for others
	open    []openRun
	next    []openRun
	window  window
}

// Run is a run of words that the scanned text and a text of the index have in
// common, verified word by word, and as long as it can be.
type Run struct {
	Text int // the text of the index
	Pos  int // its first word there
	At   int // its first word in the scanned text
	Len  int // in words
}

func (e *Evidence) reset(text string, prefixes []uint64) {
	e.text, e.p, e.whole, e.located = text, prefixes, -1, false
	if cap(e.spans) > keepWords {
		e.spans, e.ids = nil, nil
	}
	for i := range e.found {
		f := &e.found[i]
		f.done = false
		if cap(f.hits) > keepWords {
			f.hits = nil
		}
		if cap(f.runs) > keepWords {
			f.runs = nil
		}
	}
}

// Text returns the text that was scanned.
func (e *Evidence) Text() string { return e.text }

// Words is how many words it has.
func (e *Evidence) Words() int { return len(e.p) - 1 }

// Clean reports that nothing of the index was found: no rule can flag the text.
func (e *Evidence) Clean() bool {
	if e.whole >= 0 {
		return false
	}
	for i := range e.found {
		if len(e.found[i].hits) > 0 {
			return false
		}
	}
	return true
}

// Discounted is how many n-grams were found that are no evidence.
func (e *Evidence) Discounted() (n int) {
	for i := range e.found {
		n += e.found[i].less
	}
	return n
}

// locate finds where the words stand and which of the vocabulary they are.
func (e *Evidence) locate() {
	if e.located {
		return
	}
	e.located = true
	e.spans, e.ids = e.spans[:0], e.ids[:0]
	e.split.each(e.text, func(at span, word []byte) {
		e.ids = append(e.ids, e.x.words.id(wordHashAt(e.p, len(e.ids)), word))
		e.spans = append(e.spans, at)
	})
}

// Bytes returns where the words from the first one on, so many, stand in the
// text: as byte offsets.
func (e *Evidence) Bytes(first, words int) (start, end int) {
	e.locate()
	return int(e.spans[first].start), int(e.spans[first+words-1].end)
}

// Same returns the texts of the index that have the same words, in the order of
// the index.
func (e *Evidence) Same() (texts []int) {
	if e.whole < 0 {
		return nil
	}
	e.locate()
	for _, t := range e.x.wholes.values(e.whole) {
		if slices.Equal(e.x.wordsOf(int(t)), e.ids) {
			texts = append(texts, int(t))
		}
	}
	return texts
}

// exact returns the text of the index whose norm is that of the scanned text: the
// same but for case and white space (spec of gates, section 2.1). -1 for none.
func (e *Evidence) exact() int {
	norm, known := "", false
	for _, t := range e.Same() {
		if !e.x.texts[t].part.inReference() {
			continue
		}
		if !known {
			norm, known = text.Norm(e.text), true
		}
		if text.Norm(e.x.texts[t].text) == norm {
			return t
		}
	}
	return -1
}

// Runs returns the runs of at least n words, ordered by text, place in the
// scanned text and place there. The index must have n-grams of that length or
// shorter ones, and the scanner must look them up.
func (e *Evidence) Runs(n int) []Run {
	f := e.foundFor(n)
	if f == nil {
		return nil
	}
	f.join(e)
	if f.grams.n == n {
		return f.runs
	}
	var long []Run
	for _, r := range f.runs {
		if r.Len >= n {
			long = append(long, r)
		}
	}
	return long
}

// foundFor returns the longest n-grams that were looked up and are not longer
// than n.
func (e *Evidence) foundFor(n int) (f *found) {
	for i := range e.found {
		if e.found[i].grams.n <= n {
			f = &e.found[i]
		}
	}
	return f
}

// join verifies the n-grams that were found and joins those that follow each
// other in both texts to runs: both lists of places are in order, so that one pass
// over them suffices.
func (f *found) join(e *Evidence) {
	if f.done {
		return
	}
	f.done, f.runs = true, f.runs[:0]
	if len(f.hits) == 0 {
		return
	}
	e.locate()
	x, n := e.x, f.grams.n
	open, next := e.open[:0], e.next[:0] // runs that end at the n-gram before, and at this one
	before := uint32(0)
	for _, h := range f.hits {
		if h.at != before+1 {
			open = open[:0]
		}
		before = h.at
		at, k := int(h.at), 0
		for _, token := range f.grams.table.values(int(h.entry)) {
			for k < len(open) && open[k].token+1 < token {
				k++
			}
			if k < len(open) && open[k].token+1 == token {
				o := open[k]
				if token+uint32(n) <= o.end && e.ids[at+n-1] == x.tokens[int(token)+n-1] {
					f.runs[o.run].Len++
					o.token = token
					next = append(next, o)
					continue
				}
			}
			if !slices.Equal(e.ids[at:at+n], x.tokens[token:int(token)+n]) {
				continue
			}
			text := x.textAt(token)
			next = append(next, openRun{token, x.firsts[text+1], len(f.runs)})
			f.runs = append(f.runs, Run{Text: text, Pos: int(token - x.firsts[text]), At: at, Len: n})
		}
		open, next = next, open[:0]
	}
	e.open, e.next = open, next
	slices.SortFunc(f.runs, func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.At, b.At), cmp.Compare(a.Pos, b.Pos))
	})
}

// openRun is a run that may go on.
type openRun struct {
	token uint32 // where its last n-gram begins
	end   uint32 // of its text
	run   int
}
