package mathequal

import (
	"math/big"
	"strings"
)

// A reducer writes expressions as quotients of polynomials in atoms, exactly. The
// atoms of one comparison are shared by both sides.
type reducer struct {
	*budget
	atoms     []atom
	byKey     map[string]int32
	pairs     int  // monomials multiplied so far
	undefined bool // a division by zero was met
}

func newReducer(b *budget) *reducer {
	return &reducer{budget: b, byKey: map[string]int32{}}
}

// intern returns the number of an atom.
func (r *reducer) intern(key string, base *big.Int, dependent bool) int32 {
	if i, ok := r.byKey[key]; ok {
		return i
	}
	i := int32(len(r.atoms))
	r.atoms = append(r.atoms, atom{key, base, dependent})
	r.byKey[key] = i
	return i
}

func (r *reducer) single(atom int32, n, d int64) (ratio, bool) {
	m := monomial{coefficient: big.NewRat(1, 1)}
	f, ok := r.lowest(&m, atom, n, d)
	if !ok {
		return ratio{}, false
	}
	if f.n != 0 {
		m.factors = []factor{f}
	}
	return whole(polynomial{m.key(): m}), true
}

// reduce returns an expression as a ratio; ok is false when it has none within the
// bounds, is undefined, or the budget is spent.
func (r *reducer) reduce(n *node) (ratio, bool) {
	if !r.spend(1) {
		return ratio{}, false
	}
	switch n.kind {
	case number:
		return whole(constant(n.value)), r.weigh(n.value)
	case symbol:
		return r.single(r.intern(n.name, nil, false), 1, 1)
	case sum, product:
		out := whole(polynomial{})
		if n.kind == product {
			out = whole(constant(big.NewRat(1, 1)))
		}
		for _, a := range n.args {
			q, ok := r.reduce(a)
			if ok && n.kind == sum {
				out, ok = r.sum(out, q, 1)
			} else if ok {
				out, ok = r.product(out, q)
			}
			if !ok {
				return ratio{}, false
			}
		}
		return out, true
	case power:
		return r.power(n)
	case call:
		return r.call(n)
	}
	return ratio{}, false
}

// power reduces a power: a whole exponent multiplies out, a fraction makes a root
// of a positive number or a fractional exponent of a symbol, and all else is an
// atom of its own.
func (r *reducer) power(n *node) (ratio, bool) {
	base, ok := r.reduce(n.args[0])
	if !ok {
		return ratio{}, false
	}
	exponent, ok := r.reduce(n.args[1])
	if !ok {
		return ratio{}, false
	}
	e, ok := exponent.value()
	if !ok {
		return r.opaque("power", base, exponent)
	}
	if e.Num().CmpAbs(big.NewInt(maxExponent)) > 0 || e.Denom().Cmp(big.NewInt(maxExponent)) > 0 {
		if v, ok := base.value(); ok && e.IsInt() && v.IsInt() && v.Num().BitLen() <= 1 {
			p, ok := r.integerPower(v, 2*int64(e.Sign())+int64(e.Num().Bit(0)))
			if !ok {
				return ratio{}, false
			}
			return whole(constant(p)), true
		}
		r.refuse("size of an exponent")
		return ratio{}, false
	}
	top, bottom := e.Num().Int64(), e.Denom().Int64()
	if bottom == 1 {
		q, ok := r.raise(base, top)
		if !ok && !r.undefined && !r.spent() {
			return r.opaque("power", base, exponent)
		}
		return q, ok
	}
	if v, ok := base.value(); ok {
		if v.Sign() == 0 {
			if e.Sign() < 0 {
				r.undefined = true
				return ratio{}, false
			}
			return whole(polynomial{}), true
		}
		return r.rootOf(v, top, bottom)
	}
	if m, ok := base.over.single(); ok && base.plain() {
		if f := m.factors[0]; len(m.factors) == 1 && m.coefficient.Cmp(one) == 0 && f.n == 1 && f.d == 1 && !r.atoms[f.atom].dependent && r.atoms[f.atom].base == nil {
			return r.single(f.atom, top, bottom)
		}
		if r.positive(m) {
			return r.rootOfRoots(m, top, bottom)
		}
	}
	return r.opaque("power", base, exponent)
}

// positive reports whether a monomial is a positive number made of roots.
func (r *reducer) positive(m monomial) bool {
	for _, f := range m.factors {
		if base := r.atoms[f.atom].base; base == nil || base.Sign() < 0 {
			return false
		}
	}
	return m.coefficient.Sign() > 0
}

