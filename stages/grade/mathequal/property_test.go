package mathequal_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

func check(t *rapid.T, answer, reference string, o mathequal.Options) mathequal.Verdict {
	t.Helper()
	v, err := mathequal.Equal(answer, reference, o)
	if err != nil {
		t.Fatalf("%q against %q: %v", answer, reference, err)
	}
	return v
}

func drawMode(t *rapid.T) mathequal.Options {
	return mathequal.Options{Mode: rapid.SampledFrom(modes).Draw(t, "mode")}
}

// A formula is LaTeX beside the polynomial in x and y that it stands for, by the
// exponents of x and y.
type formula struct {
	latex string
	value map[[2]int]int64
}

func drawFormula(t *rapid.T, depth int) formula {
	kinds := 3
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		n := rapid.Int64Range(-9, 9).Draw(t, "n")
		if n < 0 {
			return formula{fmt.Sprintf("(%d)", n), map[[2]int]int64{{}: n}}
		}
		return formula{fmt.Sprint(n), map[[2]int]int64{{}: n}}
	case 1:
		return formula{"x", map[[2]int]int64{{1, 0}: 1}}
	case 2:
		return formula{"y", map[[2]int]int64{{0, 1}: 1}}
	case 3:
		a, b := drawFormula(t, depth-1), drawFormula(t, depth-1)
		return formula{`\left(` + a.latex + "+" + b.latex + `\right)`, plus(a.value, b.value, 1)}
	case 4:
		a, b := drawFormula(t, depth-1), drawFormula(t, depth-1)
		return formula{"(" + a.latex + " - " + b.latex + ")", plus(a.value, b.value, -1)}
	}
	a, b := drawFormula(t, depth-1), drawFormula(t, depth-1)
	sign := rapid.SampledFrom([]string{`\cdot `, `\times `, "*"}).Draw(t, "sign")
	return formula{a.latex + sign + b.latex, times(a.value, b.value)}
}

func plus(a, b map[[2]int]int64, sign int64) map[[2]int]int64 {
	out := map[[2]int]int64{}
	for k, v := range a {
		out[k] += v
	}
	for k, v := range b {
		out[k] += sign * v
	}
	return out
}

func times(a, b map[[2]int]int64) map[[2]int]int64 {
	out := map[[2]int]int64{}
	for k, v := range a {
		for l, w := range b {
			out[[2]int{k[0] + l[0], k[1] + l[1]}] += v * w
		}
	}
	return out
}

// expanded writes a polynomial term by term.
func expanded(p map[[2]int]int64) string {
	var b strings.Builder
	b.WriteString("0")
	for i := 40; i >= 0; i-- {
		for j := 40; j >= 0; j-- {
			if c := p[[2]int{i, j}]; c != 0 {
				fmt.Fprintf(&b, "%+dx^{%d}y^%d", c, i, j)
			}
		}
	}
	return b.String()
}

func TestExpansion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawMode(t)
		f := drawFormula(t, 4)
		if v := check(t, f.latex, expanded(f.value), o); !v.Equal || v.By > mathequal.Exact {
			t.Fatalf("%s is not %s: %v", f.latex, expanded(f.value), v.By)
		}
		at := [2]int{rapid.IntRange(0, 2).Draw(t, "i"), rapid.IntRange(0, 2).Draw(t, "j")}
		f.value[at]++
		if v := check(t, f.latex, expanded(f.value), o); v.Equal {
			t.Fatalf("%s is %s: %v", f.latex, expanded(f.value), v.By)
		}
	})
}

func TestSpellingsOfAValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawMode(t)
		millionths := rapid.Int64Range(-50_000_000, 50_000_000).Draw(t, "millionths")
		x := big.NewRat(millionths, 1_000_000)
		sign, n, d := "", x.Num(), x.Denom()
		if x.Sign() < 0 {
			sign, n = "-", new(big.Int).Neg(n)
		}
		percent := new(big.Rat).Mul(x, big.NewRat(100, 1))
		spellings := []string{
			x.FloatString(6),
			x.FloatString(9) + "0",
			fmt.Sprintf(`%s\frac{%v}{%v}`, sign, n, d),
			fmt.Sprintf(`%s\dfrac{%v}{%v}`, sign, new(big.Int).Mul(n, big.NewInt(6)), new(big.Int).Mul(d, big.NewInt(6))),
			fmt.Sprintf(`\frac{%s%v}{%v}`, sign, n, d),
			fmt.Sprintf("%s%v/%v", sign, n, d),
			percent.FloatString(4) + `\%`,
			percent.FloatString(4) + " percent",
			fmt.Sprintf(`%s\sqrt{\frac{%v}{%v}}`, sign, new(big.Int).Mul(n, n), new(big.Int).Mul(d, d)),
			fmt.Sprintf(`x = %s`, x.FloatString(6)),
		}
		a := rapid.SampledFrom(spellings).Draw(t, "answer")
		b := rapid.SampledFrom(spellings).Draw(t, "reference")
		if v := check(t, a, b, o); strings.HasPrefix(a, "x") == strings.HasPrefix(b, "x") && !v.Equal || !strings.Contains(a+b, "x") && !v.Equal {
			t.Fatalf("%q is not %q: %v", a, b, v.By)
		}
		other := new(big.Rat).Add(x, big.NewRat(1, 1000)).FloatString(6)
		if v := check(t, a, other, o); v.Equal {
			t.Fatalf("%q is %q: %v", a, other, v.By)
		}
	})
}

