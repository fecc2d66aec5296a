package verify

import (
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// Reward reads the verdict that a row holds already, in a field: true and false,
// or a number in 0..1, also as text. Other values cannot be judged.
func Reward(from Field) *Verifier {
	if from.IsZero() {
		panic("verify: Reward wants a field")
	}
	v := newVerifier("field:"+from.name, "1", Options{Gold: from}, func(_ string, gold Reference, _ *rollout.Row) grade.Result {
		switch gold.Text {
		case "true":
			return grade.Pass("")
		case "false":
			return grade.Fail("")
		}
		f, ok := rollout.Value{Text: string(rollout.AppendText(nil, gold.Text))}.Float()
		if !ok || f < 0 || f > 1 {
			return grade.CannotJudge(noVerdict)
		}
		return grade.Score(f, "")
	})
	v.none = noVerdict
	v.info.Needs &^= rollout.FieldFinalText
	return v
}

// noVerdict is the reason of a row that holds none.
const noVerdict = "the field holds no verdict"
