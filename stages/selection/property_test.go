package selection

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

var longReplyText = func() (s string) {
	for len(s) < 260 {
		s += "the parcel left the depot at dawn and "
	}
	return s
}()

// drawRows draws rows of a few tasks, with all that a gate looks at now and then.
func drawRows(t *rapid.T) []rollout.Row {
	n := rapid.IntRange(0, 40).Draw(t, "rows")
	rows := make([]rollout.Row, n)
	for i := range rows {
		r := &rows[i]
		r.Pos = rollout.Pos{Input: uint32(i / 16), Record: int64(i%16)/2 + 1, Part: uint32(i % 2)}
		task := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "task")
		r.Prompt = rapid.SampledFrom([]string{"Ask " + task, "ask  " + task, "Ask " + task + " again"}).Draw(t, "prompt")
		if rapid.Bool().Draw(t, "named") {
			r.TaskID = task
		}
		r.FinalText = rapid.SampledFrom([]string{"Yes.", "No.", "yes. ", "It left.", "503 Service", "", longReplyText}).Draw(t, "final")
		r.Reward = rapid.SampledFrom([]rollout.Value{
			rollout.Number(0), rollout.Number(1), rollout.Number(1), rollout.Number(0.5), {Text: `"1"`}, {Text: "null"}, {},
		}).Draw(t, "reward")
		r.Status = rapid.SampledFrom([]rollout.Status{0, 0, 0, rollout.StatusOK, rollout.StatusTimeout}).Draw(t, "status")
		r.LabelSource = rapid.SampledFrom([]string{"", "", "gold"}).Draw(t, "source")
		if rapid.IntRange(0, 9).Draw(t, "private") == 0 {
			r.Privileged = `{"reference":"the parcel left the depot"}`
		}
		r.Extra = []rollout.Member{
			{Name: "steps", JSON: rapid.SampledFrom([]string{
				`[]`, `[{"tool":"get","arguments":{"n":1},"result":{"status":"ok"}}]`, `[{"tool":"get","arguments":{"n":2},"result":{"status":"denied"}}]`,
			}).Draw(t, "steps")},
			{Name: "model_version", JSON: rapid.SampledFrom([]string{`"m1"`, `"m2"`, "null"}).Draw(t, "model")},
			{Name: "_ix", JSON: fmt.Sprint(i)},
		}
	}
	return rows
}

func drawOptions(t *rapid.T) Options {
	o := Options{
		Mode:   rapid.SampledFrom([]Mode{RL, SFT, Pairs}).Draw(t, "mode"),
		Target: rapid.SampledFrom([]int{0, 0, 1, 5, 12}).Draw(t, "target"),
		By:     func(r *rollout.Row) string { return textOf(member(r, "model_version")) }, ByName: "model_version",
		Holdout: rapid.SampledFrom([]float64{0, 0, 0.3}).Draw(t, "holdout"),
	}
	o.RL.IgnoreBand = rapid.Bool().Draw(t, "ignore")
	o.RL.Band.Confidence = rapid.SampledFrom([]float64{0, 0.8}).Draw(t, "confidence")
	o.RL.Truncated = rapid.SampledFrom([]Truncation{DropTruncated, KeepTruncated, PenalizeTruncated}).Draw(t, "truncated")
	o.RL.Order = rapid.SampledFrom([]Order{Spread, Middle}).Draw(t, "order")
	o.RL.TextGates = rapid.SampledFrom([]TextGates{AutoText, RequireText, SkipText}).Draw(t, "text")
	o.RL.KeepDuplicate = rapid.Bool().Draw(t, "duplicates")
	o.SFT.Rule = rapid.SampledFrom([]Rule{TopPerPrompt, RandomPerPrompt, TopKOverall, RandomKOverall}).Draw(t, "rule")
	o.SFT.MinReward = stats.Of(rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "least"))
	o.Pairs.MinMargin = rapid.SampledFrom([]float64{0.5, 1}).Draw(t, "margin")
	o.Pairs.MaxPerPrompt = rapid.IntRange(1, 3).Draw(t, "most")
	return o
}

