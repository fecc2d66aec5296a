package stats_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

// metric makes a metric of one value a task, four rows each.
func metric(name string, values ...float64) stats.Metric {
	m := stats.Metric{Name: name, Constant: true}
	for i, v := range values {
		m.Tasks = append(m.Tasks, stats.TaskMean{Key: fmt.Sprintf("t%03d", i), Mean: v, N: 4})
		m.Rows += 4
		m.Constant = m.Constant && v == values[0]
	}
	return m
}

// many repeats values n times, so that pairs are many and vary.
func many(n int, values ...float64) []float64 {
	out := make([]float64, 0, n*len(values))
	for range n {
		out = append(out, values...)
	}
	return out
}

func sides(before, after []stats.Metric) (stats.Side, stats.Side) {
	a, b := stats.Side{Metrics: before}, stats.Side{Metrics: after}
	a.Config.K, b.Config.K = 4, 4
	a.Config.Counts.Rows, a.Config.Counts.Graded = 40, 40
	b.Config.Counts.Rows, b.Config.Counts.Graded = 40, 40
	return a, b
}

// gain is two sides of which the second is better by about 0.25 on 40 tasks.
func gain() (stats.Side, stats.Side) {
	return sides([]stats.Metric{metric(stats.MetricPassAt1, many(10, 0.25, 0.5, 0.25, 0.5)...)},
		[]stats.Metric{metric(stats.MetricPassAt1, many(10, 0.5, 0.75, 0.75, 0.5)...)})
}

func compareSides(t *testing.T, a, b stats.Side, o stats.DeltaOptions) *stats.DeltaReport {
	t.Helper()
	o.Draws = 200
	return must[*stats.DeltaReport](t)(stats.Delta(a, b, o))
}

func codes(findings []stats.Finding) []stats.Code {
	var out []stats.Code
	for _, f := range findings {
		out = append(out, f.Code)
	}
	return out
}

// TestDeltaComparability changes one thing a row and says what the report
// makes of it.
func TestDeltaComparability(t *testing.T) {
	of := func(s string) stats.Null[string] { return stats.Of(s) }
	for _, c := range []struct {
		name   string
		change func(a, b *stats.Side)
		cause  string // in NotComparable
		ok     bool
		code   stats.Code // among the findings
		word   string
	}{
		{"nothing", func(a, b *stats.Side) {}, "", true, "", "PASS"},
		{"prompt", func(a, b *stats.Side) { a.Config.PromptHash, b.Config.PromptHash = of("x"), of("y") },
			"prompt_hash", true, stats.CodeConfigDiffers, "NOT COMPARABLE (prompt_hash)"},
		{"prompt on one side", func(a, b *stats.Side) { a.Config.PromptHash = of("x") }, "", true, "", "PASS"},
		{"temperature", func(a, b *stats.Side) { a.Config.Temperature, b.Config.Temperature = stats.Of(0.0), stats.Of(1.0) },
			"", true, stats.CodeConfigDiffers, "PASS"},
		{"user", func(a, b *stats.Side) { a.Config.UserModel, b.Config.UserModel = of("x"), of("y") },
			"user_model", false, stats.CodeUserDiffers, "FAIL: NOT COMPARABLE (user_model)"},
		{"writer", func(a, b *stats.Side) { a.Config.WriterModel, b.Config.WriterModel = of("x"), of("seed") },
			"writer_model", false, stats.CodeWriterDiffers, "FAIL: NOT COMPARABLE (writer_model)"},
		{"writers that are no model", func(a, b *stats.Side) { a.Config.WriterModel, b.Config.WriterModel = of("template"), of("seed") },
			"", true, "", "PASS"},
		{"the agent plays the user", func(a, b *stats.Side) {
			a.Config.UserModel, b.Config.UserModel = of("m"), of("m")
			a.Config.PolicyVersion, b.Config.PolicyVersion = of("m@1"), of("m@2")
		}, "", true, stats.CodePeerIsAgent, "PASS"},
		{"one policy", func(a, b *stats.Side) { a.Config.PolicyVersion, b.Config.PolicyVersion = of("m@1"), of("m@1") },
			"", true, stats.CodeSamePolicy, "PASS"},
		{"k", func(a, b *stats.Side) { b.Config.K = 8 }, "", true, stats.CodeUnequalK, "PASS"},
		{"truncation", func(a, b *stats.Side) {
			a.Config.Counts.Finished, b.Config.Counts.Finished, b.Config.Counts.Truncated = 100, 100, 6
		}, "", true, stats.CodeTruncatedGap, "PASS"},
		{"few grades missing", func(a, b *stats.Side) { a.Config.Counts.Graded = 37 }, "", true, stats.CodeGradedShare, "PASS"},
		{"many grades missing", func(a, b *stats.Side) { a.Config.Counts.Graded = 20 },
			"graded_share", false, stats.CodeGradedShare, "FAIL: NOT COMPARABLE (graded_share)"},
		{"silence", func(a, b *stats.Side) {
			a.Config.Counts.Replies, a.Config.Counts.Answered = 100, 100
			b.Config.Counts.Replies, b.Config.Counts.Answered = 100, 70
		}, "answered", false, stats.CodeAnswered, "FAIL: NOT COMPARABLE (answered)"},
		{"a little silence", func(a, b *stats.Side) {
			a.Config.Counts.Replies, a.Config.Counts.Answered = 1000, 1000
			b.Config.Counts.Replies, b.Config.Counts.Answered = 1000, 980
		}, "", true, stats.CodeAnswered, "PASS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := gain()
			c.change(&a, &b)
			r := compareSides(t, a, b, stats.DeltaOptions{Target: "pass_at_1", RunStd: stats.Of(0.01), RunStdRuns: 40})
			want := []string{}
			if c.cause != "" {
				want = []string{c.cause}
			}
			if !slices.Equal(r.NotComparable, want) || r.OK != c.ok || r.HeadlineWord != c.word {
				t.Errorf("not comparable %v, ok %v, %q; want %v, %v, %q", r.NotComparable, r.OK, r.HeadlineWord, want, c.ok, c.word)
			}
			if c.code == "" && len(r.Findings) > 0 || c.code != "" && !slices.Contains(codes(r.Findings), c.code) {
				t.Errorf("findings %v, want %q", codes(r.Findings), c.code)
			}
		})
	}
}

