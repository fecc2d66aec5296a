package stats

import (
	"fmt"
	"strings"
)

// judgeTarget finds the headline metric and its word: the target's when it was
// measured, else that of pass_at_1.
func (d *delta) judgeTarget() error {
	r := d.r
	d.target = MetricName(d.o.Target)
	d.headline = r.Metrics[0]
	measured := false
	if d.target != "" {
		r.Target = Of(d.target)
		r.TargetVerdict = Of(TargetNotMeasured)
		var m MetricDelta
		if m, measured = r.Metrics.Get(d.target); measured {
			d.headline = m
			r.TargetDelta, r.TargetCI95 = m.Delta, m.CI95
		}
	}
	r.RunStd, r.NoiseBand = d.headline.RunStd, d.headline.NoiseBand
	r.Replicated = d.headline.RunStd.Valid
	var err error
	if r.Train, err = d.trainSeeds(); err != nil {
		return err
	}
	word := d.headline.word(true, r.Replicated)
	moved := word == Moved || word == MovedUnreplicated || word == MovedWrongWay
	if moved && r.Train.CI95.Valid && r.Train.CI95.V.Contains(0) {
		word = NoChange
	}
	r.HeadlineVerdict = word
	if r.Train.UnderReplicated && word != NoData {
		r.HeadlineVerdict = Unresolved
	}
	if measured {
		d.gate = word
		r.TargetVerdict = Of(r.HeadlineVerdict)
	}
	return nil
}

// judgeProxy says whether the proxy rose without the target, or away from it.
func (d *delta) judgeProxy() {
	name := MetricName(d.o.Proxy)
	if name == "" {
		return
	}
	d.r.Proxy = Of(name)
	target := d.target
	if target == "" {
		target = MetricPassAt1
	}
	proxy, measured := d.r.Metrics.Get(name)
	switch {
	case name == target:
		d.r.ProxyVerdict = Of(ProxyIsTarget)
		return
	case !measured:
		d.r.ProxyVerdict = Of(ProxyNotMeasured)
		return
	}
	d.r.ProxyVerdict = Of(proxy.word(false, false))
	up := func(m MetricDelta) bool { return m.GainVerdict == BBetter && !m.WithinNoise }
	p, t := proxy.gainInterval(), d.headline.gainInterval()
	apart := p.Valid && t.Valid && p.V.Low > t.V.High
	d.r.OverOptimized = up(proxy) && (!up(d.headline) || apart)
}

// headlineWord is the verdict as it is printed.
func (d *delta) headlineWord() string {
	r := d.r
	if len(r.NotComparable) > 0 {
		word := "NOT COMPARABLE (" + strings.Join(r.NotComparable, ", ") + ")"
		if !r.OK {
			word = "FAIL: " + word
		}
		return word
	}
	if !r.OK {
		return "FAIL"
	}
	switch r.HeadlineVerdict {
	case Moved:
		return "PASS"
	case MovedUnreplicated:
		return fmt.Sprintf("INCONCLUSIVE (%s, rerun to confirm)", d.unreplicated())
	case WithinEvalNoise:
		return "NO DIFFERENCE (within eval noise)"
	case NoChange:
		return "NO DIFFERENCE"
	case NoData:
		return "INSUFFICIENT DATA"
	case Unresolved:
		return "UNRESOLVED (one training seed per arm)"
	}
	return "FAIL" // moved the wrong way; without a target that does not fail OK
}

// unreplicated says what is missing to tell a move from re-run noise.
func (d *delta) unreplicated() string {
	switch runs := d.r.EvalRuns; {
	case runs.Before < 2 && runs.After < 2:
		return "1 eval run a side"
	case runs.Before < 2:
		return "1 eval run before"
	case runs.After < 2:
		return "1 eval run after"
	}
	return "no re-run floor"
}
