package hackscan

import (
	"context"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
)

// TestOddRewards holds that a reward that cannot be reckoned with is none, and
// not 0, and that all figures of a report are finite.
func TestOddRewards(t *testing.T) {
	rewards := []float64{1, 0, 1e308, -1e308, math.Inf(1), math.Inf(-1), math.NaN()}
	rows := make([]rollout.Row, len(rewards))
	for i := range rows {
		rows[i] = rollout.Row{Prompt: "p", FinalText: "reply " + strconv.Itoa(i), Reward: rollout.Number(1)}
		rows[i].Pos.Record = int64(i)
	}
	o := Options{MinRows: 1, Reward: func(r *rollout.Row) (float64, bool) { return rewards[r.Pos.Record], true }}
	r, err := Rows(context.Background(), rows, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Graded != 2 || r.Support.Capacity != 1 {
		t.Errorf("graded %d, capacity %v, want 2 and 1", r.Graded, r.Support.Capacity)
	}
}

// TestManyMarkers holds that a row with many markers takes time in proportion.
func TestManyMarkers(t *testing.T) {
	row := rollout.Row{Prompt: "p", Reward: rollout.Number(1)}
	for i := range 400_000 {
		row.Markers = append(row.Markers, rollout.Marker{Name: strconv.Itoa(i), Value: rollout.Number(1)})
	}
	row.Markers = append(row.Markers, rollout.Marker{Name: "7", Value: rollout.Number(3)}) // overwrites in place
	first, err := NewFirst(Options{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	page := first.Read([]rollout.Row{row})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	n, sevens := 0, 0.0
	for _, e := range page.entries {
		if name := page.names[e.feature]; name == "marker:7" {
			sevens += e.value
		}
		n++
	}
	if n != 400_000 || sevens != 3 {
		t.Errorf("%d entries, marker:7 is %v; want 400000 and 3", n, sevens)
	}
}

func TestAlphaIsNumber(t *testing.T) {
	if _, err := NewFirst(Options{Alpha: math.NaN()}); err == nil {
		t.Error("alpha NaN is taken")
	}
}