func selectRows(t *rapid.T, rows []rollout.Row, o Options) *Selection {
	s, err := Select(rows, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestConservation: every row ends in exactly one place, and what is kept is
// what was picked, each row once.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows, o := drawRows(rt), drawOptions(rt)
		s := selectRows(rt, rows, o)
		balanced(t, s.Report, s.Gates)
		seen := map[int]bool{}
		for rank, i := range s.Picked {
			if seen[i] || s.Gates[i] != Kept {
				rt.Fatalf("row %d is picked and its gate is %v", i, s.Gates[i])
			}
			seen[i] = true
			if got := picks(s.Rows[rank : rank+1])[0]; got != i {
				rt.Fatalf("rank %d is row %d, want %d", rank, got, i)
			}
		}
		sliced := s.Report.By.Unsaid
		for _, x := range s.Report.By.Slices {
			sliced += x.Rows
			if x.Rows != x.Dropped.In() || x.Kept != x.Dropped[Kept] {
				rt.Fatalf("slice %s: in %d = kept %d + dropped %d does not hold", x.Label, x.Rows, x.Kept, x.Dropped.Dropped())
			}
		}
		if sliced != len(rows) {
			rt.Fatalf("%d rows in slices, want %d", sliced, len(rows))
		}
	})
}

// TestAnyWayToMerge: the plan does not depend on batches, on how they are spread
// over accumulators, nor on the order in which these merge.
func TestAnyWayToMerge(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows, o := drawRows(rt), drawOptions(rt)
		want := selectRows(rt, rows, o)
		var parts []*Accumulator
		for from := 0; from < len(rows); {
			to := min(len(rows), from+rapid.IntRange(1, 9).Draw(rt, "batch"))
			part := accumulator(rt, o)
			part.Add(rows[from:to])
			parts = append(parts, part)
			from = to
		}
		whole := accumulator(rt, o)
		for _, part := range rapid.Permutation(parts).Draw(rt, "order") {
			whole.Merge(part)
		}
		p, err := whole.Plan(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		for i := range rows {
			pick, err := p.Of(rows[i].Pos)
			if err != nil {
				rt.Fatal(err)
			}
			wanted := Pick{Gate: want.Gates[i], Rank: slices.Index(want.Picked, i), row: i}
			if pick != wanted {
				rt.Fatalf("row %d: got %+v, want %+v", i, pick, wanted)
			}
			row := rows[i]
			p.Finish(&row, pick)
			if pick.Gate == Kept && !reflect.DeepEqual(row, want.Rows[pick.Rank]) {
				rt.Fatalf("row %d: got %+v, want %+v", i, row, want.Rows[pick.Rank])
			}
		}
		got, _ := json.Marshal(p.Report())
		wanted, _ := json.Marshal(want.Report)
		if string(got) != string(wanted) {
			rt.Fatalf("got  %s\nwant %s", got, wanted)
		}
		if _, err := p.Of(rollout.Pos{Input: 9, Record: 1}); err == nil {
			rt.Fatal("a row that was not planned has a place in the plan")
		}
	})
}

