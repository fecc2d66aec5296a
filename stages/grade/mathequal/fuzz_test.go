package mathequal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// fuzzBudget keeps a single call of the fuzz targets below a millisecond or so; a
// call that does not end within it is a hang and fails the run.
const fuzzBudget = 5_000

func FuzzEqual(f *testing.F) {
	for _, s := range [][2]string{
		{`\frac{1}{2}`, "0.5"}, {"9^9^9^9", "1"}, {`\sqrt{2}+\sqrt{3}`, `\sqrt{5+2\sqrt{6}}`}, {"(1,2)", "1,2"},
		{`x>3`, `(3,\infty)`}, {`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, `\text{no}`}, {`\sin^2 x+\cos^2 x`, "1"},
		{`\sum_{k=1}^{n} k`, `\frac{n(n+1)}{2}`}, {`100!`, `\binom{5}{2}`}, {`\pm 2`, `\{-2,2\}`}, {`\int_0^1 x dx`, `|x|`},
		{`12\%`, `7\frac34 \text{ inches}`}, {`x=1\text{ and }y=2`, `\left(-\infty,1\right)\cup[2,3)`}, {`\log_2 8`, `\gcd(4,6)`},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, answer, reference string) {
		o := mathequal.Options{Mode: mathequal.Mode(len(answer) % 2), Budget: fuzzBudget}
		v, err := mathequal.Equal(answer, reference, o)
		checkVerdict(t, v, err, answer)
		if strings.TrimSpace(answer) == strings.TrimSpace(reference) && err == nil && !v.Equal {
			t.Fatalf("%q does not equal itself: %+v", answer, v)
		}
	})
}

// checkVerdict holds a verdict against what every verdict must be.
func checkVerdict(t testing.TB, v mathequal.Verdict, err error, text string) {
	t.Helper()
	switch {
	case err != nil && !errors.Is(err, mathequal.ErrBudget) && !errors.Is(err, mathequal.ErrNotMath):
		t.Fatalf("%q: an error of another kind: %v", text, err)
	case err != nil && v.Equal:
		t.Fatalf("%q: equal and an error: %v", text, err)
	case v.Equal && (v.By == mathequal.NoAnswer || v.By == mathequal.Unreadable):
		t.Fatalf("%q: equal, and nothing was read: %+v", text, v)
	}
}

func FuzzFinal(f *testing.F) {
	for _, s := range []string{
		`so \boxed{\frac{1}{2}} and \boxed{3}`, "The answer is 7 because 3 + 4 = 7", "#### 1,234", "A: $18.00", `\boxed{\boxed{5}`,
		"$x=1$ and $x=2$", `\[ \boxed{8} \]`, "<think>3</think> final answer is: 4. I hope", "answer = 12 = 13", "50% of [1, 2] \\frac{1}{2}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		for _, o := range []mathequal.Options{{}, {KeepThinking: true}, {Mode: mathequal.Strict}} {
			o.Budget = fuzzBudget
			a, ok := mathequal.Final(reply, o)
			if ok != (a.Place != mathequal.Nowhere) {
				t.Fatalf("%q: %+v, %v", reply, a, ok)
			}
			v, err := mathequal.Match(reply, "72", o)
			checkVerdict(t, v, err, reply)
			if o.Mode != mathequal.Strict && a.Place == mathequal.LastNumber && !strings.Contains(reply, strings.TrimSuffix(a.Text, "%")) {
				t.Fatalf("%q: the answer %q does not stand in it", reply, a.Text)
			}
		}
	})
}
