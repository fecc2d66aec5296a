package gen

import (
	"bufio"
	"io"
	"strconv"
)

const (
	// NgramSize is the number of words in the n-grams that the size of an
	// evaluation set is counted in (spec of gates, section 2.1).
	NgramSize = 8

	// LeakableItems is how many items, the first of the set, rows may leak. It
	// is also the smallest evaluation set there is, so that the rows do not
	// depend on how large a set they are held against.
	LeakableItems = 512
)

// Item is a question of the evaluation set and its gold answer.
type Item struct {
	ID       string
	Question string
	Answer   string
	words    int
}

// item makes item n: three to five sentences of ASCII words with a number in
// each, and a question of enough words that runs of [NgramSize] words of two
// items, or of an item and other text, agree only by an accident rarer than
// one in 10^11.
func (g *Generator) item(n int) (Item, answer) {
	src := newSource(g.seed, drawnItem, int64(n))
	var q []byte
	words := 0
	for range src.between(3, 5) {
		before, after := src.between(4, 8), src.between(4, 8)
		start := len(q)
		q = append(g.vocabulary.appendPhrase(q, &src, before), ' ')
		q[start] -= 'a' - 'A'
		q = append(strconv.AppendInt(q, int64(src.intn(1000)), 10), ' ')
		q = append(g.vocabulary.appendPhrase(q, &src, after), ". "...)
		words += before + 1 + after
	}
	q = append(q, "How many "...)
	q = append(g.vocabulary.appendPhrase(q, &src, 6), " are there?"...)
	words += 10
	a := wholeAnswer(src.intn(100_000))
	return Item{ID: itemID(n), Question: string(q), Answer: a.String(), words: words}, a
}

func itemID(n int) string { return string(appendPadded([]byte("eval-"), int64(n), 7)) }

// WriteEval writes the evaluation set that goes with the rows of the same
// seed: one object {"id", "question", "answer"} a line, with at least
// cfg.Ngrams distinct n-grams of [NgramSize] words in the questions, and at
// least [LeakableItems] items. It returns the number of items.
func WriteEval(w io.Writer, cfg Config) (items int, err error) {
	g := New(cfg.Seed)
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for ngrams := 0; ngrams < cfg.Ngrams || items < LeakableItems; items++ {
		it, _ := g.item(items)
		ngrams += it.words - NgramSize + 1
		line = appendString(append(line[:0], `{"id":`...), it.ID, false)
		line = appendString(append(line, `,"question":`...), it.Question, false)
		line = appendString(append(line, `,"answer":`...), it.Answer, false)
		if _, err := out.Write(append(line, "}\n"...)); err != nil {
			return items, err
		}
	}
	return items, out.Flush()
}