// TestDeltaDirection: where lower is better, a rise is a loss; the delta stays
// raw.
func TestDeltaDirection(t *testing.T) {
	up := many(10, 0.5, 0.75, 0.75, 0.5)
	low := many(10, 0.25, 0.5, 0.25, 0.5)
	a, b := sides([]stats.Metric{metric(stats.MetricPassAt1, up...), metric("marker:cost", low...)},
		[]stats.Metric{metric(stats.MetricPassAt1, up...), metric("marker:cost", up...)})
	for _, c := range []struct {
		lower      map[string]bool
		verdict    stats.Verdict
		list       func(r *stats.DeltaReport) []string
		ok         bool
		overloaded bool
	}{
		{nil, stats.BBetter, func(r *stats.DeltaReport) []string { return r.Improved }, true, false},
		{map[string]bool{"cost": true}, stats.ABetter, func(r *stats.DeltaReport) []string { return r.Regressions }, false, false},
	} {
		r := compareSides(t, a, b, stats.DeltaOptions{LowerIsBetter: c.lower, MustNotRegress: []string{"cost"}})
		m, _ := r.Metrics.Get("marker:cost")
		if m.GainVerdict != c.verdict || m.Delta.V != 0.25 || !slices.Equal(c.list(r), []string{"marker:cost"}) || r.OK != c.ok {
			t.Errorf("%v: %+v, ok %v", c.lower, m, r.OK)
		}
	}
	_, err := stats.Delta(a, b, stats.DeltaOptions{LowerIsBetter: map[string]bool{"nope": true}})
	if !errors.Is(err, stats.ErrArgument) {
		t.Errorf("direction of an unknown metric: %v", err)
	}
}

