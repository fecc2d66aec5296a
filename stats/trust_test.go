package stats_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stats"
)

// judged makes labelled rows: tp, fp, fn, tn of them.
func judged(tp, fp, fn, tn int) []stats.TrustRow {
	var out []stats.TrustRow
	add := func(n int, judge, gold stats.Label) {
		for range n {
			out = append(out, stats.TrustRow{
				Task: fmt.Sprintf("s%d", len(out)), Judge: judge, Gold: gold, Length: 10,
				Strict: stats.LabelPair{Judge: judge, Gold: gold, GoldKind: stats.KindHuman},
			})
		}
	}
	add(tp, stats.Pass, stats.Pass)
	add(fp, stats.Pass, stats.Fail)
	add(fn, stats.Fail, stats.Pass)
	add(tn, stats.Fail, stats.Fail)
	return out
}

// TestTrustFindings changes one thing and names the finding, and whether it
// makes the judge not ok.
func TestTrustFindings(t *testing.T) {
	good := func() stats.TrustInput { return stats.TrustInput{Rows: judged(50, 2, 2, 50)} }
	for _, c := range []struct {
		name     string
		in       func() stats.TrustInput
		code     stats.Code
		level    stats.Level
		headline string
	}{
		{"nothing wrong", good, "", "", "PASS"},
		{"fractional rewards, few", func() stats.TrustInput {
			in := good()
			in.Rows = append(in.Rows, stats.TrustRow{Judge: stats.NoLabel, Gold: stats.Pass, Reward: stats.Of(0.5),
				Strict: stats.LabelPair{Judge: stats.NoLabel, Gold: stats.Pass, GoldKind: stats.KindHuman}})
			return in
		}, stats.CodeSkippedShare, stats.Warning, "PASS"},
		{"fractional rewards, many", func() stats.TrustInput {
			in := good()
			for i := range 20 {
				in.Rows = append(in.Rows, stats.TrustRow{Judge: stats.NoLabel, Gold: stats.Pass, Reward: stats.Of(float64(i%7) / 10),
					Strict: stats.LabelPair{Judge: stats.NoLabel, Gold: stats.Pass, GoldKind: stats.KindHuman}})
			}
			return in
		}, stats.CodeSkippedShare, stats.Blocking, "INCONCLUSIVE: 16% of the gold rows have a reward that is no verdict"},
		{"another judge", func() stats.TrustInput {
			in := good()
			in.JudgeName = "mine"
			in.Rows[0].JudgeName, in.Rows[1].JudgeName = "other", "mine"
			return in
		}, stats.CodeForeignScorer, stats.Blocking, "FAIL"},
		{"inconsistent", func() stats.TrustInput {
			in := good()
			in.Perturbation = &stats.Rejudging{N: 40, Flips: 4, FillerN: 40}
			return in
		}, stats.CodeInconsistent, stats.Blocking, "FAIL"},
		{"moved by filler", func() stats.TrustInput {
			in := good()
			in.Perturbation = &stats.Rejudging{N: 40, FillerN: 40, FillerUp: 9, FillerDown: 1}
			return in
		}, stats.CodeFiller, stats.Blocking, "FAIL"},
		{"exploitable", func() stats.TrustInput {
			in := good()
			in.Probes = []stats.Probe{stats.AdditiveProbe("success_claim", 40, 5, 1, 30, 0)}
			return in
		}, stats.CodeExploitable, stats.Blocking, "FAIL"},
		{"a probe on few rows", func() stats.TrustInput {
			in := good()
			in.Probes = []stats.Probe{stats.AdditiveProbe("success_claim", 40, 5, 1, 10, 0)}
			return in
		}, "", "", "PASS"},
		{"gold by a model", func() stats.TrustInput {
			in := good()
			for i := range in.Rows {
				in.Rows[i].Strict.GoldKind = stats.KindModel
			}
			return in
		}, stats.CodeUntrustedGold, stats.Warning, "NOT MEASURED"},
		{"no labels", func() stats.TrustInput { return stats.TrustInput{Others: 7} }, stats.CodeUnmeasured, stats.Warning, "NOT MEASURED"},
		{"guessing", func() stats.TrustInput { return stats.TrustInput{Rows: judged(25, 25, 25, 25)} }, stats.CodeKappaLow, stats.Blocking, "FAIL"},
		{"leak", func() stats.TrustInput { return stats.TrustInput{Rows: judged(90, 2, 0, 18)} }, stats.CodeLeak, stats.Blocking, "FAIL"},
		{"length", func() stats.TrustInput {
			in := good()
			for i := range in.Rows { // whatever the judge passed among the gold passes is long
				in.Rows[i].Length = 10 + 90*int(in.Rows[i].Judge)*int(in.Rows[i].Gold)
			}
			return in
		}, stats.CodeLengthBias, stats.Blocking, "FAIL"},
		{"coarse", func() stats.TrustInput { return stats.TrustInput{Rows: judged(20, 0, 0, 20)} }, stats.CodeCoarse, stats.Warning, "PASS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := stats.Trust(c.in(), stats.TrustOptions{})
			if r.Headline != c.headline || r.OK != (c.headline == "PASS") {
				t.Errorf("headline %q, ok %v; want %q", r.Headline, r.OK, c.headline)
			}
			if c.code == "" && len(r.Findings) > 0 {
				t.Errorf("findings %v, want none", codes(r.Findings))
			}
			if c.code == "" {
				return
			}
			i := slices.IndexFunc(r.Findings, func(f stats.Finding) bool { return f.Code == c.code })
			if i < 0 || r.Findings[i].Level != c.level {
				t.Errorf("findings %+v, want %s (%s)", r.Findings, c.code, c.level)
			}
		})
	}
}

