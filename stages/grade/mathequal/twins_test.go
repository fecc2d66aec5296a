package mathequal

import (
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The plain ways of this package are the oracles of its fast and exact ones.

// drawNumber draws a number as texts spell it, well formed or nearly so.
func drawNumber(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "", "-", "$", "-$", `\$`, " "}).Draw(t, "sign"))
	b.WriteString(rapid.StringMatching(`0|[0-9]{1,4}|[1-9][0-9]{0,2}(,[0-9]{3}){1,2}|[0-9]{1,3},[0-9]{1,2}|`).Draw(t, "whole"))
	b.WriteString(rapid.StringMatching(`|\.|\.[0-9]{1,9}`).Draw(t, "part"))
	return b.String()
}

// TestPlainNumbersAsTrees compares the quick comparison of plain numbers with that
// of their trees.
func TestPlainNumbersAsTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]Mode{MathVerify, Strict}).Draw(t, "mode")
		a, b := drawNumber(t), drawNumber(t)
		if rapid.Bool().Draw(t, "same") {
			b = strings.TrimPrefix(strings.ReplaceAll(a, ",", ""), "$")
		}
		quick, err := NewMatcher(b, Options{Mode: mode})
		if err != nil {
			return
		}
		tree, err := parse(b, mode)
		if err != nil {
			if quick.isFixed {
				t.Fatalf("%q is read as a plain number alone: %v", b, err)
			}
			return
		}
		slow := *quick
		slow.isFixed, slow.tree = false, tree
		v, err1 := quick.Answer(a)
		w, err2 := slow.Answer(a)
		if v.Equal != w.Equal || err1 != nil || err2 != nil {
			t.Fatalf("%q against %q: %+v %v; by trees %+v %v", a, b, v, err1, w, err2)
		}
	})
}

// TestBareNumberAsReply compares the way of a reply that is a number with that of
// all replies.
func TestBareNumberAsReply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Mode: rapid.SampledFrom([]Mode{MathVerify, Strict}).Draw(t, "mode")}
		a, b := drawNumber(t), drawNumber(t)
		if rapid.Bool().Draw(t, "same") {
			b = strings.TrimPrefix(strings.ReplaceAll(a, ",", ""), "$")
		}
		m, err := NewMatcher(b, o)
		if err != nil {
			return
		}
		v, ok := m.bareNumber(a)
		if !ok {
			return
		}
		w, err := m.Reply(a + "\n\n") // too long a reply is not read this way
		long, err2 := m.Reply(strings.Repeat(" ", 24) + a)
		if err != nil || err2 != nil || w.Equal != v.Equal || long.Equal != v.Equal || o.Mode == MathVerify && long.Answer != v.Answer {
			t.Fatalf("%q against %q: %+v; as a reply %+v %v, %+v %v", a, b, v, w, err, long, err2)
		}
	})
}

// drawExpression draws a rational expression in x and y.
func drawExpression(t *rapid.T, depth int) *node {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return newSymbol("x")
		case 1:
			return newSymbol("y")
		case 2:
			return newNode(power, "", newInteger(rapid.Int64Range(2, 6).Draw(t, "root")), newNumber(big.NewRat(1, 2)))
		}
		return newNumber(big.NewRat(rapid.Int64Range(-5, 5).Draw(t, "n"), rapid.Int64Range(1, 3).Draw(t, "d")))
	}
	a, b := drawExpression(t, depth-1), drawExpression(t, depth-1)
	switch rapid.IntRange(0, 3).Draw(t, "operation") {
	case 0:
		return newNode(sum, "", a, b)
	case 1:
		return subtract(a, b)
	case 2:
		return newNode(product, "", a, b)
	}
	return newNode(product, "", a, reciprocal(b))
}

func newComparer() *comparer {
	b := &budget{left: 10 * DefaultBudget}
	return &comparer{budget: b, mode: Strict, reducer: newReducer(b)}
}

// TestExactAgreesWithSamples holds what is decided exactly against evaluation at
// points.
func TestExactAgreesWithSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawExpression(t, 3), drawExpression(t, 3)
		if rapid.Bool().Draw(t, "same") { // the same by another way
			k := drawExpression(t, 1)
			b = subtract(newNode(sum, "", k, a), k)
		}
		c := newComparer()
		x, okX := c.reducer.reduce(a)
		y, okY := c.reducer.reduce(b)
		if !okX || !okY {
			return
		}
		zero, sure := c.vanishes(x, y)
		if !sure && !zero {
			return
		}
		if sampled := c.sample(a, b, agrees); sampled != zero && (zero || !nearly(c, a, b)) {
			t.Fatalf("%s and %s: exactly %v, at points %v", written(a), written(b), zero, sampled)
		}
	})
}

// nearly reports whether two expressions are undefined together, or almost, at
// enough points that sampling cannot tell them.
func nearly(c *comparer, a, b *node) bool {
	return c.sample(a, b, func(x, y approximation) (bool, bool) {
		return cmplx.Abs(x.value-y.value) <= 1e-6*max(cmplx.Abs(x.value), cmplx.Abs(y.value)), true
	})
}