func TestDeltaOptionsOutOfRange(t *testing.T) {
	a, b := gain()
	empty := a
	empty.TrainRuns = []stats.Part{}
	for name, try := range map[string]func() error{
		"alpha 1":              func() error { _, err := stats.Delta(a, b, stats.DeltaOptions{Alpha: 1}); return err },
		"power 2":              func() error { _, err := stats.Delta(a, b, stats.DeltaOptions{Power: 2}); return err },
		"runs without run_std": func() error { _, err := stats.Delta(a, b, stats.DeltaOptions{RunStdRuns: 3}); return err },
		"one run behind run_std": func() error {
			_, err := stats.Delta(a, b, stats.DeltaOptions{RunStd: stats.Of(0.1), RunStdRuns: 1})
			return err
		},
		"no training seed": func() error { _, err := stats.Delta(empty, b, stats.DeltaOptions{}); return err },
	} {
		if err := try(); !errors.Is(err, stats.ErrArgument) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeltaFloors: a metric is never judged by another's floor.
func TestDeltaFloors(t *testing.T) {
	up, low := many(10, 0.5, 0.75, 0.75, 0.5), many(10, 0.25, 0.5, 0.25, 0.5)
	a, b := sides([]stats.Metric{metric(stats.MetricPassAt1, low...), metric("marker:x", low...)},
		[]stats.Metric{metric(stats.MetricPassAt1, up...), metric("marker:x", up...)})
	r := compareSides(t, a, b, stats.DeltaOptions{
		Target:         "x",
		RunStdByMetric: map[string]stats.Null[float64]{stats.MetricPassAt1: stats.Of(0.5)},
	})
	pass, _ := r.Metrics.Get(stats.MetricPassAt1)
	x, _ := r.Metrics.Get("marker:x")
	if !pass.WithinNoise || x.WithinNoise || x.NoiseNote != stats.NoReplicateFloor {
		t.Errorf("pass_at_1 %+v, x %+v", pass, x)
	}
	if r.Replicated || r.HeadlineVerdict != stats.MovedUnreplicated || r.TargetVerdict.V != stats.MovedUnreplicated {
		t.Errorf("headline %v, replicated %v", r.HeadlineVerdict, r.Replicated)
	}
	for _, code := range []stats.Code{stats.CodeNoFloor, stats.CodeBareRunStd, stats.CodeInsideBand} {
		if !slices.Contains(codes(r.Findings), code) {
			t.Errorf("findings %v lack %s", codes(r.Findings), code)
		}
	}
}

// TestDeltaOneSidedRuns: five runs against one are compared with the whole.
func TestDeltaOneSidedRuns(t *testing.T) {
	a, b := gain()
	for i, label := range []string{"10", "9", "x"} {
		part := stats.Part{Label: label, Metrics: b.Metrics}
		if i == 0 {
			part.Metrics = a.Metrics // a run that did not move
		}
		b.EvalRuns = append(b.EvalRuns, part)
	}
	r := compareSides(t, a, b, stats.DeltaOptions{})
	if r.HeadlineWord != "INCONCLUSIVE (1 eval run before, rerun to confirm)" {
		t.Errorf("headline %q", r.HeadlineWord)
	}
	var labels []string
	for _, p := range r.Repeats.Pairs {
		labels = append(labels, p.Before+"-"+p.After+" "+p.Tag)
	}
	if want := []string{"all-9 up", "all-10 flat", "all-x up"}; !slices.Equal(labels, want) || r.Repeats.Note != "2/3 runs agree" {
		t.Errorf("pairs %v, note %q; want %v", labels, r.Repeats.Note, want)
	}
}

// TestDeltaSlicesByField takes the field asked for, and none when told so.
func TestDeltaSlicesByField(t *testing.T) {
	a, b := gain()
	slicing := func(field string, metrics []stats.Metric, names ...string) stats.Slicing {
		s := stats.Slicing{Field: field}
		for _, n := range names {
			s.Parts = append(s.Parts, stats.Part{Label: n, Metrics: metrics})
		}
		return s
	}
	a.Slices = []stats.Slicing{slicing("category", a.Metrics, "one"), slicing("slice", a.Metrics, "p", "q"), slicing("lang", a.Metrics, "en")}
	b.Slices = []stats.Slicing{slicing("category", b.Metrics, "one"), slicing("slice", b.Metrics, "q", "p", "r"), slicing("lang", b.Metrics, "en")}
	for _, c := range []struct {
		o      stats.DeltaOptions
		by     string
		source string
		groups int
	}{
		{stats.DeltaOptions{}, "slice", "auto", 2}, // category has one value in common
		{stats.DeltaOptions{By: "lang"}, "lang", "given", 1},
		{stats.DeltaOptions{By: "nothing"}, "", "", 0},
		{stats.DeltaOptions{NoSlice: true}, "", "", 0},
	} {
		r := compareSides(t, a, b, c.o)
		if r.By.V != c.by || r.BySource.V != c.source || len(r.Groups) != c.groups {
			t.Errorf("%+v: by %v (%v), %d groups", c.o, r.By, r.BySource, len(r.Groups))
		}
	}
}

func TestBalanceRollouts(t *testing.T) {
	before := []stats.TaskRows{{Key: "b", Rows: 4}, {Key: "t1", Rows: 4}, {Key: "only", Rows: 9}}
	after := []stats.TaskRows{{Key: "t1", Rows: 2}, {Key: "b", Rows: 6}}
	keeps, report := stats.BalanceRollouts(before, after, 0)
	if report.RowsDropped != (stats.SideCounts{Before: 2, After: 2}) || report.TasksTrimmed != 2 || len(keeps) != 2 {
		t.Fatalf("%+v, %+v", keeps, report)
	}
	// The vector rng.shuffle.0:before:t1 gives the order 0 2 1 3.
	if k := keeps[1]; k.Key != "t1" || k.After || !slices.Equal(k.Rows, []int{0, 2}) {
		t.Errorf("kept %+v", k)
	}
	if k := keeps[0]; k.Key != "b" || !k.After || len(k.Rows) != 4 {
		t.Errorf("kept %+v", k)
	}
}

// TestDeltaProperties: a report is always written as JSON and printed, even
// with values that are not numbers, and turning the sides turns the deltas.
func TestDeltaProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.75, 1, math.NaN()})
		rows := rapid.SliceOfN(value, 0, 12)
		side := func(name string) stats.Side {
			s := stats.Side{Metrics: []stats.Metric{
				metric(stats.MetricPassAt1, rows.Draw(t, name)...), metric("marker:x", rows.Draw(t, name+" marker")...),
			}}
			s.Config.Counts.Rows = rapid.IntRange(0, 5).Draw(t, "rows")
			s.Config.Counts.Graded = rapid.IntRange(0, s.Config.Counts.Rows).Draw(t, "graded")
			return s
		}
		a, b := side("before"), side("after")
		o := stats.DeltaOptions{Draws: 20, Proxy: "x", MustNotRegress: []string{"x", "y"}, Target: rapid.SampledFrom([]string{"", "pass_at_1", "x", "z"}).Draw(t, "target")}
		r, err := stats.Delta(a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		if raw, err := json.Marshal(r); err != nil || !json.Valid(raw) {
			t.Fatalf("%v: %s", err, raw)
		}
		if r.String() == "" {
			t.Fatal("nothing printed")
		}
		back, err := stats.Delta(b, a, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range r.Metrics {
			if x, y := m.Delta, back.Metrics[i].Delta; x.Valid != y.Valid || x.Valid && !math.IsNaN(x.V) && math.Abs(x.V+y.V) > 1e-12 {
				t.Fatalf("delta %v one way, %v the other", x, y)
			}
		}
	})
}

