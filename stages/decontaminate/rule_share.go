package decontaminate

// TokenShare is the rule of Tülu 3: a word of an item is found when it stands in
// an n-gram that the item shares with the same text, and the item is when more
// than a share of its words are (Lambert et al. 2024, section 3.2: n-grams of 8,
// more than 50 %).
type TokenShare struct {
	Grams int     // words of an n-gram; 0 is 8
	Over  float64 // the share that must be passed; 0 is 0.5
}

// Name is tokenshare.
func (TokenShare) Name() string { return "tokenshare" }

// N is the length of the n-grams.
func (r TokenShare) N() int { return or(r.Grams, DefaultN) }

// Judge appends the texts of which enough words were found.
func (r TokenShare) Judge(e *Evidence, dst []Match) []Match {
	dst = e.appendShort(dst, r, r.N())
	for _, runs := range byText(e.Runs(r.N())) {
		words, _ := coveredThere(runs, r.N())
		if score := e.shareOf(runs, words); score > or(r.Over, 0.5) {
			dst = append(dst, e.scored(r, runs, score))
		}
	}
	return dst
}

// ItemShare flags a text that has seen a share of an item's n-grams, however long
// the text is: so a short question within a long conversation is found. An n-gram
// that the item has twice counts twice.
type ItemShare struct {
	Grams int     // words of an n-gram; 0 is 8
	Share float64 // of the n-grams of the item; 0 is 0.8
}

// Name is itemshare.
func (ItemShare) Name() string { return "itemshare" }

// N is the length of the n-grams.
func (r ItemShare) N() int { return or(r.Grams, DefaultN) }

// Judge appends the texts of which enough n-grams were found.
func (r ItemShare) Judge(e *Evidence, dst []Match) []Match {
	dst = e.appendShort(dst, r, r.N())
	for text, runs := range byText(e.Runs(r.N())) {
		_, grams := coveredThere(runs, r.N())
		score := float64(grams) / float64(len(e.x.wordsOf(text))-r.N()+1)
		if score >= or(r.Share, 0.8) {
			dst = append(dst, e.scored(r, runs, score))
		}
	}
	return dst
}

// LongestSpan scores an item by the longest run of its words that stands in the
// text, rather than by all of them together (ConTAM, Singh et al. 2024). The
// share that tells best differs from one evaluation set to the other.
type LongestSpan struct {
	Grams int     // words of a run, at least; 0 is 8
	Share float64 // of the words of the item; 0 is 0.5
}

// Name is longestspan.
func (LongestSpan) Name() string { return "longestspan" }

// N is the length of the n-grams.
func (r LongestSpan) N() int { return or(r.Grams, DefaultN) }

// Judge appends the texts of which a long enough run was found.
func (r LongestSpan) Judge(e *Evidence, dst []Match) []Match {
	dst = e.appendShort(dst, r, r.N())
	for _, runs := range byText(e.Runs(r.N())) {
		longest := 0
		for i := range runs {
			if runs[i].Len > runs[longest].Len {
				longest = i
			}
		}
		if score := e.shareOf(runs, runs[longest].Len); score >= or(r.Share, 0.5) {
			dst = append(dst, e.scored(r, runs[longest:longest+1], score))
		}
	}
	return dst
}

// shareOf is the share of so many words of the text that runs are of.
func (e *Evidence) shareOf(runs []Run, words int) float64 {
	return float64(words) / float64(len(e.x.wordsOf(runs[0].Text)))
}

// scored is the match of runs with its score.
func (e *Evidence) scored(r Rule, runs []Run, score float64) Match {
	m := e.matchOf(r, runs)
	m.Score = score
	return m
}

// or is a setting, or its default where it is 0.
func or[T int | float64](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}
