package verify

import (
	"fmt"
	"math"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// DefaultTolerance is how far a number may be from the reference unless
// [NumericOptions] say otherwise.
const DefaultTolerance = 1e-6

// NumericOptions are the arguments of [Numeric]. The zero value is the default.
type NumericOptions struct {
	Options
	Tolerance float64 // how far the number may be off; default [DefaultTolerance], unless Relative is given
	Relative  float64 // the same as a share of the reference; the wider of the two counts
}

// Numeric passes an answer whose number is that of the reference: the one in the
// last \boxed, else behind the last ####, else behind "answer is" or the like,
// else the last of the last line (spec of rows, section 3.3). Units, currency and
// percent signs carry no value, so that 50 % is 50 and not 0.5; thousands may be
// grouped. An answer without a number fails; a reference without one cannot be
// judged.
func Numeric(o NumericOptions) *Verifier {
	if o.Tolerance < 0 || o.Relative < 0 || math.IsNaN(o.Tolerance+o.Relative) {
		panic("verify: Numeric wants tolerances from 0 on")
	}
	if o.Tolerance == 0 && o.Relative == 0 {
		o.Tolerance = DefaultTolerance
	}
	name := "numeric"
	switch {
	case o.Relative > 0 && o.Tolerance > 0:
		name = fmt.Sprintf("numeric:%g,%g%%", o.Tolerance, 100*o.Relative)
	case o.Relative > 0:
		name = fmt.Sprintf("numeric:%g%%", 100*o.Relative)
	case o.Tolerance != DefaultTolerance:
		name = fmt.Sprintf("numeric:%g", o.Tolerance)
	}
	return newVerifier(name, "1", o.Options, func(answer string, gold Reference, _ *rollout.Row) grade.Result {
		want, ok := Number(gold.Text)
		if !ok {
			return grade.CannotJudge("no number in the reference")
		}
		got, ok := Number(answer)
		switch {
		case !ok:
			return grade.Fail("no number found")
		case got == want || math.Abs(got-want) <= max(o.Tolerance, o.Relative*math.Abs(want)):
			return equalOrNot(true)
		}
		return equalOrNot(false)
	})
}

// Number reads the number that a text gives as its answer; see [Numeric].
func Number(text string) (f float64, ok bool) { return lastNumber(finalAnswer(text)) }