func TestScaledEquation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawMode(t)
		left, right := drawFormula(t, 2), drawFormula(t, 2)
		if expanded(plus(left.value, right.value, -1)) == "0" {
			t.Skip("both sides are the same")
		}
		k := rapid.Int64Range(-9, 9).Filter(func(k int64) bool { return k != 0 }).Draw(t, "k")
		scale := map[[2]int]int64{{}: k}
		op := rapid.SampledFrom([]string{"=", "<", `\le`, ">", `\geq`}).Draw(t, "op")
		turned := map[string]string{"=": "=", "<": ">", `\le`: `\ge`, ">": "<", `\geq`: `\leq`}
		reference := left.latex + op + " " + right.latex
		if k < 0 {
			op = turned[op]
		}
		answer := expanded(times(scale, left.value)) + op + " " + expanded(times(scale, right.value))
		if v := check(t, answer, reference, o); !v.Equal {
			t.Fatalf("%q is not %q: %v", answer, reference, v.By)
		}
		if op != "=" {
			wrong := expanded(times(scale, left.value)) + turned[op] + " " + expanded(times(scale, right.value))
			if v := check(t, wrong, reference, o); v.Equal {
				t.Fatalf("%q is %q: %v", wrong, reference, v.By)
			}
		}
	})
}

// drawAnswer draws an answer of any kind, well formed or nearly so.
func drawAnswer(t *rapid.T, depth int) string {
	leaves := []string{"1", "2", "0.5", "-3", "x", "y", "n", `\pi`, "e", `\sqrt2`, `\infty`, `\text{yes}`, "12", `\emptyset`, "C"}
	if depth == 0 {
		return rapid.SampledFrom(leaves).Draw(t, "leaf")
	}
	shape := rapid.SampledFrom([]string{
		"%s", "%s+%s", "%s-%s", "%s %s", `\frac{%s}{%s}`, "(%s)^{%s}", `\sqrt{%s}`, "(%s,%s)", "[%s,%s)", "%s,%s", `\{%s,%s\}`,
		"%s=%s", "%s<%s", `%s\le %s`, "|%s|", `\sin(%s)`, `\ln %s`, `\begin{pmatrix}%s\\%s\end{pmatrix}`, `%s\cup %s`, `\pm %s`, "%s!",
		`%s\%%`, `\lfloor %s\rfloor`, `\sum_{k=1}^{%s} %s`, `\log_{%s}(%s)`, `%s\text{ cm}`,
	}).Draw(t, "shape")
	args := make([]any, strings.Count(strings.ReplaceAll(shape, "%%", ""), "%s"))
	for i := range args {
		args[i] = drawAnswer(t, rapid.IntRange(0, depth-1).Draw(t, "depth"))
	}
	return fmt.Sprintf(shape, args...)
}

func TestReflexive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawMode(t)
		s := drawAnswer(t, 3)
		if v := check(t, " "+s+" ", s, o); !v.Equal {
			t.Fatalf("%q is not itself: %v", s, v.By)
		}
		m, err := mathequal.NewMatcher(s, o)
		if err != nil {
			t.Fatal(err)
		}
		reply := `So the result is \boxed{` + s + `}.`
		if v, err := m.Reply(reply); err != nil || !v.Equal {
			t.Fatalf("%q does not hold %q: %+v, %v", reply, s, v, err)
		}
	})
}

func TestSymmetricInStrictMode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := mathequal.Options{Mode: mathequal.Strict}
		a, b := drawAnswer(t, 2), drawAnswer(t, 2)
		v, err := mathequal.Equal(a, b, o)
		w, err2 := mathequal.Equal(b, a, o)
		if v.Equal != w.Equal || (err == nil) != (err2 == nil) {
			t.Fatalf("%q against %q: %v by %v, %v; the other way round %v by %v, %v", a, b, v.Equal, v.By, err, w.Equal, w.By, err2)
		}
	})
}

func TestSameVerdictEveryTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawMode(t)
		a, b := drawAnswer(t, 3), drawAnswer(t, 3)
		v, err := mathequal.Equal(a, b, o)
		for range 3 {
			again, err2 := mathequal.Equal(a, b, o)
			if v != again || (err == nil) != (err2 == nil) {
				t.Fatalf("%q against %q: %+v %v, then %+v %v", a, b, v, err, again, err2)
			}
		}
	})
}
