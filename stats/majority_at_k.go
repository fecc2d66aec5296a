package stats

import "math"

// MajorityAtK is the probability that the most frequent of k answers, drawn
// without putting back from those of one task, is the correct one (maj@k,
// Lewkowycz et al. 2022, arXiv:2206.14858; self-consistency, Wang et al. 2022,
// arXiv:2203.11171). correct counts the rollouts that gave the correct answer,
// wrong those of each other answer; a tie of r answers counts 1/r. Absent when
// there are fewer than k rollouts. With one wrong answer it is the majority of
// passes: MajorityAtK(c, []int{n - c}, k).
func MajorityAtK(correct int, wrong []int, k int) Null[float64] {
	n := correct
	for _, w := range wrong {
		n += w
	}
	if k < 1 || n < k || correct < 0 {
		return Null[float64]{}
	}
	// Counts of a draw without putting back are independent binomials given
	// their sum, whatever their common probability; at about k/n none of the
	// numbers below is tiny.
	p := (float64(k) + 0.5) / (float64(n) + 1)
	win := 0.0
	for t := 1; t <= min(correct, k); t++ {
		pt := binomialPMF(correct, t, p)
		for r, w := range drawsBelow(wrong, k-t, t, p) {
			win += float64(float64(pt*w) / float64(r+1))
		}
	}
	return Of(min(1, win/binomialPMF(n, k, p)))
}

// drawsBelow gives, for r = 0, 1, ..., the probability that the wrong answers
// sum up to total, none of them above top, and exactly r of them at top.
func drawsBelow(wrong []int, total, top int, p float64) []float64 {
	most := min(total/top, len(wrong)) // answers that can reach top
	out := make([]float64, most+1)
	if len(wrong) == 0 {
		if total == 0 {
			out[0] = 1
		}
		return out
	}
	// ways[r][s]: r answers at top so far, s draws in all so far
	ways, reached := [][]float64{{1}}, 0
	last := len(wrong) - 1
	for _, w := range wrong[:last] {
		most := min(w, top, total)
		next := table(len(ways)+1, min(total, reached+most)+1)
		for x := range most + 1 {
			px, tied := binomialPMF(w, x, p), atTop(x, top)
			for r, row := range ways {
				for s, prob := range row[:min(reached, total-x)+1] {
					next[r+tied][s+x] += float64(px * prob)
				}
			}
		}
		ways, reached = next, min(total, reached+most)
	}
	for r, row := range ways { // the last answer takes what is left
		for s, prob := range row {
			if x := total - s; x <= min(wrong[last], top) && prob > 0 {
				out[r+atTop(x, top)] += float64(prob * binomialPMF(wrong[last], x, p))
			}
		}
	}
	return out
}

func atTop(x, top int) int {
	if x == top {
		return 1
	}
	return 0
}

func table(rows, columns int) [][]float64 {
	t := make([][]float64, rows)
	for i := range t {
		t[i] = make([]float64, columns)
	}
	return t
}

func binomialPMF(n, k int, p float64) float64 {
	return math.Exp(logChoose(n, k) + float64(float64(k)*math.Log(p)) + float64(float64(n-k)*math.Log1p(-p)))
}
