package stats

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// lowerIsBetter are the markers of which less is better unless told otherwise.
var lowerIsBetter = map[string]bool{
	"marker:boilerplate": true, "marker:self_reference": true, "marker:hedging": true,
	"marker:refusal": true, "marker:sycophancy": true, "marker:truncated": true,
}

// NoReplicateFloor is the note of a metric that has no re-run standard
// deviation of its own where others have one.
const NoReplicateFloor Code = "no_replicate_floor"

// MetricDelta is the comparison of one metric in a [DeltaReport]. Delta, CI95
// and the means stay raw; GainVerdict is turned round where lower is better.
type MetricDelta struct {
	Comparison
	GainVerdict   Verdict       `json:"gain_verdict"`
	LowerIsBetter bool          `json:"lower_is_better"`
	Guarded       bool          `json:"guarded"`
	Degenerate    bool          `json:"degenerate"` // on both sides
	RunStd        Null[float64] `json:"run_std"`
	NoiseBand     Null[float64] `json:"noise_band"`
	WithinNoise   bool          `json:"within_noise"` // smaller than the band, whatever the verdict
	NoiseNote     Code          `json:"noise_note,omitempty"`
}

// gain is the delta with its sign turned to "more is better".
func (m MetricDelta) gain() Null[float64] {
	if m.LowerIsBetter && m.Delta.Valid {
		return Of(-m.Delta.V)
	}
	return m.Delta
}

// gainInterval is the interval turned likewise.
func (m MetricDelta) gainInterval() Null[Interval] {
	if m.LowerIsBetter && m.CI95.Valid {
		return Of(Interval{Low: -m.CI95.V.High, High: -m.CI95.V.Low})
	}
	return m.CI95
}

// word is the verdict word without and with what re-runs say.
func (m MetricDelta) word(bands, replicated bool) Word {
	w := map[Verdict]Word{BBetter: Moved, ABetter: MovedWrongWay, NoDifference: NoChange, InsufficientData: NoData}[m.GainVerdict]
	switch {
	case !bands:
		return w
	case (w == Moved || w == MovedWrongWay) && m.WithinNoise:
		return WithinEvalNoise
	case w == Moved && !replicated:
		return MovedUnreplicated
	}
	return w
}

// MetricDeltas are the comparisons in their order, written as one JSON object
// by metric name.
type MetricDeltas []MetricDelta

// Get returns the comparison of a metric.
func (m MetricDeltas) Get(name string) (MetricDelta, bool) {
	for _, d := range m {
		if d.Metric == name {
			return d, true
		}
	}
	return MetricDelta{}, false
}

// MarshalJSON writes {"pass_at_1": {...}, ...} in order.
func (m MetricDeltas) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, d := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(d.Metric)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// names lists the metrics to compare: pass_at_1, then the markers.
func (d *delta) names() []string {
	names := []string{MetricPassAt1}
	if d.o.Markers != nil {
		for _, m := range d.o.Markers {
			if n := MetricName(m); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		return names
	}
	var common []string
	for _, m := range d.before.Metrics {
		if m.Name != MetricPassAt1 && slices.ContainsFunc(d.after.Metrics, func(x Metric) bool { return x.Name == m.Name }) {
			common = append(common, m.Name)
		}
	}
	slices.Sort(common)
	return append(names, common...)
}

func (d *delta) compareMetrics() error {
	names := d.names()
	directions := maps.Clone(lowerIsBetter)
	for _, given := range slices.Sorted(maps.Keys(d.o.LowerIsBetter)) {
		name := MetricName(given)
		if len(find(d.before.Metrics, name).Tasks) == 0 || len(find(d.after.Metrics, name).Tasks) == 0 {
			return &ArgumentError{Name: "LowerIsBetter", Got: given, Want: "metrics measured on both sides"}
		}
		directions[name] = d.o.LowerIsBetter[given]
	}
	guarded := map[string]bool{}
	for _, g := range d.o.MustNotRegress {
		guarded[MetricName(g)] = true
	}
	floors := d.floors(names)
	for i, name := range names {
		a, b := find(d.before.Metrics, name), find(d.after.Metrics, name)
		m := MetricDelta{
			Comparison:    d.compare(a, b, d.o.Seed+int64(i)),
			LowerIsBetter: directions[name], Guarded: guarded[name],
			Degenerate: a.Rows > 0 && a.Constant && b.Rows > 0 && b.Constant,
		}
		m.GainVerdict = m.Verdict
		if m.LowerIsBetter && m.Verdict == BBetter {
			m.GainVerdict = ABetter
		} else if m.LowerIsBetter && m.Verdict == ABetter {
			m.GainVerdict = BBetter
		}
		m.RunStd = floors.of(name)
		if m.RunStd.Valid {
			width, err := NoiseBand(m.RunStd.V, floors.options)
			if err != nil {
				return err
			}
			m.NoiseBand = Of(width)
			m.WithinNoise = m.Delta.Valid && math.Abs(m.Delta.V) < width
		} else if floors.source != "" {
			m.NoiseNote = NoReplicateFloor
		}
		d.r.Metrics = append(d.r.Metrics, m)
		d.r.RunStdByMetric = append(d.r.RunStdByMetric, Quantity{name, m.RunStd})
	}
	d.list()
	d.r.NoiseRule = floors.options.String()
	if floors.source != "" {
		d.r.RunStdSource = Of(floors.source)
		if floors.options.DF > 0 {
			d.r.RunStdDF = Of(floors.options.DF)
		}
	}
	return nil
}

// list sorts the metrics into what got better and worse beyond the noise.
func (d *delta) list() {
	r := d.r
	r.Improved, r.Regressions, r.Slipped = []string{}, []string{}, []string{}
	r.InNoise, r.DeadGuards, r.LowerIsBetter = []string{}, []string{}, []string{}
	for _, m := range r.Metrics {
		switch {
		case m.WithinNoise:
			r.InNoise = append(r.InNoise, m.Metric)
		case m.GainVerdict == BBetter:
			r.Improved = append(r.Improved, m.Metric)
		case m.GainVerdict == ABetter && m.Guarded:
			r.Regressions = append(r.Regressions, m.Metric)
		case m.GainVerdict == ABetter:
			r.Slipped = append(r.Slipped, m.Metric)
		}
		if m.Guarded && m.Degenerate {
			r.DeadGuards = append(r.DeadGuards, m.Metric)
		}
		if m.LowerIsBetter {
			r.LowerIsBetter = append(r.LowerIsBetter, m.Metric)
		}
	}
	r.NMetrics = len(r.Metrics)
	r.FamilyError = FamilyError(r.NMetrics, d.level)
	pass := r.Metrics[0]
	r.PairedTasks, r.UnpairedTasks = pass.NPaired, pass.NOnlyA+pass.NOnlyB
}

// FamilyError is the chance that at least one of that many intervals misses by
// chance, rounded to 4 digits: 1 - level^n.
func FamilyError(metrics int, level float64) float64 {
	return Round(1-math.Pow(level, float64(metrics)), 4)
}
