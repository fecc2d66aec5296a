package decontaminate

// Llama2 is the rule of Llama 2 (Touvron et al. 2023, appendix A.6) over words in
// place of tokens: a word of an item is dirty when it stands in a match of more
// than ten words, in which up to four words may differ, none among the first ten
// and none at the end. Items are clean below a share of 20 % of dirty words, not
// clean from there on, and dirty from 80 % on.
type Llama2 struct {
	Share float64 // from where on an item is found; 0 is 0.8
}

const (
	llama2Exact  = 10 // words at the beginning of a match that must agree
	llama2Budget = 4  // words that may differ
)

// Name is llama2.
func (Llama2) Name() string { return "llama2" }

// N is the number of words that must agree to begin with.
func (Llama2) N() int { return llama2Exact }

// Band names the band of a score: clean, not clean, dirty.
func (Llama2) Band(score float64) string {
	switch {
	case score >= 0.8:
		return "dirty"
	case score >= 0.2:
		return "not clean"
	}
	return "clean"
}

// Judge appends the texts of which enough words are dirty.
func (r Llama2) Judge(e *Evidence, dst []Match) []Match {
	dst = e.appendShort(dst, r, llama2Exact)
	for text, runs := range byText(e.Runs(llama2Exact)) {
		item := e.x.wordsOf(text)
		dirty := make([]bool, len(item))
		var long []Run
		for _, run := range runs {
			if grown := e.grow(run, item, dirty); grown.Len > llama2Exact {
				long = append(long, grown)
			}
		}
		words := 0
		for _, d := range dirty {
			if d {
				words++
			}
		}
		if score := float64(words) / float64(len(item)); len(long) > 0 && score >= or(r.Share, 0.8) {
			m := e.scored(r, long, score)
			m.Words = words
			dst = append(dst, m)
		}
	}
	return dst
}

// grow lets a run go on over words that differ, and marks the words that agree if
// the match is long enough.
func (e *Evidence) grow(run Run, item []uint32, dirty []bool) Run {
	agree := make([]int, 0, run.Len)
	end, differ := 0, 0
	for k := 0; run.Pos+k < len(item) && run.At+k < len(e.ids); k++ {
		if item[run.Pos+k] == e.ids[run.At+k] {
			agree, end = append(agree, run.Pos+k), k+1
		} else if differ++; differ > llama2Budget {
			break
		}
	}
	run.Len = end
	if end > llama2Exact {
		for _, pos := range agree {
			dirty[pos] = true
		}
	}
	return run
}
