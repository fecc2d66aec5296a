package hackscan

import (
	"context"
	"math/rand/v2"
	"testing"
)

// falseAlarms is how many of so many data sets whose rewards are shuffled within
// tasks get the verdict of a hack.
func falseAlarms(t *testing.T, runs int, seed uint64, o Options) (hacks, above int) {
	rows := rowsOf(seed, 30, 8, func(r reply, src *rand.Rand) float64 { return one(r.delimiter != (src.IntN(3) == 0)) })
	src := rand.New(rand.NewPCG(seed, 3))
	for range runs {
		for task := range 30 {
			own := rows[8*task : 8*task+8]
			src.Shuffle(8, func(i, j int) { own[i].Reward, own[j].Reward = own[j].Reward, own[i].Reward })
		}
		r, err := Rows(context.Background(), rows, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Regime == RewardHack {
			hacks++
		}
		if r.AboveFloor > 0 {
			above++
		}
	}
	return hacks, above
}

// Where the reward is chance, the calibrated floor calls at most 5 % of 200 data
// sets a hack. That of the reference implementation calls more.
func TestFalseAlarms(t *testing.T) {
	o := Options{Endorsed: []string{"lookup"}, MinRows: 8, Workers: 1, Floor: Calibrated}
	hacks, above := falseAlarms(t, 200, 1, o)
	t.Logf("calibrated floor: of 200 data sets without a signal %d are called a hack, %d have a feature above the floor", hacks, above)
	if hacks > 10 {
		t.Errorf("%d of 200 data sets without a signal are called a hack, want at most 10", hacks)
	}
	o.Floor = Parity
	parity, above := falseAlarms(t, 200, 1, o)
	t.Logf("floor of the reference: %d are called a hack, %d have a feature above the floor", parity, above)
	if parity <= hacks {
		t.Errorf("the floor of the reference calls %d a hack, the calibrated one %d: it is no longer needed", parity, hacks)
	}
}
