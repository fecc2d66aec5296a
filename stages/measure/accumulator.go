package measure

import (
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Options say what an [Accumulator] counts. The zero value counts verdicts by
// task and nothing else.
type Options struct {
	Task    Field               // what groups rows; default: the task key
	Pass    stats.Null[float64] // a reward is a pass from here on, else a fail; default: 1 is a pass, 0 a fail, the rest no verdict
	By      []Field             // slices
	Run     Field               // names the run of a row, for the scatter of re-runs; default: none
	Markers bool                // side measurements too
	Config  bool                // what all rows agree on, the shares of cut and of silent replies
	Keys    bool                // keep the texts of task keys: comparisons need them
}

// EvalRun is the field that names the run of a row: lineage.eval_run.
// ScoringRun is the same, else lineage.scoring_run_id.
var (
	EvalRun    = lineageField("lineage.eval_run", "eval_run")
	ScoringRun = lineageField("lineage.scoring_run_id", "eval_run", "scoring_run_id")
)

func lineageField(name string, members ...string) Field {
	f, _ := ParseField("lineage")
	f.name, f.paths = name, nil
	for _, m := range members {
		f.paths = append(f.paths, []string{m})
	}
	return f
}

// Accumulator counts rows into what the figures of an evaluation need. What it
// has counted does not depend on the order in which rows come, nor on how they
// are spread over accumulators that are merged: "first seen" is by [rollout.Pos],
// and sums are exact. Rows made by hand should have a Pos.
//
// It holds up to 72 bytes a task, for each marker 40 more, for a key 16 and its
// length, and the same again for each slice and run that the task has rows in;
// for a row it holds nothing. The texts that it keeps are copies. It is not safe
// for concurrent use: each worker has its own, see [Sink].
type Accumulator struct {
	o      Options
	all    *counts
	config config
	by     []*parts
	runs   *parts
	marked []stats.Null[float64]
}

// New returns an accumulator that has counted nothing.
func New(o Options) *Accumulator {
	a := &Accumulator{o: o, all: newCounts(o.Keys)}
	for _, f := range o.By {
		a.by = append(a.by, newParts(f, o.Keys))
	}
	if !o.Run.IsZero() {
		a.runs = newParts(o.Run, true)
	}
	return a
}

// Fields are the fields of a row that Add reads.
func (o Options) Fields() rollout.Fields {
	f := rollout.FieldReward | rollout.FieldPriorReward | rollout.FieldStatus | rollout.FieldReason |
		rollout.FieldIndex | rollout.FieldExtra | o.Run.Fields()
	if o.Task.IsZero() {
		f |= rollout.FieldTaskID | rollout.FieldPrompt
	}
	f |= o.Task.Fields()
	for _, by := range o.By {
		f |= by.Fields()
	}
	if o.Markers {
		f |= rollout.FieldMarkers
	}
	if o.Config {
		f |= rollout.FieldFinishReason | rollout.FieldFinalText | rollout.FieldMessages
	}
	return f
}

// Add counts rows.
func (a *Accumulator) Add(rows []rollout.Row) {
	for i := range rows {
		r := a.read(&rows[i])
		a.all.add(&r)
		if a.o.Config {
			a.config.add(&r)
		}
		for _, p := range a.by {
			p.add(&r)
		}
		if a.runs != nil {
			a.runs.add(&r)
		}
	}
	a.forget()
}

// forget drops the texts of the last row, which point into its block.
func (a *Accumulator) forget() {
	a.config.forget()
	for _, p := range a.by {
		p.last = memo[string]{}
	}
	if a.runs != nil {
		a.runs.last = memo[string]{}
	}
}

// read reads once what every set of rows counts.
func (a *Accumulator) read(r *rollout.Row) row {
	x := row{Row: r, at: positionOf(r.Pos), status: gradingStatus(r)}
	if a.o.Task.IsZero() {
		x.key = r.TaskKey()
	} else {
		x.key = a.o.Task.Text(r)
	}
	x.hash = xxh3.HashString128(x.key)
	x.verdict = verdictOf(r, x.status, a.o.Pass)
	if g, ok := r.GradedReward(); ok {
		x.graded = stats.Of(g)
	}
	if a.o.Markers {
		a.marked = a.marked[:0]
		for i := range r.Markers {
			v, ok := markerValue(r, &r.Markers[i])
			a.marked = append(a.marked, stats.Null[float64]{V: v, Valid: ok})
		}
		x.marked = a.marked
	}
	return x
}

// Merge adds what another accumulator of the same options has counted. The
// other must not be used any more.
func (a *Accumulator) Merge(o *Accumulator) {
	a.all.merge(o.all)
	a.config.merge(&o.config)
	for i, p := range a.by {
		p.merge(o.by[i])
	}
	if a.runs != nil {
		a.runs.merge(o.runs)
	}
}

// MaxParts is how many different values a field may have that slices or splits
// into runs. One with more is no such field, and its parts are not told.
const MaxParts = 1000

// parts are rows by the values of a field.
type parts struct {
	field   Field
	keys    bool
	byLabel map[string]*part
	last    memo[string] // the label of the last row
	unsaid  int          // rows that say nothing
	crowded bool
}

type part struct {
	first position
	*counts
}

func newParts(f Field, keys bool) *parts {
	return &parts{field: f, keys: keys, byLabel: map[string]*part{}}
}

func (p *parts) add(r *row) {
	label := p.last.read(p.field.read(r.Row), p.field.textIn)
	if label == "" {
		p.unsaid++
		return
	}
	if at := p.part(label, r.at); at != nil {
		at.add(r)
	}
}

// part gives the part of a label, nil where there are too many.
func (p *parts) part(label string, first position) *part {
	at := p.byLabel[label]
	switch {
	case at != nil:
		at.first = earlier(at.first, first)
	case p.crowded:
	case len(p.byLabel) == MaxParts:
		p.crowded, p.byLabel = true, map[string]*part{}
	default:
		at = &part{first, newCounts(p.keys)}
		p.byLabel[strings.Clone(label)] = at
	}
	return at
}

func (p *parts) merge(o *parts) {
	p.unsaid += o.unsaid
	if o.crowded {
		p.crowded, p.byLabel = true, map[string]*part{}
	}
	for label, from := range o.byLabel {
		if at := p.part(label, from.first); at != nil {
			at.merge(from.counts)
		}
	}
}

// labels lists the parts as they were first seen.
func (p *parts) labels() []string {
	return slices.SortedFunc(maps.Keys(p.byLabel), func(a, b string) int {
		if c := p.byLabel[a].first.compare(p.byLabel[b].first); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
}
