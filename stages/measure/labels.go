package measure

import (
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// rating is what one rater said of a row, each way of reading it.
type rating struct {
	loose    stats.Label // numeric text counts (reader A)
	strict   stats.Label // only numbers count (reader C)
	category string      // whatever it is; "" for nothing
}

// ratingOf reads a value: a label, or a category of any kind. Columns that
// somebody names may say true and false.
func ratingOf(v rollout.Value) rating {
	r := rating{stats.NoLabel, stats.NoLabel, categoryOf(v)}
	if v.Kind() == rollout.KindBool {
		r.loose = label(v.Text == "true")
		r.strict = r.loose
		return r
	}
	if pass, ok := v.Binary(); ok {
		r.loose = label(pass)
	}
	if pass, ok := v.StrictBinary(); ok {
		r.strict = label(pass)
	}
	return r
}

// categoryOf is a value as a category: 2 and 2.0 are the same one.
func categoryOf(v rollout.Value) string {
	if v.Kind() == rollout.KindNumber {
		return string(rollout.AppendFloat(nil, v.Num))
	}
	return scalarText(v.Text)
}

// rewardRating reads the reward of a row as the judge's label.
func rewardRating(r *rollout.Row) rating {
	x := rating{loose: stats.NoLabel, strict: stats.NoLabel}
	if r.State() != rollout.Scored || gradingFailed(r) {
		return x
	}
	x.category = categoryOf(r.Reward)
	if pass, ok := r.BinaryReward(); ok {
		x.loose = label(pass)
	}
	if pass, ok := r.StrictBinaryReward(); ok {
		x.strict = label(pass)
	}
	return x
}

func gradingFailed(r *rollout.Row) bool {
	status := gradingStatus(r)
	return status != "" && status != rollout.StatusOK.String()
}

// majority joins the ratings of several raters: for each way of reading, what
// more than half of those say who say anything.
func majority(ratings []rating) rating {
	if len(ratings) == 1 {
		return ratings[0]
	}
	loose, strict := make([]stats.Label, len(ratings)), make([]stats.Label, len(ratings))
	said := 0
	for i, r := range ratings {
		loose[i], strict[i] = r.loose, r.strict
		if r.category != "" {
			said++
		}
	}
	m := rating{loose: stats.MajorityLabel(loose), strict: stats.MajorityLabel(strict)}
	for _, r := range ratings {
		n := 0
		for _, o := range ratings {
			if r.category != "" && o.category == r.category {
				n++
			}
		}
		if 2*n > said {
			m.category = r.category
			break
		}
	}
	return m
}

// gold reads the gold labels of rows.
type gold struct {
	fields []Field
	kind   string // of all labels, "" for what the row says
}

var (
	goldReward, _ = ParseField("gold_reward")
	goldKind, _   = ParseField("gold_kind")
	rewardField   = Field{name: "reward", wants: rollout.FieldReward | rollout.FieldStatus | rollout.FieldExtra}
)

func (g *gold) wants() rollout.Fields {
	f := goldKind.Fields()
	for _, x := range g.fields {
		f |= x.Fields()
	}
	return f
}

// read reads the ratings of a row and their kind. The texts are copies.
func (g *gold) read(r *rollout.Row) (ratings []rating, kind string, any bool) {
	ratings = make([]rating, len(g.fields))
	for i, f := range g.fields {
		if f.IsZero() || f.name == rewardField.name {
			ratings[i] = rewardRating(r)
		} else {
			ratings[i] = ratingOf(f.Value(r))
		}
		ratings[i].category = strings.Clone(ratings[i].category)
		any = any || ratings[i].category != ""
	}
	kind = g.kind
	if kind == "" {
		kind = strings.Clone(goldKind.Text(r))
	}
	return ratings, kind, any
}