func TestTrustCounts(t *testing.T) {
	in := stats.TrustInput{Rows: judged(30, 0, 0, 30), Others: 5}
	for i := range 9 {
		in.Rows = append(in.Rows, stats.TrustRow{Judge: stats.NoLabel, Gold: stats.Fail, Reward: stats.Of(float64(8-i) / 10),
			Strict: stats.LabelPair{Judge: stats.NoLabel, Gold: stats.Fail}})
	}
	in.Rows = append(in.Rows, stats.TrustRow{Judge: stats.NoLabel, Gold: stats.Pass, Strict: stats.LabelPair{Judge: stats.NoLabel, Gold: stats.Pass}})
	r := stats.Trust(in, stats.TrustOptions{MaxSkipped: 0.5})
	if r.Rows != 75 || r.Labeled != 60 || r.Agreement.Skipped != 15 {
		t.Errorf("rows %d, labelled %d, skipped %d", r.Rows, r.Labeled, r.Agreement.Skipped)
	}
	s := r.Skipped
	if s.Gold != 70 || s.Used != 60 || s.Fractional != 9 || s.Unscored != 1 || s.Share.V != 0.1286 || s.OverFloor ||
		!slices.Equal(s.Examples, []float64{0, 0.1, 0.2, 0.3, 0.4}) {
		t.Errorf("skipped %+v", s)
	}
	if in := (stats.Rejudging{N: 3, Flips: 1}); true { // the caller's counts stay as they are
		stats.Trust(stats.TrustInput{Perturbation: &in}, stats.TrustOptions{})
		if in.FlipRate.Valid {
			t.Error("the perturbation of the caller was changed")
		}
	}
}

func TestProbes(t *testing.T) {
	up := stats.AdditiveProbe("filler", 40, 2, 5, 20, 0)
	if up.Hits != 0 || up.Rate.V != 0 || up.Flagged || up.LowPower {
		t.Errorf("more down than up: %+v", up)
	}
	refusal := stats.ReplacementProbe("refusal", 40, 0, 20, 4, 0)
	if refusal.Hits != 4 || refusal.Of != 40 || !refusal.Flagged {
		t.Errorf("at the flag: %+v", refusal)
	}
	low := stats.AdditiveProbe("prompt_echo", 30, 9, 0, 19, 0)
	if low.Flagged || !low.LowPower || low.Resolves.V != 0.33 {
		t.Errorf("low power: %+v", low)
	}
	if none := stats.AdditiveProbe("sycophancy", 30, 0, 0, 0, 0); none.Rate.Valid || none.Flagged || none.LowPower || none.CI95.Valid {
		t.Errorf("no failing row: %+v", none)
	}
}

func TestSignTestOfMany(t *testing.T) {
	if p := stats.SignTest(2000, 2000); math.Abs(p-1) > 1e-9 {
		t.Errorf("as many up as down: %v", p)
	}
	// 1100 of 2000: a normal approximation with continuity correction is good
	// to a few per cent here.
	approx := 2 * (1 - stats.NormalCDF((1100-1000-0.5)/math.Sqrt(500)))
	if p := stats.SignTest(1100, 900); math.Abs(p/approx-1) > 0.03 {
		t.Errorf("p = %v, want about %v", p, approx)
	}
}

