package grid

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// Draw names a round of sampling.
type Draw struct {
	Seed  int64
	Round int
}

// Rank orders cells by weighted sampling without replacement: the first n are
// a sample of n. Each cell's place follows from the draw, its id and its weight
// alone (Efraimidis and Spirakis 2006; spec of simulation, section 7.6).
func (d Draw) Rank(ids []string, weights []float64) []int {
	head := strconv.AppendInt(nil, d.Seed, 10)
	head = append(strconv.AppendInt(append(head, ':'), int64(d.Round), 10), ':')
	keys := make([]float64, len(ids))
	order := make([]int, len(ids))
	for i, id := range ids {
		u := draw.OpenBytes(append(head[:len(head):len(head)], id...), 12)
		keys[i] = math.Log(u) / max(weights[i], 1e-9) // the order of u^(1/w), without its underflow
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(keys[b], keys[a]), cmp.Compare(ids[a], ids[b]))
	})
	return order
}

// hard are the tiers that count as hard, in the order in which they take turns.
var hard = [...]Tier{Ambiguous, Boundary, Adversarial}

// Mix picks n of the ranked cells so that a share of them is hard: first of
// each kind what makes the pick varied, then the best that the share leaves
// room for (spec of simulation, section 7.6). It returns fewer when there are
// fewer.
func Mix(cells []Cell, ranked []int, n int, hardShare float64) []int {
	var lists [tierCount][]int
	for _, i := range ranked {
		lists[cells[i].Tier()] = append(lists[cells[i].Tier()], i)
	}
	n = min(n, len(ranked))
	out := make([]int, 0, n)
	var taken [tierCount]int
	take := func(t Tier) bool {
		if len(lists[t]) == 0 || len(out) == n {
			return false
		}
		out, lists[t] = append(out, lists[t][0]), lists[t][1:]
		taken[t]++
		return true
	}
	take(Ordinary)
	if n >= 2 && !take(Adversarial) && !take(Boundary) {
		take(Ambiguous)
	}
	if n >= 8 {
		for _, t := range hard {
			if taken[t] == 0 {
				take(t)
			}
		}
	}
	ordinary := n - int(math.RoundToEven(float64(n)*hardShare))
	for turn := 0; len(out) < n; {
		if taken[Ordinary] < ordinary && take(Ordinary) {
			continue
		}
		found := false
		for range hard {
			found = take(hard[turn%len(hard)])
			turn++
			if found {
				break
			}
		}
		if !found && !take(Ordinary) {
			break
		}
	}
	return out
}
