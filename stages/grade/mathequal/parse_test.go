package mathequal

import (
	"errors"
	"strings"
	"testing"
)

// written writes an expression with its structure in brackets.
func written(n *node) string {
	name := n.name
	switch n.kind {
	case number:
		if n.decimal {
			return n.value.RatString() + "."
		}
		return n.value.RatString()
	case symbol:
		return name
	case text:
		return `"` + name + `"`
	case infinity:
		return "oo"
	case relation:
		name = strings.Join(n.ops, " ")
	case interval:
		name = map[bool]string{false: "(", true: "["}[n.closed[0]] + map[bool]string{false: ")", true: "]"}[n.closed[1]]
	case call, union:
	default:
		name = [...]string{sum: "+", product: "*", power: "^", list: "set", tuple: "tuple", matrix: "matrix"}[n.kind]
	}
	var b strings.Builder
	b.WriteString("(" + name)
	for _, a := range n.args {
		b.WriteString(" " + written(a))
	}
	return b.String() + ")"
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"integer", "0042", "42"},
		{"decimal", "2.50", "5/2."},
		{"decimal without a digit before", ".5", "1/2."},
		{"point at the end", "29.", "29"},
		{"thousands", "1,234", "1234"},
		{"thousands with a space", "1, 234", "(set 1 234)"},
		{"hard space", `1\,234`, "(* 1 234)"},
		{"negative", "-3", "-3"},
		{"signs that cancel", "--3", "3"},
		{"sum", "1+2-3", "(+ 1 2 -3)"},
		{"product", "2xy", "(* 2 x y)"},
		{"signs of multiplication", `2\cdot 3\times 4*5·6`, "(* 2 3 4 5 6)"},
		{"division", "6/2/3", "1"},
		{"division of letters", "x/y", "(* x (^ y -1))"},
		{"negative factor", "3*-2", "(* 3 -2)"},
		{"power", "x^2", "(^ x 2)"},
		{"power of many digits", "2^10", "(^ 2 10)"},
		{"power to the right", "2^3^4", "(^ 2 (^ 3 4))"},
		{"power of a group", "x^{n+1}", "(^ x (+ n 1))"},
		{"power of brackets", "2^(1/4)", "(^ 2 1/4)"},
		{"two stars", "2**3", "(^ 2 3)"},
		{"power binds before minus", "-x^2", "(* -1 (^ x 2))"},
		{"fraction", `\frac{1}{x}`, "(* 1 (^ x -1))"},
		{"fraction without braces", `\frac12`, "1/2"},
		{"fraction, half with braces", `\frac1{2}`, "1/2"},
		{"fraction with a space", `\frac 59`, "5/9"},
		{"fraction of more digits", `\frac123`, "(* 1/2 3)"},
		{"mixed number", `2\frac12`, "5/2"},
		{"no mixed number", `x\frac12`, "(* x 1/2)"},
		{"root", `\sqrt{2}`, "(^ 2 1/2)"},
		{"root without braces", `\sqrt2x`, "(* (^ 2 1/2) x)"},
		{"root of degree", `\sqrt[3]{x}`, "(^ x 1/3)"},
		{"root, plain", "sqrt(2)", "(^ 2 1/2)"},
		{"absolute value", "|x-1|", "(abs (+ x -1))"},
		{"two absolute values", "|x||y|", "(* (abs x) (abs y))"},
		{"floor", `\left\lfloor 3.7 \right\rfloor`, "(floor 37/10.)"},
		{"factorial", "5!", "(factorial 5)"},
		{"binomial", `\dbinom{5}{2}`, "(binom 5 2)"},
		{"percent", `12\%`, "3/25"},
		{"degrees", `30^\circ`, "30"},
		{"sine", `\sin x`, "(sin x)"},
		{"sine of a product", `\sin 2x\cos x`, "(* (sin (* 2 x)) (cos x))"},
		{"sine squared", `\sin^2 x`, "(^ (sin x) 2)"},
		{"inverse sine", `\sin^{-1}(1)`, "(arcsin 1)"},
		{"logarithm", `\log_2 8`, "(* (ln 8) (^ (ln 2) -1))"},
		{"logarithm without base", `\log 100`, "(* (ln 100) (^ (ln 10) -1))"},
		{"exponential", `\exp(x)`, "(^ e x)"},
		{"arguments", `\gcd(4,6)`, "(gcd 4 6)"},
		{"named operator", `\operatorname{lcm}(4,6)`, "(lcm 4 6)"},
		{"index", "x_{10}", "x_10"},
		{"base", "2516_8", "2516"},
		{"Greek", `\alpha\beta`, "(* alpha beta)"},
		{"letters", "ABC", "(* a b c)"},
		{"constants", `2\pi e`, "(* 2 pi e)"},
		{"text", `\text{June 20}`, `"june20"`},
		{"text of a letter", `\text{(C)}`, "c"},
		{"text of a number", `\mathrm{13}`, "13"},
		{"unit", `42\text{ cm}^2`, "42"},
		{"unit in letters", "42 cm", "42"},
		{"unit and another value", "42 cm, 3", "(set 42 3)"},
		{"no unit", "42 q", "(* 42 q)"},
		{"currency", `\$42`, "42"},
		{"overline", `\overline{AB}`, "decorated overline ab"},
		{"reals", `\mathbb{R}`, "decorated mathbb r"},
		{"brackets", "((x))", "x"},
		{"pair", "(1,2)", "(() 1 2)"},
		{"interval", "[1,2)", "([) 1 2)"},
		{"thousands are off in brackets", "(1,200)", "(() 1 200)"},
		{"triple", "(1,2,3)", "(tuple 1 2 3)"},
		{"set", `\{1,2\}`, "(set 1 2)"},
		{"empty set", `\{\}`, "(set)"},
		{"list with words", `1, 2, \text{ and } 3`, "(set 1 2 3)"},
		{"union", `(-\infty,1)\cup[2,3]`, "(cup (() (* -1 oo) 1) ([] 2 3))"},
		{"plus or minus", `\pm 2`, "(set 2 -2)"},
		{"equation", "x=5", "(= x 5)"},
		{"chain", `1<x\le 2`, "(< <= 1 x 2)"},
		{"about", `x \approx 3`, "3"},
		{"member", `x\in[0,1]`, "(in x ([] 0 1))"},
		{"matrix", `\begin{pmatrix}1&2\\3&4\end{pmatrix}`, "(matrix 1 2 3 4)"},
		{"doubled backslashes", `\\frac{1}{2}`, "1/2"},
		{"sum sign", `\sum_{k=1}^{n} k`, "(sum k k 1 n)"},
		{"integral", `\int_0^1 x^2 dx`, "(int (^ x 2) x 0 1)"},
	} {
		n, err := parse(c.in, MathVerify)
		if err != nil {
			t.Errorf("%s: %q: %v", c.name, c.in, err)
		} else if got := written(n); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.name, c.in, got, c.want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for _, s := range []string{
		"", " ", "$", "(", ")", "1+", "(1", "1)", "[1", `\frac{1}`, `\frac`, `\sqrt{`, "x^", "^2", `\begin{pmatrix}1&2\\3\end{pmatrix}`, `\begin{cases}1\end{cases}`,
		`\lg 7`, `5 \bmod 3`, "=5", "x=", "{8", "8}", "?", "1@2", `\sum_{k=1} k`, `\int x`, "\xff", `\text{a`, `1 \cup`,
	} {
		if n, err := parse(s, MathVerify); !errors.Is(err, errUnreadable) {
			t.Errorf("%q: %v, %v", s, n, err)
		}
	}
}