// TestDigitsAgreeWithFloats holds the constants to 120 digits against the same in
// float64.
func TestDigitsAgreeWithFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawExpression(t, 2)
		n.walk(func(m *node) {
			if m.kind == symbol {
				m.name = pi
			}
		})
		n = newNode(call, rapid.SampledFrom([]string{"sin", "cos", "ln", "abs", "arctan", "arcsin", "tan"}).Draw(t, "function"), n)
		c := newComparer()
		exact, ok1 := precise{c.budget}.eval(n)
		e := evaluator{budget: c.budget, point: map[string]complex128{}}
		about, ok2 := e.eval(n)
		if !ok1 || !ok2 {
			return
		}
		want, _ := exact.x.Float64()
		if d := cmplx.Abs(about.value - complex(want, 0)); d > 8*about.err {
			t.Fatalf("%s: %v to many digits, %v ± %v", written(n), want, about.value, about.err)
		}
	})
}

func TestConstants(t *testing.T) {
	p := precise{&budget{left: DefaultBudget}}
	same := func(name string, x, y known, ok ...bool) {
		t.Helper()
		for _, k := range ok {
			if !k {
				t.Fatalf("%s: not evaluated", name)
			}
		}
		d := float().Sub(x.x, y.x)
		if d.Sign() != 0 && d.MantExp(nil) > max(x.err, y.err)+2 || max(x.err, y.err) > -needed {
			t.Errorf("%s: %v and %v (within 2^%d and 2^%d)", name, x.x, y.x, x.err, y.err)
		}
	}
	number := func(n, d int64) known {
		x, _ := p.settled(float().SetRat(big.NewRat(n, d)), exact)
		return x
	}
	// Machin's formula, which shares nothing with the digits written down.
	a, ok1 := p.arctan(number(1, 5))
	b, ok2 := p.arctan(number(1, 239))
	a.x.Mul(a.x, integer(16))
	b.x.Mul(b.x, integer(4))
	same("pi", known{a.x.Sub(a.x, b.x), a.err + 5}, known{piDigits, -precision}, ok1, ok2)
	e, ok := p.exp(number(1, 1))
	same("e", e, known{eDigits, -precision}, ok)
	// ln 2 by the series of artanh(1/3).
	sum, power := float(), float().SetRat(big.NewRat(2, 3))
	for k := int64(1); k < 400; k += 2 {
		sum.Add(sum, float().Quo(power, integer(k)))
		power.Quo(power, integer(9))
	}
	same("ln 2", known{sum, 10 - precision}, known{ln2Digits, -precision})
	for _, x := range []known{number(1, 7), number(355, 113), number(-22, 3), number(100, 1)} {
		y, ok1 := p.exp(x)
		back, ok2 := p.ln(y)
		same(fmt.Sprint("ln exp ", x.x), back, x, ok1, ok2)
		sin, cos, ok := p.sinCos(x)
		s, ok1 := p.times(sin, sin)
		c, ok2 := p.times(cos, cos)
		same(fmt.Sprint("sin² + cos² of ", x.x), known{s.x.Add(s.x, c.x), max(s.err, c.err) + 1}, number(1, 1), ok, ok1, ok2)
	}
	if f, _ := e.x.Float64(); f != math.E {
		t.Errorf("e is %v", f)
	}
}

func TestRoundToEven(t *testing.T) {
	for _, c := range [][3]int64{{1, 2, 0}, {3, 2, 2}, {5, 2, 2}, {-1, 2, 0}, {-3, 2, -2}, {7, 3, 2}, {8, 3, 3}, {-7, 3, -2}, {4, 1, 4}} {
		if got := roundToEven(big.NewRat(c[0], c[1])).Int64(); got != c[2] {
			t.Errorf("%d/%d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestReadFixed(t *testing.T) {
	for _, c := range []struct {
		in     string
		plain  bool
		want   fixed
		number bool
	}{
		{"72", false, fixed{72, 0, false}, true},
		{"-3.50", false, fixed{-35, 1, true}, true},
		{"$18.00", false, fixed{18, 0, true}, true},
		{"1,000", false, fixed{1000, 0, false}, true},
		{"1,234,567.8", false, fixed{12345678, 1, true}, true},
		{"29.", false, fixed{29, 0, false}, true},
		{".5", false, fixed{5, 1, true}, true},
		{"33,33", true, fixed{3333, 2, true}, true},
		{"33,33", false, fixed{}, false},
		{"1 234", true, fixed{1234, 0, false}, true},
		{"1 234", false, fixed{}, false},
		{"1,2345", false, fixed{}, false},
		{"0,123", false, fixed{}, false},
		{"1e3", false, fixed{}, false},
		{"1234567890123456789", false, fixed{}, false},
		{"", false, fixed{}, false},
		{"-", false, fixed{}, false},
		{".", false, fixed{}, false},
		{"1/2", false, fixed{}, false},
	} {
		got, ok := readFixed(c.in, c.plain)
		if ok != c.number || ok && got != c.want {
			t.Errorf("%q: %+v, %v", c.in, got, ok)
		}
	}
}
