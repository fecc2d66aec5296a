package decontaminate

// Windowed is the rule that we recommend. It asks, of a short stretch of text
// wherever it stands, how much of an evaluation item it holds, in the order of the
// item, and counts words by how much they tell:
//
//  1. N-grams that the text and an item have in common open a match, unless more
//     than MaxItems texts of the index have them too: stock phrases tell nothing.
//     If nothing else is found, some of them open one of the first question that
//     has them: of questions that differ in numbers one is enough.
//  2. The stretch of about one and a half lengths of the item that holds most of
//     them is compared word by word. Runs of two words and more that stand in the
//     same order on both sides are found, and single words between two runs that
//     are as far apart on both sides, or behind one word at an end; of what stands
//     in another order, runs of six words and more.
//  3. A word weighs as much as the rarest n-gram over it, ln(1 + texts / texts
//     that have it), and nothing where all of them are stock phrases. The score
//     is the weight of the words found through that of all words.
//  4. Numbers do not count where they lower the score, if the other words are
//     enough: a copy with other numbers is a copy.
//
// An item is found from Threshold on, if the words found are at least MinWords,
// and weigh as much as MinWeight words that no other text has. Of a question it is
// enough that one word or a tenth of them is missing, since a template makes short
// ones light; and numbers apart none, even where all of it is stock phrases. So it
// sees copies with words exchanged, left out or added, in other letters, without
// punctuation, within long texts, with sentences or options in another order. It
// does not see paraphrases, translations and words in no order.
type Windowed struct {
	Grams     int     // words of the n-grams that open a match; 0 is 4
	Threshold float64 // 0 is 0.7
	MinWords  int     // 0 is 7; items of fewer words are found when a text has nothing else
	MinWeight float64 // 0 is 5
	MaxItems  int     // 0 is a twentieth of the texts, from 5 to 60
}

// maxItems is how many texts an n-gram that tells something may be in.
func (r Windowed) maxItems(x *Index) int {
	return or(r.MaxItems, min(max(len(x.texts)/20, 5), 60))
}

func (r Windowed) minWords() int { return or(r.MinWords, 7) }

// Name is windowed.
func (Windowed) Name() string { return "windowed" }

// N is the length of the n-grams.
func (r Windowed) N() int { return or(r.Grams, 4) }

// Judge appends the texts of which a stretch of the scanned text holds enough.
func (r Windowed) Judge(e *Evidence, dst []Match) []Match {
	same := len(dst)
	if e.whole >= 0 {
		dst = e.appendSame(dst, r)
	}
	f := e.foundFor(r.N())
	if f == nil || len(f.hits) == 0 {
		return dst
	}
	w := &e.window
	w.collect(e, f, r.maxItems(e.x))
	for i := range w.seeds.list {
		s := &w.seeds.list[i]
		length := len(e.x.wordsOf(int(s.text)))
		if length < r.minWords() || s.most < fewestSeeds(length) || contains(dst[same:], int(s.text)) {
			continue
		}
		if m, ok := r.align(e, f.grams, s); ok {
			dst = append(dst, m)
		}
	}
	if len(dst) > same {
		return dst
	}
	for i := range w.stock.list {
		s := &w.stock.list[i]
		length := len(e.x.wordsOf(int(s.text)))
		if length < r.minWords() || s.most < max(length/8, 2) {
			continue
		}
		if m, ok := r.align(e, f.grams, s); ok {
			return append(dst, m)
		}
	}
	return dst
}

func contains(matches []Match, text int) bool {
	for i := range matches {
		if matches[i].Text == text {
			return true
		}
	}
	return false
}

// align compares the stretch around the n-grams of a text of the index with it.
func (r Windowed) align(e *Evidence, g *grams, s *dense) (Match, bool) {
	e.locate()
	w, text := &e.window, int(s.text)
	item := e.x.wordsOf(text)
	from, to := s.stretch(len(item), len(e.ids))
	w.pieces = w.common(item, e.ids[from:to])
	if len(w.pieces) == 0 {
		return Match{}, false
	}
	w.weigh(e.x, g, item, r.maxItems(e.x))
	w.cover(item, e.ids[from:to])
	m := Match{Rule: r.Name(), Kind: Near, Text: text, Of: len(item)}
	all, found, numbers, numbersFound := 0.0, 0.0, 0.0, 0.0
	plain, plainFound := 0, 0 // words that are no numbers
	for i, id := range item {
		weight := w.weights[i]
		all += weight
		number := e.x.isNumber(id)
		if number {
			numbers += weight
		} else {
			plain++
		}
		if !w.covered[i] {
			continue
		}
		m.Words++
		found += weight
		if number {
			numbersFound += weight
		} else {
			plainFound++
		}
	}
	minWords := r.minWords()
	question := e.x.texts[text].part == Question
	copied := question && plainFound == plain && plain >= minWords
	switch {
	case copied:
		m.Score = 1
	case all == 0:
		return Match{}, false
	default:
		m.Score = found / all
		if plainFound >= minWords && all > numbers {
			m.Score = max(m.Score, (found-numbersFound)/(all-numbers))
		}
	}
	tells := copied || question && m.Of-m.Words <= max(m.Of/10, 1) || found >= or(r.MinWeight, 5)*e.x.weightOf(1)
	if m.Score < or(r.Threshold, 0.7) || m.Words < minWords || !tells {
		return Match{}, false
	}
	at, end := w.from+from, w.to+from
	pos, posEnd := w.itemFrom, w.itemTo
	e.place(&m, at, end-at, pos, posEnd-pos)
	return m, true
}
