package decontaminate

import (
	"cmp"
	"iter"
	"slices"
)

// byText yields the runs of each text of the index.
func byText(runs []Run) iter.Seq2[int, []Run] {
	return func(yield func(int, []Run) bool) {
		for from := 0; from < len(runs); {
			to := from + 1
			for to < len(runs) && runs[to].Text == runs[from].Text {
				to++
			}
			if !yield(runs[from].Text, runs[from:to]) {
				return
			}
			from = to
		}
	}
}

// coveredHere is how many words of the scanned text the runs of one text cover,
// each once.
func coveredHere(runs []Run) (words int) {
	end := 0
	for _, r := range runs { // by At
		words += max(0, r.At+r.Len-max(r.At, end))
		end = max(end, r.At+r.Len)
	}
	return words
}

// coveredThere is how many words of their text the runs cover, each once, and in
// how many places n-grams of it begin that they hold.
func coveredThere(runs []Run, n int) (words, grams int) {
	if len(runs) == 1 {
		return runs[0].Len, runs[0].Len - n + 1
	}
	ordered := slices.SortedFunc(slices.Values(runs), func(a, b Run) int { return cmp.Compare(a.Pos, b.Pos) })
	end, gramEnd := 0, 0
	for _, r := range ordered {
		words += max(0, r.Pos+r.Len-max(r.Pos, end))
		end = max(end, r.Pos+r.Len)
		grams += max(0, r.Pos+r.Len-n+1-max(r.Pos, gramEnd))
		gramEnd = max(gramEnd, r.Pos+r.Len-n+1)
	}
	return words, grams
}

// matchOf makes the match of the runs of one text: from the first word that they
// cover to the last one.
func (e *Evidence) matchOf(r Rule, runs []Run) Match {
	m := Match{Rule: r.Name(), Kind: Near, Text: runs[0].Text, Of: len(e.x.wordsOf(runs[0].Text))}
	from, to := runs[0].At, 0
	first, last := runs[0].Pos, 0
	for _, r := range runs {
		from, to = min(from, r.At), max(to, r.At+r.Len)
		first, last = min(first, r.Pos), max(last, r.Pos+r.Len)
	}
	m.Words, _ = coveredThere(runs, 1)
	e.place(&m, from, to-from, first, last-first)
	return m
}

// place says where a match stands, in words and in bytes.
func (e *Evidence) place(m *Match, at, words, pos, itemWords int) {
	m.At, m.Len, m.Pos, m.ItemLen = at, words, pos, itemWords
	m.Start, m.End = e.Bytes(at, words)
	m.ItemStart, m.ItemEnd = e.x.bytesOfWords(e.split, m.Text, pos, itemWords)
}

// sameMatch makes the match of a text of the index that the whole scanned text
// equals word by word.
func (e *Evidence) sameMatch(r Rule, text int) Match {
	words := len(e.x.wordsOf(text))
	m := Match{Rule: r.Name(), Kind: Exact, Text: text, Score: 1, Words: words, Of: words}
	e.place(&m, 0, words, 0, words)
	return m
}

// appendSame appends the texts of the index that have the same words as the whole
// scanned text. Answers of a word or two, such as numbers, are left out: they
// stand everywhere.
func (e *Evidence) appendSame(dst []Match, r Rule) []Match {
	for _, t := range e.Same() {
		if e.x.texts[t].part == Question || e.Words() >= tellingWords {
			dst = append(dst, e.sameMatch(r, t))
		}
	}
	return dst
}

// tellingWords is how many words an answer must have to be recognised alone.
const tellingWords = 4

// appendShort is appendSame for texts that are too short for n-grams.
func (e *Evidence) appendShort(dst []Match, r Rule, n int) []Match {
	if e.Words() >= n {
		return dst
	}
	return e.appendSame(dst, r)
}

// bytesOfWords finds where words of a text of the index stand, in bytes.
func (x *Index) bytesOfWords(s *splitter, text, first, words int) (start, end int) {
	i := 0
	s.each(x.texts[text].text, func(at span, _ []byte) {
		if i == first {
			start = int(at.start)
		}
		if i == first+words-1 {
			end = int(at.end)
		}
		i++
	})
	return start, end
}

// phrase is so many words of a text of the index, from the first one on, as they
// are compared.
func (x *Index) phrase(text, first, words int) string {
	var b []byte
	for i, id := range x.wordsOf(text)[first : first+words] {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, x.words.word(id)...)
	}
	return string(b)
}
