package verify_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

var errBoom = errors.New("boom")

// says is a grader that always says the same.
func says(name string, r grade.Result, err error) grade.Grader {
	r.Usage = grade.Usage{Calls: 1}
	return grade.Func(grade.Info{Name: name, Version: "v" + name, Kind: grade.Rule, Pure: true},
		func(context.Context, *rollout.Row) (grade.Result, error) { return r, err })
}

func TestCombinations(t *testing.T) {
	pass, fail := says("p", grade.Pass("good"), nil), says("f", grade.Fail("bad"), nil)
	half, low := says("h", grade.Score(0.5, "half"), nil), says("l", grade.Score(0.25, "low"), nil)
	none, broken := says("n", grade.CannotJudge("no reference"), nil), says("b", grade.Result{}, errBoom)
	for _, c := range []struct {
		grader      grade.Grader
		want        string
		calls       int64
		description string
	}{
		{verify.All(pass, pass), "1: good", 2, "all pass"},
		{verify.All(pass, fail), "0: bad", 2, "one fails"},
		{verify.All(half, low), "0.25: half", 2, "the least, and the reason of the first that does not pass"},
		{verify.All(low, half), "0.25: low", 2, "likewise"},
		{verify.All(fail, none), "invalid_result: no reference", 2, "none where a part has none"},
		{verify.All(fail, broken), "error: boom", 2, "an error is no 0"},

		{verify.Any(fail, pass, broken), "1: good", 2, "one passes, the rest is not asked"},
		{verify.Any(none, broken, half), "0.5: half", 3, "of those that have a verdict"},
		{verify.Any(low, half, fail), "0.5: half", 3, "the highest"},
		{verify.Any(none, broken), "invalid_result: no reference", 2, "none has one"},
		{verify.Any(broken, none), "error: boom", 2, "none has one, the first an error"},
		{verify.Any(broken, fail), "0: bad", 2, "an error and a verdict"},

		{verify.First(none, broken, half, pass), "0.5: half", 3, "the first with a verdict"},
		{verify.First(none, broken), "error: boom", 2, "none has one"},

		{verify.Not(pass), "0: good", 1, "not"},
		{verify.Not(low), "0.75: low", 1, "not a part"},
		{verify.Not(none), "invalid_result: no reference", 1, "no verdict stays none"},
		{verify.Not(broken), "error: boom", 1, "nor does an error"},

		{verify.Weighted(verify.Part{Weight: 3, Grader: pass}, verify.Part{Weight: 1, Grader: half}), "0.875: half", 2, "a mean"},
		{verify.Weighted(verify.Part{Weight: 1, Grader: pass}, verify.Part{Weight: 2, Grader: fail}), "0.3333: bad", 2, "to four decimals"},
		{verify.Weighted(verify.Part{Weight: 1, Grader: pass}, verify.Part{Weight: 2, Grader: none}), "invalid_result: no reference", 2, "none where a part has none"},
	} {
		t.Run(c.grader.Info().Name, func(t *testing.T) {
			if got := verdict(t, c.grader, &rollout.Row{}); got != c.want {
				t.Errorf("%s: got %q, want %q", c.description, got, c.want)
			}
			if r, _ := c.grader.Grade(t.Context(), &rollout.Row{}); r.Usage.Calls != c.calls {
				t.Errorf("%s: %d calls, want %d", c.description, r.Usage.Calls, c.calls)
			}
		})
	}
}

func TestCombinedInfo(t *testing.T) {
	judge := grade.Func(grade.Info{Name: "j", Version: "2", Waits: true, Needs: rollout.FieldPrompt}, func(context.Context, *rollout.Row) (grade.Result, error) { return grade.Pass(""), nil })
	info := verify.Weighted(verify.Part{Weight: 0.5, Grader: judge}, verify.Part{Weight: 2, Grader: verify.All(verify.Exact(verify.ExactOptions{}), says("x", grade.Pass(""), nil))}).Info()
	if info.Name != "weighted(0.5*j,2*all(exact,x))" || info.Version != "2,1,vx" || info.Kind != grade.Judge || info.Pure || !info.Waits || !info.Needs.Has(rollout.FieldPrompt|rollout.FieldFinalText) {
		t.Errorf("got %+v", info)
	}
	for name, mistake := range map[string]func(){
		"all":      func() { verify.All() },
		"weight":   func() { verify.Weighted(verify.Part{Grader: judge}) },
		"nothing":  func() { verify.New("", "", verify.Options{}, nil) },
		"no field": func() { verify.Reward(verify.Field{}) },
		"distance": func() { verify.Numeric(verify.NumericOptions{Tolerance: -1}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if v := recover(); v == nil || !strings.HasPrefix(v.(string), "verify: ") {
					t.Errorf("panic %v", v)
				}
			}()
			mistake()
		})
	}
}

func TestReward(t *testing.T) {
	v := verify.Reward(field(t, "is_correct"))
	for row, want := range map[string]string{
		`{"is_correct":true}`:  "1: ",
		`{"is_correct":false}`: "0: ",
		`{"is_correct":1.0}`:   "1: ",
		`{"is_correct":"0.5"}`: "0.5: ",
		`{"is_correct":2}`:     "invalid_result: the field holds no verdict",
		`{"is_correct":"yes"}`: "invalid_result: the field holds no verdict",
		`{"is_correct":null}`:  "invalid_result: the field holds no verdict",
		`{}`:                   "invalid_result: the field holds no verdict",
	} {
		if got := verdict(t, v, decode(t, row)); got != want {
			t.Errorf("%s: got %q, want %q", row, got, want)
		}
	}
}
