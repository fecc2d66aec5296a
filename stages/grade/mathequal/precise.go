package mathequal

import (
	"math/big"
	"math/bits"
)

// precision is the number of bits that constants are evaluated with; two constants
// are compared only where all but a few of them are known to be right.
const (
	precision = 512
	needed    = 400
)

// A known is a real constant and a bound on its error: the true value lies within 2^err.
type known struct {
	x   *big.Float
	err int
}

// exact is the error of a number that has none.
const exact = -1 << 24

// size returns the least e with |x| < 2^e, and very little for zero.
func (a known) size() int {
	if a.x.Sign() == 0 {
		return exact
	}
	return a.x.MantExp(nil)
}

// relative returns the exponent of the error over the value, for a value that is
// not zero.
func (a known) relative() int { return a.err - a.size() + 1 }

// nonzero reports whether the value is certainly not zero.
func (a known) nonzero() bool { return a.x.Sign() != 0 && a.err < a.size()-1 }

// A precise evaluates real constants.
type precise struct{ *budget }

// float returns a number with the precision of constants.
func float() *big.Float { return new(big.Float).SetPrec(precision) }

func integer(n int64) *big.Float { return float().SetInt64(n) }

// same evaluates two constants and compares them; ok is false where one cannot be
// evaluated as a real number, or not well enough.
func (p precise) same(a, b *node) (equal, ok bool) {
	x, ok := p.eval(a)
	if !ok {
		return false, false
	}
	y, ok := p.eval(b)
	if !ok {
		return false, false
	}
	d := float().Sub(x.x, y.x)
	err := max(x.err, y.err)
	if d.Sign() != 0 && d.MantExp(nil) > err+2 {
		return false, true
	}
	return true, err <= max(x.size(), y.size(), 0)-needed
}

// settled adds the rounding of the last operation to an error and bounds the
// result.
func (p precise) settled(x *big.Float, err int) (known, bool) {
	r := known{x, err + 1}
	if x.IsInf() || x.Sign() != 0 && (r.size() > maxBits || r.size() < -maxBits) {
		return r, false
	}
	if x.Sign() != 0 {
		r.err = max(r.err, r.size()-precision+4)
	}
	return r, true
}

// eval returns the value of a real constant.
func (p precise) eval(n *node) (known, bool) {
	if !p.spend(4) {
		return known{}, false
	}
	switch n.kind {
	case number:
		return p.settled(float().SetRat(n.value), exact)
	case symbol:
		switch n.name {
		case pi:
			return p.settled(piDigits, exact)
		case euler:
			return p.settled(eDigits, exact)
		}
	case sum:
		return p.sum(n.args)
	case product:
		out := known{integer(1), exact}
		for _, a := range n.args {
			b, ok := p.eval(a)
			if !ok {
				return known{}, false
			}
			if out, ok = p.times(out, b); !ok {
				return known{}, false
			}
		}
		return out, true
	case power:
		base, ok := p.eval(n.args[0])
		if !ok {
			return known{}, false
		}
		exponent, ok := p.eval(n.args[1])
		if !ok {
			return known{}, false
		}
		whole, _ := n.args[1].integer()
		return p.power(base, exponent, whole)
	case call:
		if len(n.args) != 1 {
			return known{}, false
		}
		a, ok := p.eval(n.args[0])
		if !ok {
			return known{}, false
		}
		return p.call(n.name, a)
	}
	return known{}, false
}

// sum adds, with an error that grows with the logarithm of the number of terms.
func (p precise) sum(terms []*node) (known, bool) {
	x, err := float(), exact
	for _, t := range terms {
		a, ok := p.eval(t)
		if !ok {
			return known{}, false
		}
		x.Add(x, a.x)
		partial, ok := p.settled(x, a.err)
		if !ok {
			return known{}, false
		}
		err = max(err, partial.err)
	}
	return p.settled(x, err+bits.Len(uint(len(terms))))
}

func (p precise) times(a, b known) (known, bool) {
	err := max(a.size()+b.err, b.size()+a.err, a.err+b.err) + 1
	return p.settled(float().Mul(a.x, b.x), err)
}

func (p precise) inverse(a known) (known, bool) {
	if !a.nonzero() {
		return known{}, false
	}
	y := float().Quo(integer(1), a.x)
	return p.settled(y, y.MantExp(nil)+a.relative()+1)
}

// power raises a value to a whole exponent by squaring, and a positive one to any.
func (p precise) power(base, exponent known, whole int64) (known, bool) {
	switch {
	case whole < 0:
		positive, ok := p.power(base, exponent, -whole)
		if !ok {
			return known{}, false
		}
		return p.inverse(positive)
	case whole > maxExponent:
		return known{}, false
	case whole > 0:
		out, square := known{integer(1), exact}, base
		for ok := true; whole > 0; whole >>= 1 {
			if whole&1 == 1 {
				if out, ok = p.times(out, square); !ok {
					return known{}, false
				}
			}
			if whole > 1 {
				if square, ok = p.times(square, square); !ok {
					return known{}, false
				}
			}
		}
		return out, true
	case base.x.Sign() < 0 || !base.nonzero():
		return known{}, false
	case exponent.x.Cmp(half) == 0:
		y := float().Sqrt(base.x)
		return p.settled(y, y.MantExp(nil)+base.relative())
	}
	ln, ok := p.ln(base)
	if !ok {
		return known{}, false
	}
	product, ok := p.times(exponent, ln)
	if !ok {
		return known{}, false
	}
	return p.exp(product)
}

func (p precise) call(name string, a known) (known, bool) {
	switch name {
	case "abs":
		return known{float().Abs(a.x), a.err}, true
	case "ln":
		return p.ln(a)
	case "sin", "cos", "tan":
		sin, cos, ok := p.sinCos(a)
		if name == "sin" || !ok {
			return sin, ok
		}
		if name == "cos" {
			return cos, true
		}
		under, ok := p.inverse(cos)
		if !ok {
			return known{}, false
		}
		return p.times(sin, under)
	case "arctan":
		return p.arctan(a)
	case "arcsin", "arccos":
		y, ok := p.arcsin(a)
		if ok && name == "arccos" {
			return p.settled(float().Sub(halfPi(), y.x), y.err)
		}
		return y, ok
	}
	return known{}, false
}
