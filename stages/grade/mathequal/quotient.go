package mathequal

import "math/big"

// A ratio is a quotient of polynomials. It is not reduced: two ratios are equal when
// their cross products are.
type ratio struct{ over, under polynomial }

func whole(p polynomial) ratio { return ratio{p, constant(big.NewRat(1, 1))} }

// plain reports whether there is nothing below the line.
func (q ratio) plain() bool {
	v, ok := q.under.value()
	return ok && v.Cmp(one) == 0
}

var one = big.NewRat(1, 1)

// value returns the number that a ratio without atoms is.
func (q ratio) value() (*big.Rat, bool) {
	a, okA := q.over.value()
	b, okB := q.under.value()
	if !okA || !okB || b.Sign() == 0 {
		return nil, false
	}
	return new(big.Rat).Quo(a, b), true
}

// sum returns a + sign b.
func (r *reducer) sum(a, b ratio, sign int64) (ratio, bool) {
	if a.plain() && b.plain() {
		p, ok := r.plus(a.over, b.over, sign)
		return whole(p), ok
	}
	left, ok1 := r.multiply(a.over, b.under)
	right, ok2 := r.multiply(b.over, a.under)
	if !ok1 || !ok2 {
		return ratio{}, false
	}
	over, ok1 := r.plus(left, right, sign)
	under, ok2 := r.multiply(a.under, b.under)
	return ratio{over, under}, ok1 && ok2
}

// product returns a b.
func (r *reducer) product(a, b ratio) (ratio, bool) {
	over, ok1 := r.multiply(a.over, b.over)
	under, ok2 := r.multiply(a.under, b.under)
	return ratio{over, under}, ok1 && ok2
}

// inverse returns 1/q. A single monomial goes above the line with its exponents
// turned round.
func (r *reducer) inverse(q ratio) (ratio, bool) {
	if len(q.over) == 0 {
		r.undefined = true
		return ratio{}, false
	}
	m, ok := q.over.single()
	if !ok {
		return ratio{q.under, q.over}, true
	}
	turned := monomial{coefficient: new(big.Rat).Inv(m.coefficient)}
	for _, f := range m.factors {
		g, ok := r.lowest(&turned, f.atom, -int64(f.n), int64(f.d))
		if !ok {
			return ratio{}, false
		}
		turned.factors = append(turned.factors, g)
	}
	over, ok := r.multiply(q.under, polynomial{turned.key(): turned})
	return whole(over), ok
}

// raise returns q^n for a whole number n.
func (r *reducer) raise(q ratio, n int64) (ratio, bool) {
	if n < 0 {
		inverse, ok := r.inverse(q)
		if !ok {
			return ratio{}, false
		}
		return r.raise(inverse, -n)
	}
	if v, ok := q.value(); ok {
		p, ok := r.integerPower(v, n)
		if !ok {
			return ratio{}, false
		}
		return whole(constant(p)), true
	}
	if m, ok := q.over.single(); ok && q.plain() {
		return r.raiseMonomial(m, n)
	}
	if n > 64 {
		return ratio{}, false
	}
	out := whole(constant(big.NewRat(1, 1)))
	for range n {
		var ok bool
		if out, ok = r.product(out, q); !ok {
			return ratio{}, false
		}
	}
	return out, true
}

// raiseMonomial returns m^n.
func (r *reducer) raiseMonomial(m monomial, n int64) (ratio, bool) {
	c, ok := r.integerPower(m.coefficient, n)
	if !ok {
		return ratio{}, false
	}
	out := monomial{coefficient: c}
	for _, f := range m.factors {
		g, ok := r.lowest(&out, f.atom, int64(f.n)*n, int64(f.d))
		if !ok {
			return ratio{}, false
		}
		if g.n != 0 {
			out.factors = append(out.factors, g)
		}
	}
	return whole(polynomial{out.key(): out}), true
}
