package measure

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// LabelOptions say where the labels of a judge and those of gold stand.
type LabelOptions struct {
	Judge Field // default: the reward
	Gold  GoldOptions
	Twins *Twins // gold in another file, which was read before; then Gold is not used
	Task  Field  // what groups rows; default: the task key
}

// Labels collects the rows that carry gold labels, for trust in a judge and for
// the agreement of raters. It holds about 300 bytes a labelled row and nothing
// for the others. Like an [Accumulator] it merges, its results do not depend on
// the order of rows, and it is not safe for concurrent use.
type Labels struct {
	o    LabelOptions
	gold gold
	rows []labelled
	// Rows without gold, and those of them that have no twin.
	others, unmatched int
}

// labelled is a row with gold labels.
type labelled struct {
	at    position
	judge rating
	gold  []rating
	trust stats.TrustRow
}

// NewLabels returns labels without rows.
func NewLabels(o LabelOptions) *Labels {
	if o.Judge.IsZero() {
		o.Judge = rewardField
	}
	return &Labels{o: o, gold: o.Gold.reader(goldReward)}
}

// Fields are the fields of a row that Add reads.
func (l *Labels) Fields() rollout.Fields {
	f := l.o.Judge.Fields() | rollout.FieldReward | rollout.FieldStatus | rollout.FieldJudge | rollout.FieldReason |
		rollout.FieldFinalText | rollout.FieldMessages | rollout.FieldExtra
	if l.o.Task.IsZero() {
		f |= rollout.FieldTaskID | rollout.FieldPrompt
	}
	f |= l.o.Task.Fields()
	if l.o.Twins != nil {
		return f | l.o.Twins.key.Fields()
	}
	return f | l.gold.wants()
}

// Add takes the labels of rows.
func (l *Labels) Add(rows []rollout.Row) {
	for i := range rows {
		r := &rows[i]
		ratings, kind, ok := l.goldOf(r)
		if !ok {
			l.others++
			continue
		}
		l.rows = append(l.rows, l.read(r, ratings, kind))
	}
}

func (l *Labels) goldOf(r *rollout.Row) (ratings []rating, kind string, ok bool) {
	if l.o.Twins == nil {
		return l.gold.read(r)
	}
	w, ok := l.o.Twins.of(r)
	if !ok {
		l.unmatched++
	}
	return w.ratings, w.kind, ok
}

func (l *Labels) read(r *rollout.Row, ratings []rating, kind string) labelled {
	x := labelled{at: positionOf(r.Pos), gold: ratings}
	value := r.Reward
	if l.o.Judge.name == rewardField.name {
		x.judge = rewardRating(r)
	} else {
		value = l.o.Judge.Value(r)
		x.judge = ratingOf(value)
	}
	x.judge.category = strings.Clone(x.judge.category)
	gold := majority(ratings)
	x.trust = stats.TrustRow{
		Task: strings.Clone(l.task(r)), Judge: x.judge.loose, Gold: gold.loose,
		Strict:    stats.LabelPair{Judge: x.judge.strict, Gold: gold.strict, GoldKind: kind},
		Length:    replyLength(r),
		JudgeName: strings.Clone(r.Judge),
	}
	if x.judge.loose == stats.NoLabel && x.judge.category != "" {
		if f, ok := value.Float(); ok {
			x.trust.Reward = stats.Of(f)
		}
	}
	if x.judge.loose != gold.loose && x.judge.loose != stats.NoLabel && gold.loose != stats.NoLabel {
		x.trust.Reason, x.trust.FinalText = cut(r.Reason), cut(r.FinalText)
	}
	return x
}

func (l *Labels) task(r *rollout.Row) string {
	if l.o.Task.IsZero() {
		return r.TaskKey()
	}
	return l.o.Task.Text(r)
}

// cut copies as much of a text as a list of disagreements shows.
func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), 4*200)], "")
}

// Merge adds the rows of another one of the same options.
func (l *Labels) Merge(o *Labels) {
	l.rows = append(l.rows, o.rows...)
	l.others += o.others
	l.unmatched += o.unmatched
}

// sorted brings the rows in the order of their places.
func (l *Labels) sorted() []labelled {
	slices.SortFunc(l.rows, func(a, b labelled) int {
		return cmp.Or(a.at.compare(b.at), strings.Compare(a.trust.Task, b.trust.Task),
			cmp.Compare(a.judge.loose, b.judge.loose), cmp.Compare(a.trust.Gold, b.trust.Gold),
			strings.Compare(a.judge.category, b.judge.category), cmp.Compare(a.trust.Length, b.trust.Length))
	})
	return l.rows
}

// Rows is how many rows carry gold labels.
func (l *Labels) Rows() int { return len(l.rows) }

// Others is how many rows carry none.
func (l *Labels) Others() int { return l.others }

// Unmatched is how many rows found no twin; they are among the others.
func (l *Labels) Unmatched() int { return l.unmatched }

// Trust is what [stats.Trust] reads.
func (l *Labels) Trust() stats.TrustInput {
	in := stats.TrustInput{Others: l.others}
	for _, r := range l.sorted() {
		in.Rows = append(in.Rows, r.trust)
	}
	return in
}
