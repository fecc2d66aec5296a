package measure_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// anyRecord draws a row with nearly anything that is counted in it.
func anyRecord() *rapid.Generator[record] {
	maybe := func(t *rapid.T, r record, name string, values ...any) {
		if i := rapid.IntRange(-1, len(values)-1).Draw(t, name); i >= 0 {
			r[name] = values[i]
		}
	}
	number := rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, 0.1, 0.2, 0.3, 1e300, -1e300, 1e-300, 1 << 53, 0.1 + 1e-12}),
		rapid.Float64Range(-1, 1),
	)
	return rapid.Custom(func(t *rapid.T) record {
		r := record{}
		maybe(t, r, "scenario_id", "a", "b", "c", "d", "e", 7, nil)
		maybe(t, r, "prompt", "ask", "ask again")
		maybe(t, r, "rollout_index", 0, 1, 2, 3, -1, "x")
		maybe(t, r, "reward", 0, 1, 1, 0, 0.5, "1", "0.0", true, nil, 2, "nan")
		maybe(t, r, "qwen_reward", 0, 1, 0.25)
		maybe(t, r, "judge_status", "ok", "timeout", "error", "Status.CRASHED", "crashed")
		maybe(t, r, "reason", "first", "second")
		maybe(t, r, "finish_reason", "stop", "length")
		maybe(t, r, "final_text", "", "yes", "<think>hm", "<think>hm</think> so")
		maybe(t, r, "category", "x", "y", 3)
		maybe(t, r, "sampling", record{"temperature": 0.7, "max_tokens": 5}, record{"temperature": 1})
		maybe(t, r, "policy_version", "m@1", "m@2")
		maybe(t, r, "lineage", record{"eval_run": 1}, record{"eval_run": "two"}, record{"scoring_run_id": "s"})
		maybe(t, r, "gold_reward", 0, 1, "1", 0.5)
		maybe(t, r, "gold_kind", "human", "model")
		maybe(t, r, "other", 0, 1, "tie")
		if rapid.Bool().Draw(t, "marked") {
			r["markers"] = record{"m": number.Draw(t, "m"), "n": rapid.SampledFrom([]any{1, 1.0, true, "1", nil, "inf", "nan"}).Draw(t, "n")}
		}
		return r
	})
}

// everything is all that can be told of a result, as text.
func everything(t rapid.TB, r *measure.Result) string {
	var all []any
	add := func(v any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	pass := measure.PassOptions{}
	pass.MinK, pass.Bootstrap.Draws = 1, 20
	reports, err := r.PassAt(pass, 1, 2, 3)
	add(reports, err)
	for _, report := range reports {
		all = append(all, report.String(), report.PerTask)
	}
	side := r.Side()
	report, err := stats.Delta(side, side, stats.DeltaOptions{Draws: 20, MustNotRegress: []string{"m"}})
	add(report, err)
	all = append(all, r.Findings(), r.SolvedBy(), r.NoRun, r.Rows())
	if len(r.Runs) > 0 {
		add(stats.EvalVariance(r.Runs, "", r.NoRun))
	}
	for _, m := range r.Metrics() {
		text := fmt.Sprintf("%s %v %d %d %d %v", m.Name, m.Tasks, m.Rows, m.AtOne, m.AtZero, m.Constant) // NaN is no JSON
		all = append(all, text)
	}
	for _, s := range r.Slices {
		all = append(all, s.Field, s.Unsaid, s.Crowded)
		for i := range s.Parts {
			all = append(all, s.Parts[i].Label, s.Parts[i].Tasks())
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is counted does not depend on the order in which rows come, on how they
// are spread over accumulators, or on how those are merged.
func TestOrderDoesNotShow(t *testing.T) {
	o := measure.ForComparison()
	o.By = append(o.By, field(t, "category"))
	rapid.Check(t, func(rt *rapid.T) {
		rows := decode(t, o.Fields(), rapid.SliceOfN(anyRecord(), 0, 40).Draw(rt, "rows"))
		whole := measure.New(o)
		whole.Add(rows)
		want := everything(rt, whole.Result())
		fresh := func() *measure.Accumulator { return measure.New(o) }
		got := everything(rt, scattered(rows, rapid.Uint64().Draw(rt, "seed"), fresh).Result())
		if got != want {
			rt.Fatalf("in order\n%s\nscattered\n%s", want, got)
		}
	})
}

func TestOrderOfLabelsDoesNotShow(t *testing.T) {
	gold := measure.GoldOptions{Columns: []measure.Field{field(t, "gold_reward"), field(t, "other")}}
	for _, o := range []measure.LabelOptions{{}, {Judge: field(t, "other")}, {Gold: gold}} {
		rapid.Check(t, func(rt *rapid.T) {
			rows := decode(t, rollout.AllFields, rapid.SliceOfN(anyRecord(), 0, 40).Draw(rt, "rows"))
			report := func(l *measure.Labels) string {
				raters, err := l.Raters(stats.BootstrapOptions{Draws: 20})
				if err != nil {
					rt.Fatal(err)
				}
				text, err := json.Marshal([]any{stats.Trust(l.Trust(), stats.TrustOptions{}), raters, l.Rows(), l.Others(), l.Unmatched()})
				if err != nil {
					rt.Fatal(err)
				}
				return string(text)
			}
			twins := func() *measure.Twins { return measure.NewTwins(gold) }
			whole, joined := o, o
			whole.Twins, joined.Twins = twins(), scattered(rows, 1, twins)
			whole.Twins.Add(rows)
			for _, o := range [][2]measure.LabelOptions{{o, o}, {whole, joined}} {
				l := measure.NewLabels(o[0])
				l.Add(rows)
				want := report(l)
				got := report(scattered(rows, rapid.Uint64().Draw(rt, "seed"), func() *measure.Labels { return measure.NewLabels(o[1]) }))
				if got != want {
					rt.Fatalf("in order\n%s\nscattered\n%s", want, got)
				}
			}
		})
	}
}

// Sinks want a worker, and can be run by hand.
func TestSinkByHand(t *testing.T) {
	a := measure.New(measure.Options{})
	batches, stop := stream.Chan(context.Background(), stream.FromSlice(rollouts([]float64{1, 0}, []float64{1})))
	if err := measure.Sink(a, 1).Run(context.Background(), batches); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil || a.Result().Rows() != 3 {
		t.Errorf("%d rows, %v", a.Result().Rows(), err)
	}
	defer func() {
		if recover() != "measure: Sink wants at least 1 worker" {
			t.Error("no panic for 0 workers")
		}
	}()
	measure.Sink(a, 0)
}

// A sink counts what one accumulator would, for any number of workers and any
// size of batches.
func TestSink(t *testing.T) {
	o := measure.ForComparison()
	rows := decode(t, o.Fields(), rapid.SliceOfN(anyRecord(), 500, 500).Example(1))
	whole := measure.New(o)
	whole.Add(rows)
	want := everything(t, whole.Result())
	for _, workers := range []int{1, 3} {
		for _, size := range []int{1, 7, 1000} {
			a := measure.New(o)
			flow := stream.FromSlice(rows, stream.Items(size))
			if _, err := stream.Run(context.Background(), stream.To(flow, measure.Sink(a, workers))); err != nil {
				t.Fatal(err)
			}
			if got := everything(t, a.Result()); got != want {
				t.Errorf("%d workers, batches of %d:\n%s\nwant\n%s", workers, size, got, want)
			}
		}
	}
}
