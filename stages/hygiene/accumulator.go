package hygiene

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/conduct"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Defaults of [Options] (spec of gates, section 3).
const (
	DefaultThreshold = 0.3
	DefaultMaxSpread = 4.0
)

// Options say what is reported. The zero value is the default.
type Options struct {
	Threshold float64  // |correlation| from which on a feature is flagged; default 0.3
	MaxSpread float64  // a task spreads widely when its longest reply is more than this many medians; default 4
	Tools     []string // the tools that the agent had; without them tools are not looked at
}

// Fields are the fields of a row that an Accumulator reads.
const Fields = behaviour.Fields&^rollout.FieldPrivileged | rollout.FieldReward | rollout.FieldPriorReward | rollout.FieldStatus | rollout.FieldMarkers

// Accumulator collects what a report needs. It is not safe for concurrent use.
type Accumulator struct {
	o        Options
	reader   behaviour.Reader
	scanner  conduct.Scanner
	lengths  lengths
	sums     [features]sums
	fired    [conductFlags]bool // on a labelled row
	labelled int
	coverage coverage
}

// New returns an accumulator that has seen nothing.
func New(o Options) *Accumulator {
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if o.MaxSpread == 0 {
		o.MaxSpread = DefaultMaxSpread
	}
	return &Accumulator{o: o, lengths: newLengths(), coverage: newCoverage(o.Tools)}
}

// Add looks at rows.
func (a *Accumulator) Add(rows []rollout.Row) {
	for i := range rows {
		r := &rows[i]
		b := &a.reader
		b.Read(r)
		length := b.ReplyLength()
		a.lengths.add(rollout.ByPrompt.Key(r), length, b.Truncated())
		a.coverage.add(r, b)
		if pass, ok := r.BinaryOrPriorReward(); ok {
			a.correlate(pass, length)
		}
	}
	a.reader, a.scanner = behaviour.Reader{}, conduct.Scanner{} // they hold texts of the last row
}

// correlate adds a labelled row, which the reader was turned to.
func (a *Accumulator) correlate(pass bool, length int) {
	a.labelled++
	values := [features]uint64{uint64(length), uint64(len(a.reader.Acts())), uint64(a.reader.AssistantTurns())}
	styles := conduct.Styles(&a.reader)
	for i, style := range styleFeatures {
		if styles.Has(style) {
			values[firstStyle+i] = 1
		}
	}
	for _, flag := range a.scanner.Scan(&a.reader).Fired() {
		values[firstFlag+int(flag)] = 1
		a.fired[flag] = true
	}
	for i, x := range values {
		a.sums[i].add(x, pass)
	}
}

// styleFeatures are the styles that feed correlations.
var styleFeatures = [...]text.Style{text.Boilerplate, text.Hedging, text.Sycophancy, text.Refusal}

// Merge adds what another accumulator of the same options has seen. The other
// must not be used any more.
func (a *Accumulator) Merge(o *Accumulator) {
	a.lengths.merge(&o.lengths)
	a.coverage.merge(&o.coverage)
	a.labelled += o.labelled
	for i := range a.sums {
		a.sums[i].merge(&o.sums[i])
	}
	for i, fired := range o.fired {
		a.fired[i] = a.fired[i] || fired
	}
}

// Result is the report.
func (a *Accumulator) Result() *Report {
	return &Report{Lengths: a.lengths.report(a.o.MaxSpread), Correlations: a.correlations(), Coverage: a.coverage.findings()}
}
