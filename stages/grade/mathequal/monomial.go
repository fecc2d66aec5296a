package mathequal

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"slices"
)

// An atom is a base that polynomials are written in: a symbol, a prime under a
// root, -1 under a root, e, pi, or an expression that is none of these and is known
// only by how it is written.
type atom struct {
	key       string
	base      *big.Int // of a root: the prime, or -1
	dependent bool     // may be bound to other atoms by an identity
}

// A factor is an atom to the power n/d, in lowest terms, d > 0.
type factor struct {
	atom int32
	n, d int32
}

// A monomial is a coefficient times factors in order of their atoms.
type monomial struct {
	coefficient *big.Rat
	factors     []factor
}

// key returns the factors of a monomial as a map key.
func (m monomial) key() string {
	if len(m.factors) == 0 {
		return ""
	}
	b := make([]byte, 0, 12*len(m.factors))
	for _, f := range m.factors {
		b = binary.LittleEndian.AppendUint32(b, uint32(f.atom))
		b = binary.LittleEndian.AppendUint32(b, uint32(f.n))
		b = binary.LittleEndian.AppendUint32(b, uint32(f.d))
	}
	return string(b)
}

// times multiplies two monomials. The exponent of a root is kept between 0 and 1
// and what goes over it moves into the coefficient, so that equal numbers have
// equal monomials.
func (r *reducer) times(a, b monomial) (monomial, bool) {
	if !r.spend(wordsOf(a.coefficient) * wordsOf(b.coefficient) / 32) {
		return monomial{}, false
	}
	out := monomial{coefficient: new(big.Rat).Mul(a.coefficient, b.coefficient)}
	if !r.weigh(out.coefficient) {
		return out, false
	}
	i, j := 0, 0
	for i < len(a.factors) || j < len(b.factors) {
		switch {
		case j == len(b.factors) || i < len(a.factors) && a.factors[i].atom < b.factors[j].atom:
			out.factors = append(out.factors, a.factors[i])
			i++
		case i == len(a.factors) || b.factors[j].atom < a.factors[i].atom:
			out.factors = append(out.factors, b.factors[j])
			j++
		default:
			x, y := a.factors[i], b.factors[j]
			n := int64(x.n)*int64(y.d) + int64(y.n)*int64(x.d)
			f, ok := r.lowest(&out, x.atom, n, int64(x.d)*int64(y.d))
			if !ok {
				return out, false
			}
			if f.n != 0 {
				out.factors = append(out.factors, f)
			}
			i++
			j++
		}
	}
	return out, true
}

// lowest returns an atom to the power n/d in lowest terms. Whole powers of the base
// of a root go into the coefficient of m.
func (r *reducer) lowest(m *monomial, atom int32, n, d int64) (factor, bool) {
	g := gcd(n, d)
	n, d = n/g, d/g
	if d > maxExponent || n > maxExponent*d || n < -maxExponent*d {
		return factor{}, false
	}
	if base := r.atoms[atom].base; base != nil {
		whole := n / d
		if n%d < 0 {
			whole--
		}
		n -= whole * d
		p, ok := r.integerPower(new(big.Rat).SetInt(base), whole)
		if !ok {
			return factor{}, false
		}
		m.coefficient = new(big.Rat).Mul(m.coefficient, p)
		if !r.weigh(m.coefficient) {
			return factor{}, false
		}
	}
	return factor{atom, int32(n), int32(d)}, true
}

// gcd returns the greatest common divisor of n and d > 0, at least 1.
func gcd(n, d int64) int64 {
	for n != 0 {
		n, d = d%n, n
	}
	return max(d, -d)
}

// integerPower returns x^n, refusing what is too large before it is computed.
func (r *reducer) integerPower(x *big.Rat, n int64) (*big.Rat, bool) {
	if n < 0 && x.Sign() == 0 {
		r.undefined = true
		return nil, false
	}
	size := max(n, -n)
	if x.IsInt() && x.Num().BitLen() <= 1 { // 0, 1 and -1 to any power
		switch {
		case n == 0 || x.Num().Sign() > 0 || x.Num().Sign() < 0 && n%2 == 0:
			return big.NewRat(1, 1), true
		}
		return new(big.Rat).Set(x), true
	}
	bits := max(x.Num().BitLen(), x.Denom().BitLen()) - 1
	if size > maxExponent || int64(bits)*size > maxBits {
		r.refuse("size of a power")
		return nil, false
	}
	e := big.NewInt(size)
	num, den := new(big.Int).Exp(x.Num(), e, nil), new(big.Int).Exp(x.Denom(), e, nil)
	if n < 0 {
		num, den = den, num
	}
	y := new(big.Rat).SetFrac(num, den)
	return y, r.weigh(y)
}

// sortFactors puts the factors of a monomial into the order of their atoms.
func sortFactors(f []factor) {
	slices.SortFunc(f, func(a, b factor) int { return cmp.Compare(a.atom, b.atom) })
}