func TestAudit(t *testing.T) {
	rows := []stats.AuditRow{
		{Judge: stats.Of(0.9), Reason: "verifier: expected 42 (got 41)"},
		{Judge: stats.Of(0.5), Reason: "Expected 7: got 8"},
		{Judge: stats.Of(0.1), Reason: "expected 3.5"},
		{Judge: stats.Of(0.2), Reason: "no answer"},
		{Reason: "no answer"},
		{Passed: true, Judge: stats.Of(0.4)},
		{Passed: true, Judge: stats.Of(1.0)},
	}
	r := stats.Audit(rows, 50, 0)
	if r.Checked != 4 || r.FN != 2 || r.FNRate.V != 0.5 || r.WrongFails.V != 25 || r.PassChecked != 2 || r.FP != 1 || r.JudgeErrors != 1 {
		t.Errorf("%+v", r)
	}
	if want := []stats.AuditReason{{"expected #", 3, 2}, {"no answer", 1, 0}}; !slices.Equal(r.Reasons, want) {
		t.Errorf("reasons %v, want %v", r.Reasons, want)
	}
	want := []stats.Code{stats.CodeFalseNegatives, stats.CodeFewAudited, stats.CodeFalsePositives, stats.CodeJudgeErrors, stats.CodeSecondOpinion}
	if !slices.Equal(codes(r.Findings), want) || !slices.Equal(r.Examples, []int{0, 1}) {
		t.Errorf("findings %v, examples %v", codes(r.Findings), r.Examples)
	}
	clean := make([]stats.AuditRow, 20)
	for i := range clean {
		clean[i].Judge = stats.Of(0.0)
	}
	clean[0].Judge, clean[1].Judge = stats.Of(1.0), stats.Of(1.0) // 10 %, which is not above 10 %
	if r := stats.Audit(clean, 20, 0); !slices.Equal(codes(r.Findings), []stats.Code{stats.CodeSecondOpinion}) {
		t.Errorf("findings %v", codes(r.Findings))
	}
	fails, passes, err := stats.AuditSample(100, 3, 40, 5, 0)
	if err != nil || !slices.Equal(fails[:3], []int{49, 97, 53}) || len(fails) != 40 || !slices.Equal(passes, []int{0, 1, 2}) {
		t.Errorf("sample %v, %v, %v", fails, passes, err)
	}
	if _, _, err := stats.AuditSample(1, 1, 0, 0, 0); err == nil {
		t.Error("a sample of nothing was accepted")
	}
}

func TestPairwise(t *testing.T) {
	c, r, tie, failed := stats.PairChosen, stats.PairRejected, stats.PairTie, stats.PairFailed
	for _, x := range []struct {
		first, second, winner stats.PairAnswer
		consistent            stats.Null[bool]
	}{
		{c, c, c, stats.Of(true)}, {r, r, r, stats.Of(true)}, {tie, tie, tie, stats.Of(true)},
		{c, r, tie, stats.Of(false)}, {c, tie, tie, stats.Of(false)},
		{failed, r, r, stats.Null[bool]{}}, {c, failed, c, stats.Null[bool]{}}, {failed, failed, failed, stats.Null[bool]{}},
	} {
		v := stats.ResolvePair(x.first, x.second)
		if v.Winner != x.winner || v.Consistent != x.consistent {
			t.Errorf("%q and %q: %+v", x.first, x.second, v)
		}
	}
	verdicts := []stats.PairVerdict{
		stats.ResolvePair(c, c), stats.ResolvePair(c, r), stats.ResolvePair(r, r), stats.ResolvePair(failed, failed), stats.ResolvePair(failed, c),
	}
	report := stats.Pairwise(verdicts, stats.PairwiseOptions{})
	if report.N != 5 || report.Judged != 4 || report.Failed != 1 || report.FlipRate.V != 0.3333 || report.TieRate.V != 0.25 ||
		report.Agrees.V != 0.5 || report.PrefersRejected != 1 || !slices.Equal(report.Disagreements, []int{2}) {
		t.Errorf("%+v", report)
	}
	if want := []stats.Code{stats.CodePositionFlip, stats.CodePrefersRejected}; !slices.Equal(codes(report.Findings), want) {
		t.Errorf("findings %v, want %v", codes(report.Findings), want)
	}
}

func TestGroupwiseErrors(t *testing.T) {
	for name, try := range map[string]func() error{
		"cap under 1": func() error {
			_, err := stats.Redistribute([]float64{1, 0}, map[int]float64{0: 1}, stats.GroupwiseOptions{Cap: 0.5})
			return err
		},
		"a pass without factor": func() error {
			_, err := stats.Redistribute([]float64{1, 0}, nil, stats.GroupwiseOptions{})
			return err
		},
		"factor above 1": func() error {
			_, err := stats.Redistribute([]float64{1, 0}, map[int]float64{0: 1.1}, stats.GroupwiseOptions{})
			return err
		},
	} {
		if err := try(); err == nil || !strings.HasPrefix(err.Error(), "stats: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