// TestDeltaMarkers: the markers asked for, in their order, once each, with or
// without their prefix.
func TestDeltaMarkers(t *testing.T) {
	low := many(10, 0.25, 0.5)
	a, b := sides([]stats.Metric{metric("pass_at_1", low...), metric("marker:x", low...), metric("marker:y", low...), metric("marker:z", low...)},
		[]stats.Metric{metric("pass_at_1", low...), metric("marker:y", low...), metric("marker:x", low...)})
	for _, c := range []struct {
		ask  []string
		want []string
	}{
		{nil, []string{"pass_at_1", "marker:x", "marker:y"}},
		{[]string{"y", "marker:x", "y", "pass_at_1"}, []string{"pass_at_1", "marker:y", "marker:x"}},
		{[]string{}, []string{"pass_at_1"}},
	} {
		var got []string
		for _, m := range compareSides(t, a, b, stats.DeltaOptions{Markers: c.ask}).Metrics {
			got = append(got, m.Metric)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("asked %v: %v, want %v", c.ask, got, c.want)
		}
	}
}

// TestDeltaProxy: a proxy is over-optimized when it rises alone or further than
// the target does; a falling cost is a rise.
func TestDeltaProxy(t *testing.T) {
	low, up, far := many(10, 0.25, 0.5, 0.25, 0.5), many(10, 0.5, 0.75, 0.5, 0.75), many(10, 0.75, 1, 1, 0.75)
	for _, c := range []struct {
		name                 string
		targetFrom, targetTo []float64
		proxyFrom, proxyTo   []float64
		over                 bool
		verdict              stats.Word
		proxy                string
		costs                bool
	}{
		{name: "rises alone", targetFrom: low, targetTo: low, proxyFrom: low, proxyTo: up, over: true, verdict: stats.Moved, proxy: "p"},
		{name: "rises along", targetFrom: low, targetTo: up, proxyFrom: low, proxyTo: up, over: false, verdict: stats.Moved, proxy: "p"},
		{name: "rises further", targetFrom: low, targetTo: up, proxyFrom: low, proxyTo: far, over: true, verdict: stats.Moved, proxy: "p"},
		{name: "falls", targetFrom: low, targetTo: low, proxyFrom: up, proxyTo: low, over: false, verdict: stats.MovedWrongWay, proxy: "p"},
		{name: "a cost that falls", targetFrom: low, targetTo: low, proxyFrom: up, proxyTo: low, over: true, verdict: stats.Moved, proxy: "p", costs: true},
		{name: "missing", targetFrom: low, targetTo: up, proxyFrom: low, proxyTo: up, over: false, verdict: stats.ProxyNotMeasured, proxy: "q"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := sides([]stats.Metric{metric("pass_at_1", c.targetFrom...), metric("marker:p", c.proxyFrom...)},
				[]stats.Metric{metric("pass_at_1", c.targetTo...), metric("marker:p", c.proxyTo...)})
			o := stats.DeltaOptions{Proxy: c.proxy}
			if c.costs {
				o.LowerIsBetter = map[string]bool{"p": true}
			}
			r := compareSides(t, a, b, o)
			if r.OverOptimized != c.over || r.OK == c.over || r.ProxyVerdict.V != c.verdict {
				t.Errorf("over-optimized %v, ok %v, %v", r.OverOptimized, r.OK, r.ProxyVerdict)
			}
		})
	}
}