// rootOfRoots returns m^(n/d) of a positive number made of roots.
func (r *reducer) rootOfRoots(m monomial, n, d int64) (ratio, bool) {
	out, ok := r.rootOf(m.coefficient, n, d)
	for _, f := range m.factors {
		if !ok {
			return ratio{}, false
		}
		var root ratio
		if root, ok = r.single(f.atom, int64(f.n)*n, int64(f.d)*d); ok {
			out, ok = r.product(out, root)
		}
	}
	return out, ok
}

// rootOf returns v^(n/d) as powers of primes with exponents below one. Such powers
// are linearly independent over the rationals (Besicovitch 1940), so that roots are
// equal only where their monomials are.
func (r *reducer) rootOf(v *big.Rat, n, d int64) (ratio, bool) {
	out := monomial{coefficient: big.NewRat(1, 1)}
	if v.Sign() < 0 {
		atom := r.intern("root of -1", big.NewInt(-1), true)
		if !r.rootFactor(&out, atom, n, d) {
			return ratio{}, false
		}
		v = new(big.Rat).Neg(v)
	}
	for _, part := range [...]struct {
		x    *big.Int
		sign int64
	}{{v.Num(), 1}, {v.Denom(), -1}} {
		for _, p := range r.primes(part.x) {
			atom := r.intern("root of "+p.base.String(), p.base, !p.prime)
			if !r.rootFactor(&out, atom, part.sign*n*p.times, d) {
				return ratio{}, false
			}
		}
	}
	sortFactors(out.factors)
	return whole(polynomial{out.key(): out}), !r.spent()
}

func (r *reducer) rootFactor(m *monomial, atom int32, n, d int64) bool {
	f, ok := r.lowest(m, atom, n, d)
	if ok && f.n != 0 {
		m.factors = append(m.factors, f)
	}
	return ok
}

// A primePower is a factor of an integer.
type primePower struct {
	base  *big.Int
	times int64
	prime bool // false for what trial division left over
}

// largestTrial is the largest number that is tried as a factor.
const largestTrial = 1000

// primes factors a positive integer by trial division. What is left over counts as
// a prime if it is one; else atoms made of it may depend on others.
func (r *reducer) primes(x *big.Int) []primePower {
	var found []primePower
	rest := new(big.Int).Set(x)
	quotient, remainder := new(big.Int), new(big.Int)
	words := len(x.Bits())
	for p := int64(2); p <= largestTrial && rest.BitLen() > 1; p++ {
		divisor := big.NewInt(p)
		times := int64(0)
		for r.spend(words) {
			quotient.QuoRem(rest, divisor, remainder)
			if remainder.Sign() != 0 {
				break
			}
			rest.Set(quotient)
			times++
		}
		if times > 0 {
			found = append(found, primePower{divisor, times, true})
		}
	}
	if rest.BitLen() <= 1 {
		return found
	}
	if root := new(big.Int).Sqrt(rest); r.spend(words*words) && new(big.Int).Mul(root, root).Cmp(rest) == 0 {
		return append(found, primePower{root, 2, certainPrime(root)})
	}
	return append(found, primePower{rest, 1, certainPrime(rest)})
}

// certainPrime reports whether x is a prime beyond doubt; the test is exact below
// 2^64.
func certainPrime(x *big.Int) bool { return x.IsUint64() && x.ProbablyPrime(0) }

// call reduces a function of exact arguments where its value is rational, and makes
// an atom of it otherwise.
func (r *reducer) call(n *node) (ratio, bool) {
	args := make([]ratio, len(n.args))
	values := make([]*big.Rat, len(n.args))
	rational := true
	for i, a := range n.args {
		var ok bool
		if args[i], ok = r.reduce(a); !ok {
			return ratio{}, false
		}
		if values[i], ok = args[i].value(); !ok {
			rational = false
		}
	}
	if rational {
		if v, ok := r.rationalCall(n.name, values); ok {
			return whole(constant(v)), true
		}
		if r.spent() || r.undefined {
			return ratio{}, false
		}
	}
	return r.opaque(n.name, args...)
}

// opaque makes an atom of a function or power that does not reduce. Its name tells
// its arguments as they were reduced.
func (r *reducer) opaque(name string, args ...ratio) (ratio, bool) {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = r.render(a.over)
		if !a.plain() {
			parts[i] += "/" + r.render(a.under)
		}
		if len(parts[i]) > maxLength {
			return ratio{}, false
		}
	}
	return r.single(r.intern(name+"("+strings.Join(parts, ";")+")", nil, true), 1, 1)
}
