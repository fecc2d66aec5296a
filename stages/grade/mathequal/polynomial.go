package mathequal

import (
	"math/big"
	"slices"
	"strings"
)

// A polynomial is a sum of monomials by their keys; none has the coefficient zero.
type polynomial map[string]monomial

// maxTerms bounds the monomials of a polynomial, and maxPairs the products of two
// monomials in one comparison. What goes over them is left to be evaluated at
// points.
const (
	maxTerms = 1000
	maxPairs = 20_000
)

func constant(x *big.Rat) polynomial {
	if x.Sign() == 0 {
		return polynomial{}
	}
	return polynomial{"": {coefficient: x}}
}

// value returns the number that a polynomial without atoms is.
func (p polynomial) value() (*big.Rat, bool) {
	switch len(p) {
	case 0:
		return new(big.Rat), true
	case 1:
		if m, ok := p[""]; ok {
			return m.coefficient, true
		}
	}
	return nil, false
}

// single returns the only monomial of a polynomial.
func (p polynomial) single() (monomial, bool) {
	if len(p) != 1 {
		return monomial{}, false
	}
	for _, m := range p {
		return m, true
	}
	return monomial{}, false
}

// keys returns the keys in order, so that nothing depends on the order of the map.
func (p polynomial) keys() []string {
	keys := make([]string, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// add puts m into p.
func (r *reducer) add(p polynomial, m monomial) bool {
	key := m.key()
	if have, ok := p[key]; ok {
		m.coefficient = new(big.Rat).Add(have.coefficient, m.coefficient)
		if !r.weigh(m.coefficient) {
			return false
		}
	}
	if m.coefficient.Sign() == 0 {
		delete(p, key)
	} else {
		p[key] = m
	}
	return r.spend(len(m.factors)) && len(p) <= maxTerms
}

// plus returns a + sign b.
func (r *reducer) plus(a, b polynomial, sign int64) (polynomial, bool) {
	out := make(polynomial, len(a)+len(b))
	for k, m := range a {
		out[k] = m
	}
	factor := big.NewRat(sign, 1)
	for _, k := range b.keys() {
		m := b[k]
		m.coefficient = new(big.Rat).Mul(m.coefficient, factor)
		if !r.add(out, m) {
			return nil, false
		}
	}
	return out, true
}

// multiply returns a b.
func (r *reducer) multiply(a, b polynomial) (polynomial, bool) {
	pairs := len(a) * len(b)
	if r.pairs += pairs; r.pairs > maxPairs || !r.spend(16*pairs) {
		return nil, false
	}
	out := make(polynomial, max(len(a), len(b)))
	left, right := a.keys(), b.keys()
	for _, i := range left {
		for _, j := range right {
			m, ok := r.times(a[i], b[j])
			if !ok || !r.add(out, m) {
				return nil, false
			}
		}
	}
	return out, true
}

// render writes a polynomial as part of the key of an atom: equal texts are equal
// polynomials.
func (r *reducer) render(p polynomial) string {
	terms := make([]string, 0, len(p))
	for _, m := range p {
		var b strings.Builder
		b.WriteString(m.coefficient.RatString())
		named := make([]string, len(m.factors))
		for i, f := range m.factors {
			named[i] = r.atoms[f.atom].key + "^" + big.NewRat(int64(f.n), int64(f.d)).RatString()
		}
		slices.Sort(named)
		for _, s := range named {
			b.WriteByte('*')
			b.WriteString(s)
		}
		terms = append(terms, b.String())
		r.spend(b.Len())
	}
	slices.Sort(terms)
	return strings.Join(terms, "+")
}
