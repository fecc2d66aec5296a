package decontaminate

import "fmt"

// AnyGram flags a text that shares any n-gram with a text of the index: GPT-3 with
// n from 8 to 13, s1 and open-r1 with 8, the harness of EleutherAI with 13. A text
// of fewer than n words must have the same words as one of the index. The score
// is the share of the item's words that were found.
type AnyGram struct{ n int }

// Any is the rule of any shared n-gram of n words.
func Any(n int) AnyGram { return AnyGram{atLeastOne("Any", n)} }

// Name is any and the length: any13.
func (r AnyGram) Name() string { return fmt.Sprintf("any%d", r.n) }

// N is the length of the n-grams.
func (r AnyGram) N() int { return r.n }

// Judge appends all texts that share an n-gram.
func (r AnyGram) Judge(e *Evidence, dst []Match) []Match {
	dst = e.appendShort(dst, r, r.n)
	for _, runs := range byText(e.Runs(r.n)) {
		m := e.matchOf(r, runs)
		m.Score = float64(m.Words) / float64(m.Of)
		dst = append(dst, m)
	}
	return dst
}

// atLeastOne panics at a length that no n-gram has.
func atLeastOne(rule string, n int) int {
	if n < 1 || n > MaxN {
		panic(fmt.Sprintf("decontaminate: %s(%d): want 1 to %d words", rule, n, MaxN))
	}
	return n
}
