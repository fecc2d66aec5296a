package verify_test

import (
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

func TestMathEqual(t *testing.T) {
	m, strict := verify.MathEqual(verify.MathOptions{}), verify.MathEqual(verify.MathOptions{Math: mathequal.Options{Mode: mathequal.Strict}})
	for _, c := range []struct {
		name      string
		v         *verify.Verifier
		answer    string
		reference string
		want      string
	}{
		{"equal", m, `so \boxed{\frac{1}{2}}`, `"0.5"`, "1: equal"},
		{"other", m, `so \boxed{\frac{1}{3}}`, `"0.5"`, "0: not equal"},
		{"any of a list", m, `\boxed{2}`, `["1","2"]`, "1: equal"},
		{"none of a list", m, `\boxed{3}`, `["1","2"]`, "0: not equal"},
		{"an empty list", m, `\boxed{3}`, `[]`, "invalid_result: the reference is an empty list"},
		{"a number", m, `\boxed{2}`, `2`, "1: equal"},
		{"a solution as reference", m, "so A: 5,600", `"He has 5 apples.\nThen 7.\nA: 5600"`, "1: equal"},
		{"no reference", m, "4", `null`, "invalid_result: no reference"},
		{"no mathematics", m, "4", `""`, "invalid_result: the reference is no mathematical expression"},
		{"too large", m, `\boxed{9^9^9^9}`, `"4"`, "0: too large to compare"},
		{"too long", m, `\boxed{` + strings.Repeat("1+", 5000) + `1}`, `"4"`, "0: too large to compare"},
		{"too much work", m, `\boxed{(1/3+1/7)^{9999}(1/11+2/13)^{9999}}`, `"2"`, "0: too large to compare"},
		{"a reference that is too large", m, `\boxed{4}`, `"9^9^9^9"`, "invalid_result: the reference is too large to compare"},
		{"a reference that is too much work", m, `\boxed{4}`, `"(1/3+1/7)^{9999}(1/11+2/13)^{9999}"`, "invalid_result: the reference is too large to compare"},
		{"one of a list is too large", m, `\boxed{4}`, `["9^9^9^9","5"]`, "invalid_result: the reference is too large to compare"},
		{"another of a list is right", m, `\boxed{5}`, `["9^9^9^9","5"]`, "1: equal"},
		{"percent", m, `\boxed{50\%}`, `"0.5"`, "1: equal"},
		{"strict", strict, `\boxed{50\%}`, `"0.5"`, "1: equal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, c.v, row(t, c.answer, c.reference)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	r, err := m.Grade(t.Context(), row(t, `so \boxed{\frac{1}{2}}`, `"0.5"`))
	if err != nil || len(r.Meta) != 2 || r.Meta[0].JSON != `"boxed"` || !strings.HasPrefix(r.Meta[1].JSON, `"`) {
		t.Errorf("evidence %+v, %v", r.Meta, err)
	}
	if m.Info().Name != "math" || strict.Info().Name != "math:strict" {
		t.Errorf("names %s, %s", m.Info().Name, strict.Info().Name)
	}
}

// TestGSM8KMath grades the example solutions by mathematical equality: the
// verdict is that of the authors on every one.
func TestGSM8KMath(t *testing.T) {
	m := verify.MathEqual(verify.MathOptions{})
	wrong := 0
	for _, s := range gsm8k(t) {
		want := "0: "
		if s.correct {
			want = "1: "
		}
		if got := verdict(t, m, row(t, s.solution, s.truth)); !strings.HasPrefix(got, want) {
			if wrong++; wrong < 10 {
				t.Errorf("%q against %s: %s, want %s", s.solution, s.truth, got, want)
			}
		}
	}
}
