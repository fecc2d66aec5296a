package selection

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rollmill/rollmill/stats"
)

// soon fails a test whose work grows with the square of its rows: what is linear
// takes a thousandth of the time.
func soon(t *testing.T, work func()) {
	t.Helper()
	start := time.Now()
	work()
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestPairsOfOnePrompt holds that a prompt with many rows of one reward is given
// up after the first row that finds no partner.
func TestPairsOfOnePrompt(t *testing.T) {
	const n = 400_000
	p := pairing{o: PairOptions{MaxPerPrompt: 1 << 30, MinMargin: 1}, rows: &column[pairSketch]{}, gates: make([]Gate, n)}
	for i := range n {
		score := 1.0
		if i == n-1 {
			score = 0
		}
		p.rows.append(pairSketch{head: head{marks: markScored}, score: score})
	}
	soon(t, func() {
		if order := p.run(1); !slices.Equal(order, []uint32{0, n - 1}) {
			t.Errorf("order %v, want [0 %d]", order, n-1)
		}
	})
}

// TestDealManyLists holds that many short lists beside a long one are dealt in
// one go.
func TestDealManyLists(t *testing.T) {
	const n = 400_000
	lists := [][]int{make([]int, n)}
	for i := range n {
		lists[0][i] = -i
		lists = append(lists, []int{i + 1})
	}
	soon(t, func() {
		out := deal(lists)
		if len(out) != 2*n || out[0] != 0 || out[1] != 1 || out[n] != n || out[n+1] != -1 || out[2*n-1] != 1-n {
			t.Errorf("dealt %d, from %v to %v", len(out), out[:2], out[len(out)-1])
		}
	})
	if want := [][]int{{1, 2}, {3}, {4, 5, 6}}; !slices.Equal(deal(want), []int{1, 3, 4, 2, 5, 6}) || len(want[1]) != 1 {
		t.Errorf("dealt %v, and lists are %v", deal(want), want)
	}
}

func TestLeastRewardIsNumber(t *testing.T) {
	if _, err := New(Options{Mode: SFT, SFT: SFTOptions{MinReward: stats.Of(math.NaN())}}); err == nil {
		t.Error("a least reward of NaN is taken")
	}
}