// TestDeltaSliceOrder: weak ones first, by what they reached; without a delta
// last. Where lower is better the highest comes first.
func TestDeltaSliceOrder(t *testing.T) {
	part := func(name string, values ...float64) stats.Part {
		return stats.Part{Label: name, Metrics: []stats.Metric{metric("marker:m", values...)}}
	}
	flat := func(v float64) []float64 { return many(8, v) }
	a, b := sides([]stats.Metric{metric("pass_at_1", flat(0.5)...), metric("marker:m", flat(0.5)...)},
		[]stats.Metric{metric("pass_at_1", flat(0.5)...), metric("marker:m", flat(0.5)...)})
	a.Slices = []stats.Slicing{{Field: "slice", Parts: []stats.Part{
		part("better", flat(0.2)...), part("low", flat(0.2)...), part("lower", flat(0.1)...), part("high", flat(0.95)...), {Label: "empty"}}}}
	b.Slices = []stats.Slicing{{Field: "slice", Parts: []stats.Part{
		part("empty", 0.5), part("better", flat(0.7)...), part("low", flat(0.3)...), part("lower", flat(0.1)...), part("high", flat(0.95)...)}}}
	for _, c := range []struct {
		lower bool
		want  []string
		weak  []string
		down  []string
	}{
		{false, []string{"lower", "low", "better", "high", "empty"}, []string{"lower", "low"}, nil},
		{true, []string{"better", "low", "lower", "high", "empty"}, []string{"better", "low", "lower"}, []string{"better", "low"}},
	} {
		r := compareSides(t, a, b, stats.DeltaOptions{Target: "m", LowerIsBetter: map[string]bool{"m": c.lower}})
		var got []string
		for _, g := range r.Groups {
			got = append(got, g.Name)
		}
		if !slices.Equal(got, c.want) || !slices.Equal(r.GroupsWeak, c.weak) || !slices.Equal(r.GroupsDown, c.down) {
			t.Errorf("lower is better %v: %v, weak %v, down %v", c.lower, got, r.GroupsWeak, r.GroupsDown)
		}
		if !r.OK {
			t.Error("a slice that got worse must not fail the report")
		}
	}
}
