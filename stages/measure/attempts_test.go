package measure_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

// trials makes rows of rewards a task, indexed from a number.
func trials(from int, tasks ...[]any) []record {
	var list []record
	for i, rewards := range tasks {
		for j, reward := range rewards {
			r := record{"scenario_id": task(i), "reward": reward}
			if from >= 0 {
				r["rollout_index"] = from + j
			}
			list = append(list, r)
		}
	}
	return list
}

func times(n int, rewards ...any) [][]any {
	return slices.Repeat([][]any{rewards}, n)
}

func TestAttempts(t *testing.T) {
	solved := times(12, 0, 0, 1, 1)
	for _, c := range []struct {
		name     string
		rows     []record
		told     measure.Attempts
		withheld bool
	}{
		{"failures first, everywhere", trials(0, solved...), measure.Detect, true},
		{"counted from 1", trials(1, solved...), measure.Detect, true},
		{"stops when solved", trials(0, append(times(15, 0, 0, 0, 1), []any{1}, []any{0, 0, 0, 0})...), measure.Detect, true},
		{"too few to be sure", trials(0, solved[:7]...), measure.Detect, false}, // 1 in 6^7
		{"one task the other way", trials(0, append(solved, []any{0, 1, 0, 1})...), measure.Detect, false},
		{"passes first", trials(0, times(12, 1, 1, 0, 0)...), measure.Detect, false},
		{"without an index", trials(-1, solved...), measure.Detect, false},
		{"no task with both outcomes", trials(0, times(12, 1, 1, 1, 1)...), measure.Detect, false},
		{"told that they are independent", trials(0, solved...), measure.Independent, false},
		{"told that they are sequential", trials(0, times(12, 1, 1, 0, 0)...), measure.Sequential, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := count(t, measure.Options{}, c.rows)
			p := must[[]*stats.PassReport](t)(r.PassAt(measure.PassOptions{Attempts: c.told}, 4))[0]
			if !p.PassAt1.Valid || p.K != 4 {
				t.Errorf("pass@1 %+v at k=%d", p.PassAt1, p.K)
			}
			if p.PassAtK.Valid == c.withheld || p.PassPowK.Valid == c.withheld || p.Headroom.Valid == c.withheld || p.PassAtKCI95.Valid == c.withheld {
				t.Errorf("pass@k %+v, pass^k %+v, headroom %+v; withheld %v", p.PassAtK, p.PassPowK, p.Headroom, c.withheld)
			}
			if slices.Contains(codes(p.Findings), measure.CodeSequential) != c.withheld {
				t.Errorf("findings %v", codes(p.Findings))
			}
		})
	}
}

// Independent rollouts are not taken for sequential ones.
func TestIndependentRolloutsAreNotWithheld(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var tasks [][]any
		for range 3 + rng.IntN(30) {
			var rewards []any
			for range 4 {
				rewards = append(rewards, rng.IntN(2))
			}
			tasks = append(tasks, rewards)
		}
		r := count(t, measure.Options{}, trials(0, tasks...))
		if p := must[[]*stats.PassReport](t)(r.PassAt(measure.PassOptions{}, 4))[0]; !p.PassAtK.Valid {
			t.Fatalf("withheld: %v\n%v", p.Note, tasks)
		}
	}
}

func TestSolvedBy(t *testing.T) {
	for _, from := range []int{0, 1} {
		r := count(t, measure.Options{}, trials(from, []any{0, 0, 1}, []any{1}, []any{0, 0, 0}, []any{nil, 1}, []any{0, 1, 0}))
		var got []int
		for i, s := range r.SolvedBy() {
			if s.Attempt != i+1 || s.Tasks != 5 || s.Share.V != float64(s.Solved)/5 || !s.CI95.Valid {
				t.Errorf("%+v", s)
			}
			got = append(got, s.Solved)
		}
		if want := []int{1, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("from %d: solved %v, want %v", from, got, want)
		}
	}
	for name, list := range map[string][]record{
		"no index":  trials(-1, []any{0, 1}),
		"no rows":   nil,
		"far apart": {{"reward": 1, "rollout_index": 0}, {"reward": 1, "rollout_index": 4_000_000_000}},
		"negative":  {{"reward": 1, "rollout_index": -3}},
	} {
		if got := count(t, measure.Options{}, list).SolvedBy(); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
