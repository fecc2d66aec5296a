package mathequal_test

import (
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// Answers as people and models write them to competition problems. Both modes say
// the same of these.
var answers = []struct {
	name, answer, reference string
	equal                   bool
	by                      mathequal.Proof
}{
	{"thousands", "1,234,567", "1234567", true, mathequal.Number},
	{"thousands in LaTeX", `\$32,\!348`, "32348", true, mathequal.Exact},
	{"thousands in braces", `1{,}000{,}000`, "10^6", true, mathequal.Exact},
	{"no thousands in a pair", "(100,200)", "(100, 200)", true, mathequal.Exact},
	{"no thousands with four digits", "12,3456", "123456", false, mathequal.Exact},
	{"letter in brackets", `\text{(A)}`, "A", true, mathequal.Exact},
	{"bold letter", `\textbf{(B)}`, "B", true, mathequal.Exact},
	{"another letter", `\text{(A)}`, "B", false, mathequal.Exact},
	{"letter e", `\text{E}`, "E", true, mathequal.Exact},
	{"words", `\text{even}`, `\text{Even}`, true, mathequal.Exact},
	{"other words", `\text{even}`, `\text{odd}`, false, mathequal.Exact},
	{"unit", `5\text{ cm}`, "5", true, mathequal.Exact},
	{"unit with a power", `12\,\text{m}^{2}`, "12", true, mathequal.Exact},
	{"unit in words", "30 miles per hour", "30", true, mathequal.Exact},
	{"unit over unit", `60 km/h`, "60", true, mathequal.Exact},
	{"degrees", `90^{\circ}`, "90", true, mathequal.Exact},
	{"half", `\frac12`, "0.5", true, mathequal.Exact},
	{"half, plain", "1/2", `\dfrac{1}{2}`, true, mathequal.Exact},
	{"negative half", `-\frac{1}{2}`, `\frac{1}{-2}`, true, mathequal.Exact},
	{"mixed number", `3\frac{1}{7}`, `\frac{22}{7}`, true, mathequal.Exact},
	{"rounded third", "0.333", "1/3", false, mathequal.Rounded},
	{"third to six places", "0.333333", "1/3", true, mathequal.Rounded},
	{"root to six places", "1.414214", `\sqrt{2}`, true, mathequal.Rounded},
	{"repeating decimal", `0.1\overline{6}`, `\frac16`, true, mathequal.Exact},
	{"repeating decimal is not its start", `0.\overline{3}`, `0`, false, mathequal.Exact},
	{"percent", `25\%`, `\frac14`, true, mathequal.Exact},
	{"percent in words", `25 percent`, `25\%`, true, mathequal.Exact},
	{"ratio", "3:4", `\frac{3}{4}`, true, mathequal.Exact},
	{"power of ten", `3.2 \times 10^{5}`, "320000", true, mathequal.Exact},
	{"base is not read", "1011_2", "1011", true, mathequal.Exact},

	{"pi", "pi/4", `\frac{\pi}{4}`, true, mathequal.Exact},
	{"root taken out", `\sqrt{12}`, `2\sqrt{3}`, true, mathequal.Exact},
	{"root below the line", `\frac{6}{\sqrt{3}}`, `2\sqrt3`, true, mathequal.Exact},
	{"root of a fraction", `\sqrt{\frac{2}{3}}`, `\frac{\sqrt6}{3}`, true, mathequal.Exact},
	{"cube root", `\sqrt[3]{54}`, `3\sqrt[3]{2}`, true, mathequal.Exact},
	{"roots of roots", `\sqrt{\sqrt{2}}`, `2^{1/4}`, true, mathequal.Exact},
	{"nested roots", `\sqrt{3+2\sqrt{2}}`, `1+\sqrt2`, true, mathequal.Digits},
	{"nested roots, almost", `\sqrt{3+2\sqrt{2}}`, `1+\sqrt{2}+10^{-40}`, false, mathequal.Digits},
	{"golden ratio", `\frac{1}{\frac{1+\sqrt5}{2}}`, `\frac{\sqrt5-1}{2}`, true, mathequal.Exact},
	{"sum of roots", `\sqrt2+\sqrt3`, `\sqrt5`, false, mathequal.Exact},
	{"imaginary unit is a symbol", "3+4i", "4i + 3", true, mathequal.Exact},
	{"large numbers", "2^{200}", "2^{200}+1", false, mathequal.Exact},
	{"logarithms", `\log_2 8`, "3", true, mathequal.Digits},
	{"logarithms of roots", `\ln\sqrt{e}`, `\frac12`, true, mathequal.Digits},
	{"angles", `\cos\frac{\pi}{3}`, `\frac12`, true, mathequal.Digits},
	{"tangent", `\tan(\pi/8)`, `\sqrt2-1`, true, mathequal.Digits},
	{"Machin", `4\arctan\frac15-\arctan\frac1{239}`, `\frac\pi4`, true, mathequal.Digits},
	{"almost an integer", `e^{\pi\sqrt{163}}`, "262537412640768744", false, mathequal.Digits},

	{"order of terms", "p - q", "-q + p", true, mathequal.Exact},
	{"expanded", "(x+2)(x-3)", "x^2 - x - 6", true, mathequal.Exact},
	{"expanded, wrong", "(x+2)(x-3)", "x^2 - x + 6", false, mathequal.Exact},
	{"partial fractions", `\frac{1}{x-1}-\frac{1}{x+1}`, `\frac{2}{x^2-1}`, true, mathequal.Exact},
	{"negative exponent", `\frac{x^3}{x^5}`, `x^{-2}`, true, mathequal.Exact},
	{"double angle", `\sin(2x)`, `2\sin x\cos x`, true, mathequal.Sampled},
	{"exponents", `2^{x+1}`, `2\cdot 2^x`, true, mathequal.Sampled},
	{"exponents, wrong", `2^{x+1}`, `2^x+1`, false, mathequal.Sampled},
	{"root of a square", `\sqrt{(x-1)^2}`, `x-1`, false, mathequal.Sampled},
	{"sum of powers", `\sum_{k=1}^{n} k^2`, `\frac{n(n+1)(2n+1)}{6}`, true, mathequal.Sampled},
	{"factorials", `\frac{(n+1)!}{n!}`, `n+1`, true, mathequal.Sampled},
	{"integral", `\int_0^{\pi} \sin x\,dx`, `2`, true, mathequal.Sampled},

	{"pair", `\left( \frac{3}{2}, -13 \right)`, "(1.5,-13)", true, mathequal.Exact},
	{"pair out of order", "(2,1)", "(1,2)", false, mathequal.Exact},
	{"triple", "(1,2,3)", `(1, 2, \frac{6}{2})`, true, mathequal.Exact},
	{"union", `(-\infty, 0) \cup (0, \infty)`, `(0,\infty)\cup(-\infty,0)`, true, mathequal.Exact},
	{"open and closed", "[0,1)", "[0,1]", false, mathequal.Exact},
	{"infinities", `-\infty`, `\infty`, false, mathequal.Exact},
	{"set in another order", `\{3, 1, 2\}`, `\{1,2,3\}`, true, mathequal.Exact},
	{"set with a word", `1, 2, \text{ and } 3`, "3,2,1", true, mathequal.Exact},
	{"set, one missing", "1,2", "1,2,3", false, mathequal.Exact},
	{"set with a twin", `\{1,1,2\}`, `\{1,2\}`, true, mathequal.Exact},
	{"set of one", `\{5\}`, "5", true, mathequal.Exact},
	{"plus or minus", `1 \pm \sqrt{19}`, `1+\sqrt{19},1-\sqrt{19}`, true, mathequal.Exact},
	{"solutions", `x = \pm 3`, `-3, 3`, true, mathequal.Exact},
	{"empty", `\emptyset`, `\varnothing`, true, mathequal.Exact},

	{"assignment", "x = 5", "5", true, mathequal.Exact},
	{"function", "f(x) = x^2 + 1", "x^2+1", true, mathequal.Exact},
	{"equation in brackets", "5", "x=(y=5)", true, mathequal.Exact},
	{"line", "2x - y = 3", "y = 2x - 3", true, mathequal.Exact},
	{"circle", "x^2 + y^2 = 4", `2x^2 + 2y^2 - 8 = 0`, true, mathequal.Exact},
	{"another line", "y = 2x + 3", "y = 3x + 2", false, mathequal.Exact},
	{"inequality", `-x < -3`, "x > 3", true, mathequal.Exact},
	{"inequality turned wrong", `x < 3`, "x > 3", false, mathequal.Exact},
	{"chain", `1 < x \le 2`, `2 \ge x > 1`, true, mathequal.Exact},
	{"solution of an inequality", `(3,\infty)`, `x > 3`, true, mathequal.Exact},
	{"solution of a chain", `[1,2)`, `1 \le x < 2`, true, mathequal.Exact},
	{"solution of alternatives", `(-\infty,\frac12]\cup[3,\infty)`, `x \le 0.5 \text{ or } x \ge 3`, true, mathequal.Exact},
	{"membership", `x \in [0,1]`, "[0,1]", true, mathequal.Exact},

	{"column", `\begin{pmatrix} -2 \\ 1 \end{pmatrix}`, `\begin{bmatrix}-2\\1\end{bmatrix}`, true, mathequal.Exact},
	{"row and column", `\begin{pmatrix} -2 & 1 \end{pmatrix}`, `\begin{pmatrix}-2\\1\end{pmatrix}`, false, mathequal.Exact},
	{"unreadable", `\lg 7`, "7", false, mathequal.Unreadable},
	{"unreadable, same text", `\lg 7`, `\lg 7`, true, mathequal.Text},
	{"undefined", `\frac{1}{0}`, `\frac{2}{0}`, false, mathequal.Exact},
}

func TestAnswers(t *testing.T) {
	for _, mode := range modes {
		for _, c := range answers {
			t.Run(mode.String()+" "+c.name, func(t *testing.T) {
				v, err := mathequal.Equal(c.answer, c.reference, mathequal.Options{Mode: mode})
				if err != nil || v.Equal != c.equal || v.By != c.by {
					t.Errorf("%q against %q: %v by %v, %v; want %v by %v", c.answer, c.reference, v.Equal, v.By, err, c.equal, c.by)
				}
			})
		}
	}
}
