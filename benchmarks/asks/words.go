package asks

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	vocabulary = 20_000
	exponent   = 1.05
	shift      = 2.7
)

// words draws words by Zipf's law.
type words struct {
	src  *rand.Rand
	list []string
	upTo []float64 // cumulative weights
}

func newWords(src *rand.Rand) *words {
	w := &words{src: src}
	seen := map[string]bool{}
	for len(w.list) < vocabulary {
		word := ""
		for range 1 + src.IntN(4) {
			word += string("bdfgklmnprstvz"[src.IntN(14)]) + string("aeiou"[src.IntN(5)])
		}
		if !seen[word] {
			seen[word] = true
			w.list = append(w.list, word)
		}
	}
	sum := 0.0
	for rank := range w.list {
		sum += math.Pow(float64(rank)+shift, -exponent)
		w.upTo = append(w.upTo, sum)
	}
	return w
}

func (w *words) draw() string {
	at, _ := slices.BinarySearch(w.upTo, w.src.Float64()*w.upTo[len(w.upTo)-1])
	return w.list[min(at, len(w.list)-1)]
}

// appendText appends n words in sentences of 8 to 18.
func (w *words) appendText(dst []byte, n int) []byte {
	for n > 0 {
		sentence := min(n, 8+w.src.IntN(11))
		n -= sentence
		for i := range sentence {
			word := w.draw()
			if i == 0 {
				dst = append(dst, word[0]-'a'+'A')
				word = word[1:]
			} else {
				dst = append(dst, ' ')
			}
			dst = append(dst, word...)
		}
		dst = append(dst, '.')
		if n > 0 {
			dst = append(dst, ' ')
		}
	}
	return dst
}
