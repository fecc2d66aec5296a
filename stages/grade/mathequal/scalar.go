package mathequal

import "math/big"

// sameScalar compares two numbers or formulas: exactly where they reduce to
// polynomials, then as decimals to six places, then as constants, then at points.
func (c *comparer) sameScalar(ref, ans *node) bool {
	if a, ok := infinite(ref); ok {
		b, ok := infinite(ans)
		return c.decided(ok && a == b, Exact)
	}
	if holdsInfinity(ref) || holdsInfinity(ans) {
		return false
	}
	x, okX := c.reducer.reduce(ref)
	y, okY := c.reducer.reduce(ans)
	if c.reducer.undefined || c.spent() {
		return false
	}
	rounding := ref.decimal || ans.decimal
	if okX && okY {
		zero, sure := c.vanishes(x, y)
		if zero || sure && !rounding {
			return c.decided(zero, Exact)
		}
	}
	constants := len(free(ref, ans)) == 0
	if rounding && constants {
		a, okA := c.toSix(ref, x, okX)
		b, okB := c.toSix(ans, y, okY)
		return c.decided(okA && okB && a.Cmp(b) == 0, Rounded)
	}
	if constants {
		p := precise{budget: c.budget}
		if equal, ok := p.same(ref, ans); ok {
			return c.decided(equal, Digits)
		}
	}
	if rounding { // one side is a number, the other varies
		return c.decided(false, Exact)
	}
	return c.decided(c.sample(ref, ans, agrees), Sampled)
}

// vanishes reports whether x - y is zero, and whether that is certain when it is
// not: atoms that may be bound to one another leave it open.
func (c *comparer) vanishes(x, y ratio) (zero, sure bool) {
	left, ok1 := c.reducer.multiply(x.over, y.under)
	right, ok2 := c.reducer.multiply(y.over, x.under)
	if !ok1 || !ok2 {
		return false, false
	}
	d, ok := c.reducer.plus(left, right, -1)
	if !ok {
		return false, false
	}
	return len(d) == 0, c.reducer.independent(d) && c.reducer.independent(x.under) && c.reducer.independent(y.under)
}

// independent reports whether the monomials of a polynomial are known to be
// independent: no atom is bound to others, and of e and pi, of which that is not
// known, there is one at most.
func (r *reducer) independent(p polynomial) bool {
	hasE, hasPi := false, false
	for _, m := range p {
		for _, f := range m.factors {
			a := r.atoms[f.atom]
			if a.dependent {
				return false
			}
			hasE = hasE || a.key == euler
			hasPi = hasPi || a.key == pi
		}
	}
	return !(hasE && hasPi)
}

// toSix returns a constant rounded to six decimals, ties to even.
func (c *comparer) toSix(n *node, q ratio, reduced bool) (*big.Int, bool) {
	var v *big.Rat
	if reduced {
		v, _ = q.value()
	}
	if v == nil {
		p := precise{budget: c.budget}
		if a, ok := p.eval(n); ok && a.err < -needed/4 {
			v, _ = a.x.Rat(nil)
		}
	}
	if v == nil {
		e := evaluator{budget: c.budget, point: map[string]complex128{}}
		a, ok := e.eval(n)
		if !ok || imag(a.value) != 0 || a.err > 1e-9 {
			return nil, false
		}
		v = new(big.Rat).SetFloat64(real(a.value))
	}
	if !c.weigh(v) {
		return nil, false
	}
	return roundToEven(new(big.Rat).Mul(v, big.NewRat(1_000_000, 1))), true
}

// roundToEven returns the nearest integer, the even one of two.
func roundToEven(x *big.Rat) *big.Int {
	twice := new(big.Int).Lsh(x.Num(), 1)
	twice.Add(twice, x.Denom())
	under := new(big.Int).Lsh(x.Denom(), 1)
	q, rest := new(big.Int).DivMod(twice, under, new(big.Int))
	if rest.Sign() == 0 && q.Bit(0) == 1 {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// infinite returns the sign of an infinity.
func infinite(n *node) (sign int, ok bool) {
	switch {
	case n.kind == infinity:
		return 1, true
	case n.kind == product && len(n.args) == 2 && n.args[0].kind == number && n.args[1].kind == infinity:
		return n.args[0].value.Sign(), n.args[0].value.Sign() != 0
	}
	return 0, false
}

func holdsInfinity(n *node) bool {
	found := false
	n.walk(func(m *node) { found = found || m.kind == infinity })
	return found
}