func TestBounds(t *testing.T) {
	many := strings.Repeat
	for _, s := range []string{
		many("(", 2000), many("{", 2000) + "1" + many("}", 2000), many(`\sqrt{`, 500) + "2" + many("}", 500), "2" + many("^2", 1000),
		many("1,", 3000), many("-", 2000) + "1" + many("(-", 500), "5" + many("!", 500), many(`\sin `, 500) + "x", "1e99999", many("7", 5000),
		many(`\frac1{`, 300) + "1" + many("}", 300), many("|", 2001), many(`\pm 1,`, 500),
	} {
		for _, mode := range []Mode{MathVerify, Strict} {
			n, err := parse(s, mode)
			if err == nil && n.depth <= 2*maxDepth+1 {
				continue // read within the bounds
			}
			if !errors.Is(err, ErrBudget) && !errors.Is(err, errUnreadable) {
				t.Errorf("%.30q: %v", s, err)
			}
		}
	}
	// Refused before any of it is computed: the smallest of budgets is enough.
	for _, s := range []string{"9^9^9^9", "9^{9^{9^9}}", "99999!", "2^{100000}", "10^{-100000}", "(1/3)^{99999}", "9999^{9999}", `\binom{99999}{5}`} {
		_, err := Equal(s, "5", Options{Budget: 500})
		var over *BudgetError
		if !errors.As(err, &over) || over.Limit == "operations" || !errors.Is(err, ErrBudget) {
			t.Errorf("%q: %v", s, err)
		}
		if _, err := Equal(s, s, Options{}); err != nil {
			t.Errorf("%q against itself: %v", s, err)
		}
	}
	for _, s := range []string{"10000!", "2^{10000}", `\binom{10000}{5000}`, `\frac{1}{2004!}`} {
		if v, err := Equal(s, s+"+0", Options{}); err != nil || !v.Equal {
			t.Errorf("%q: %+v, %v", s, v, err)
		}
	}
	if _, err := NewMatcher(many("7", 5000), Options{}); err == nil || !strings.Contains(err.Error(), "reference: length") {
		t.Errorf("a reference that is too long: %v", err)
	}
	// Work is counted: what is slow ends in an error, not in time.
	for _, s := range []string{`\sum_{k=1}^{1000}\sum_{j=1}^{1000} kjx`, many("9999!", 800), `\int_0^1\int_0^1\int_0^1\int_0^1 xyz dx dy dz dz`} {
		if _, err := Equal(s, "x+1", Options{}); !errors.Is(err, ErrBudget) {
			t.Errorf("%.40q: %v", s, err)
		}
	}
}

func TestNoReference(t *testing.T) {
	for _, s := range []string{"", "  ", "\n"} {
		if _, err := Match(`\boxed{3}`, s, Options{}); !errors.Is(err, ErrNotMath) {
			t.Errorf("%q: %v", s, err)
		}
	}
}