func accumulator(t *rapid.T, o Options) *Accumulator {
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestWholeGroups: in mode RL a task is kept or dropped as a whole, but for the
// rows that a gate dropped by themselves; what is kept can teach something; a
// target only cuts the order short; keeping overlong replies loses none.
func TestWholeGroups(t *testing.T) {
	single := map[Gate]bool{GateLeak: true, GateIncompleteJunk: true, GateDoNothing: true, GateUnusableLabel: true, GateDuplicate: true, GateTruncated: true}
	rapid.Check(t, func(rt *rapid.T) {
		rows, o := drawRows(rt), drawOptions(rt)
		o.Mode, o.Target = RL, 0
		s := selectRows(rt, rows, o)
		byTask := map[string]map[Gate]int{}
		for i := range rows {
			if g := s.Gates[i]; !single[g] {
				if byTask[rows[i].TaskKey()] == nil {
					byTask[rows[i].TaskKey()] = map[Gate]int{}
				}
				byTask[rows[i].TaskKey()][g]++
			}
		}
		for task, gates := range byTask {
			if len(gates) > 1 {
				rt.Fatalf("task %s ended at several gates: %v", task, gates)
			}
		}
		if sig := s.Report.RL.Signal; o.RL.Truncated == DropTruncated && sig.AllZero+sig.AllOne > 0 {
			rt.Fatalf("unanimous tasks are left: %+v", sig)
		}
		target := rapid.IntRange(1, 20).Draw(rt, "cut")
		o.Target = target
		cut := selectRows(rt, rows, o)
		if !slices.Equal(cut.Picked, s.Picked[:len(cut.Picked)]) || len(cut.Picked) < min(target, len(s.Picked)) {
			rt.Fatalf("target %d picks %v of %v", target, cut.Picked, s.Picked)
		}
		o.Target, o.RL.Truncated = 0, DropTruncated
		o.Holdout = 0
		drop := selectRows(rt, rows, o)
		o.RL.Truncated = KeepTruncated
		if keep := selectRows(rt, rows, o); len(keep.Picked) < len(drop.Picked) {
			rt.Fatalf("keeping overlong replies leaves %d rows, dropping them %d", len(keep.Picked), len(drop.Picked))
		}
	})
}

// TestOnePerPrompt: the rules per prompt take one passing row of each prompt that
// has any, and the ranked rule the best.
func TestOnePerPrompt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows, o := drawRows(rt), drawOptions(rt)
		o.Mode, o.Target, o.Holdout = SFT, 0, 0
		o.SFT.Rule = rapid.SampledFrom([]Rule{TopPerPrompt, RandomPerPrompt}).Draw(rt, "rule")
		s := selectRows(rt, rows, o)
		best, taken := map[string]float64{}, map[string]float64{}
		for i := range rows {
			if g := s.Gates[i]; g == Kept || g == GateOutranked {
				reward, _ := rows[i].ScalarReward()
				if reward < o.SFT.MinReward.V {
					rt.Fatalf("row %d passes with %v", i, reward)
				}
				key := rows[i].PromptKey()
				best[key] = max(best[key], reward)
				if g == Kept {
					if _, twice := taken[key]; twice {
						rt.Fatalf("two rows of %q", key)
					}
					taken[key] = reward
				}
			}
		}
		if len(best) != len(taken) || o.SFT.Rule == TopPerPrompt && !reflect.DeepEqual(best, taken) {
			rt.Fatalf("took %v of %v", taken, best)
		}
	})
}

// TestPairsContrast: a pair is of one prompt, its margin is wide enough, and no
// row is in two.
func TestPairsContrast(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows, o := drawRows(rt), drawOptions(rt)
		o.Mode = Pairs
		s := selectRows(rt, rows, o)
		perPrompt := map[string]int{}
		for i := 0; i < len(s.Rows); i += 2 {
			c, r := &s.Rows[i], &s.Rows[i+1]
			perPrompt[c.PromptKey()]++
			if c.PromptKey() != r.PromptKey() || c.Reward.Num-r.Reward.Num < o.Pairs.MinMargin || perPrompt[c.PromptKey()] > o.Pairs.MaxPerPrompt {
				rt.Fatalf("pair %v: %q %v, %q %v", s.Picked[i:i+2], c.Prompt, c.Reward, r.Prompt, r.Reward)
			}
			pair := PairOf(c, r)
			if codes := rollout.Validate(pair.AppendJSON(nil), rollout.PreferenceRecord); len(codes) > 0 {
				rt.Fatalf("the pair is no preference row: %v", codes)
			}
		}
	})
}
