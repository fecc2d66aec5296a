package mathequal_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

var executions = flag.Int("executions", 30_000, "how many mutated answers TestMutations compares")

// pieces are what mutations put in: whatever opens, closes, repeats or grows.
var pieces = []string{
	"{", "}", "(", ")", "[", "]", "|", "^", "_", "!", "%", ",", "-", "+", "/", ":", "=", "<", " ", "$", `\`, `\\`, "9", "0", ".", "e", "x", "d",
	`\frac`, `\sqrt`, `\boxed{`, `\text{`, `\left(`, `\{`, `\}`, `\pm`, `\infty`, `\cup`, `\sum_{k=1}^{`, `\int_0^`, `\sin`, `\log_`, `\binom`,
	`\begin{pmatrix}`, `\end{pmatrix}`, "&", `\\`, "99999", "1e9", "^9", "answer is ", "#### ", "A: ", "<think>", "</think>", "½", "−", "\xff", "cm",
}

// mutate changes a text in some places: it takes out, doubles, puts in, or goes on
// with another text.
func mutate(r *rand.Rand, s, other string) string {
	for range 1 + r.IntN(5) {
		i := r.IntN(len(s) + 1)
		j := min(len(s), i+r.IntN(12))
		switch r.IntN(6) {
		case 0:
			s = s[:i] + s[j:]
		case 1:
			s = s[:j] + s[i:]
		case 2:
			s = s[:i] + other[r.IntN(len(other)+1):]
		default:
			s = s[:i] + pieces[r.IntN(len(pieces))] + s[i:]
		}
	}
	return s
}

// TestMutations compares answers that were spoiled at random, as answers and as
// replies: none panics, none outlasts its budget, and each gives the same verdict
// twice.
func TestMutations(t *testing.T) {
	var texts []string
	for _, v := range readLines[vector](t, "testdata/vectors.jsonl") {
		texts = append(texts, v.Candidate, v.Gold)
	}
	for _, a := range answers {
		texts = append(texts, a.answer, a.reference)
	}
	r := rand.New(rand.NewPCG(1, uint64(*executions)))
	equal := 0
	for range *executions / 2 {
		i := r.IntN(len(texts))
		a := mutate(r, texts[i], texts[r.IntN(len(texts))])
		b := texts[i^1]
		if r.IntN(2) == 0 {
			b = mutate(r, b, texts[r.IntN(len(texts))])
		}
		o := mathequal.Options{Mode: modes[r.IntN(2)], Budget: fuzzBudget}
		v, err := mathequal.Equal(a, b, o)
		checkVerdict(t, v, err, a)
		w, err := mathequal.Match(a, b, o)
		checkVerdict(t, w, err, a)
		if v.Equal {
			equal++
			if again, err := mathequal.Equal(a, b, o); err != nil || again != v {
				t.Fatalf("%q against %q: %+v, then %+v, %v", a, b, v, again, err)
			}
		}
	}
	if equal == 0 {
		t.Error("no mutation left an answer equal")
	}
}
