package verify

import (
	"errors"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// MathOptions are the arguments of [MathEqual]. The zero value is the default.
type MathOptions struct {
	Options
	Math mathequal.Options // whose reading of an answer is followed
}

// MathEqual passes an answer that is the same mathematical object as the
// reference, whether they are written as LaTeX or plainly; package mathequal says
// how it decides, and what it cannot. A reference that is a whole solution stands
// for its final answer. There is no verdict by a reference that is no mathematics, or
// by itself too large to compare. An answer that is not found fails, and so does
// one that is too large to compare, since whoever is trained could write such
// answers in order not to be scored (spec of rows, section 3.5).
//
// judge_meta tells where the answer stood and by what means it was decided.
func MathEqual(o MathOptions) *Verifier {
	name := "math"
	if o.Math.Mode != mathequal.MathVerify {
		name = "math:" + o.Math.Mode.String()
	}
	return newVerifier(name, "1", o.Options, func(answer string, gold Reference, _ *rollout.Row) grade.Result {
		if !gold.IsList() {
			return mathEqual(answer, gold.Text, o.Math)
		}
		r := grade.CannotJudge(emptyList)
		for element := range rollout.ElementsOf(gold.JSON) {
			one := mathEqual(answer, rollout.ScalarText(element), o.Math)
			if one.OK() && one.Reward == 1 {
				return one
			}
			if !one.OK() || r.OK() || r.Reason == emptyList {
				r = one
			}
		}
		return r
	})
}

// emptyList is the reason of a row whose reference names no answer.
const emptyList = "the reference is an empty list"

func mathEqual(answer, reference string, o mathequal.Options) grade.Result {
	if strings.IndexByte(reference, '\n') >= 0 {
		if final, ok := mathequal.Final(reference, o); ok && final.Place.Anchored() {
			reference = final.Text
		}
	}
	v, err := mathequal.Match(answer, reference, o)
	switch {
	case errors.Is(err, mathequal.ErrNotMath):
		return grade.CannotJudge("the reference is no mathematical expression")
	case err != nil && tooLarge(reference, err, o):
		return grade.CannotJudge("the reference is too large to compare")
	case err != nil:
		return grade.Fail("too large to compare")
	case v.By == mathequal.NoAnswer:
		return grade.Fail("no answer found")
	}
	r := equalOrNot(v.Equal)
	if int(v.Place) < len(mathEvidence) && int(v.By) < len(mathEvidence[0]) {
		r.Meta = mathEvidence[v.Place][v.By][:]
	}
	return r
}

// tooLarge reports whether it was the reference for which a comparison ended in
// an error, and no answer: it cannot even be held against a small number.
func tooLarge(reference string, err error, o mathequal.Options) bool {
	if over, ok := errors.AsType[*mathequal.BudgetError](err); !ok || over.Side != "comparison" {
		return !ok || over.Side == "reference"
	}
	_, err = mathequal.Equal("2", reference, o)
	return err != nil
}

// mathEvidence is what judge_meta gets, by place and means, made once.
var mathEvidence = func() (table [mathequal.LastNumber + 1][mathequal.Sampled + 1][2]rollout.Member) {
	for place := range table {
		for by := range table[place] {
			table[place][by] = [2]rollout.Member{
				{Name: "answer_place", JSON: string(rollout.AppendText(nil, mathequal.Place(place).String()))},
				{Name: "decided_by", JSON: string(rollout.AppendText(nil, mathequal.Proof(by).String()))},
			}
		}
	}
	return table
}()
