package mathequal

import (
	"math"
	"math/big"
)

// precision is the number of bits that constants are evaluated with, and agreement
// the number of bits, counted from the largest number met on the way, up to which
// two of them must be the same.
const (
	precision = 512
	agreement = 400
)

// A precise evaluates real constants.
type precise struct {
	*budget
	scale int // largest binary exponent met
}

// float returns a number with the precision of constants.
func float() *big.Float { return new(big.Float).SetPrec(precision) }

// digits returns a constant that is written down here.
func digits(s string) *big.Float {
	x, _ := float().SetString(s)
	return x
}

var (
	piDigits  = digits("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852")
	ln2Digits = digits("0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754200148102057068573368552023575813055703267075163507596193072757082837143")
	eDigits   = digits("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742746639193200305992181741359662904357290033429526059563073813232862794349")
)

// same evaluates two constants and compares them; ok is false where one cannot be
// evaluated as a real number.
func (p *precise) same(a, b *node) (equal, ok bool) {
	x, ok := p.eval(a)
	if !ok {
		return false, false
	}
	y, ok := p.eval(b)
	if !ok {
		return false, false
	}
	d := float().Sub(x, y)
	return d.Sign() == 0 || d.MantExp(nil) <= p.scale-agreement, true
}

// keep bounds a result and remembers its size.
func (p *precise) keep(x *big.Float) (*big.Float, bool) {
	if x.IsInf() {
		return nil, false
	}
	if x.Sign() != 0 {
		e := x.MantExp(nil)
		if e > maxBits || e < -maxBits {
			return nil, false
		}
		p.scale = max(p.scale, e)
	}
	return x, true
}

// eval returns the value of a real constant.
func (p *precise) eval(n *node) (*big.Float, bool) {
	if !p.spend(4) {
		return nil, false
	}
	switch n.kind {
	case number:
		return p.keep(float().SetRat(n.value))
	case symbol:
		switch n.name {
		case pi:
			return p.keep(piDigits)
		case euler:
			return p.keep(eDigits)
		}
	case sum, product:
		out := float()
		if n.kind == product {
			out.SetInt64(1)
		}
		for _, a := range n.args {
			x, ok := p.eval(a)
			if !ok {
				return nil, false
			}
			if n.kind == sum {
				out.Add(out, x)
			} else {
				out.Mul(out, x)
			}
			if _, ok := p.keep(out); !ok {
				return nil, false
			}
		}
		return out, true
	case power:
		base, ok := p.eval(n.args[0])
		if !ok {
			return nil, false
		}
		exponent, ok := p.eval(n.args[1])
		if !ok {
			return nil, false
		}
		return p.power(base, exponent)
	case call:
		if len(n.args) != 1 {
			return nil, false
		}
		x, ok := p.eval(n.args[0])
		if !ok {
			return nil, false
		}
		return p.call(n.name, x)
	}
	return nil, false
}

func (p *precise) power(base, exponent *big.Float) (*big.Float, bool) {
	if exponent.IsInt() {
		n, accuracy := exponent.Int64()
		if accuracy != big.Exact || n > maxExponent || n < -maxExponent {
			return nil, false
		}
		return p.wholePower(base, n)
	}
	switch {
	case base.Sign() < 0, base.Sign() == 0 && exponent.Sign() < 0:
		return nil, false
	case base.Sign() == 0:
		return float(), true
	}
	if half, _ := exponent.Float64(); half == 0.5 && exponent.Cmp(big.NewFloat(0.5)) == 0 {
		return p.keep(float().Sqrt(base))
	}
	ln, ok := p.ln(base)
	if !ok {
		return nil, false
	}
	return p.exp(float().Mul(exponent, ln))
}

func (p *precise) wholePower(base *big.Float, n int64) (*big.Float, bool) {
	out := float().SetInt64(1)
	square := float().Set(base)
	for m := max(n, -n); m > 0; m >>= 1 {
		if m&1 == 1 {
			out.Mul(out, square)
		}
		if m > 1 {
			square.Mul(square, square)
		}
		if _, ok := p.keep(square); !ok {
			return nil, false
		}
		if _, ok := p.keep(out); !ok {
			return nil, false
		}
	}
	if n < 0 {
		if out.Sign() == 0 {
			return nil, false
		}
		out.Quo(float().SetInt64(1), out)
	}
	return p.keep(out)
}

func (p *precise) call(name string, x *big.Float) (*big.Float, bool) {
	switch name {
	case "abs":
		return float().Abs(x), true
	case "ln":
		return p.ln(x)
	case "sin", "cos", "tan":
		sin, cos, ok := p.sinCos(x)
		switch {
		case !ok, name == "tan" && (cos.Sign() == 0 || cos.MantExp(nil) < -agreement):
			return nil, false
		case name == "sin":
			return p.keep(sin)
		case name == "cos":
			return p.keep(cos)
		}
		return p.keep(sin.Quo(sin, cos))
	case "arctan":
		return p.arctan(x)
	case "arcsin", "arccos":
		y, ok := p.arcsin(x)
		if ok && name == "arccos" {
			y = float().Sub(float().Quo(piDigits, big.NewFloat(2)), y)
		}
		return y, ok
	}
	return nil, false
}

// transcendental charges for a series.
func (p *precise) transcendental() bool { return p.spend(4000) }

// exp halves its argument until the series is short, and squares it back.
func (p *precise) exp(x *big.Float) (*big.Float, bool) {
	if x.MantExp(nil) > 16 || !p.transcendental() {
		return nil, false
	}
	const halvings = 8
	v, _ := float().Quo(x, ln2Digits).Float64()
	k := int64(math.Round(v))
	r := float().Sub(x, float().Mul(ln2Digits, float().SetInt64(k)))
	r.SetMantExp(r, -halvings)
	out, term := float().SetInt64(1), float().SetInt64(1)
	for i := int64(1); i < 100 && term.Sign() != 0; i++ {
		term.Mul(term, r)
		term.Quo(term, float().SetInt64(i))
		out.Add(out, term)
		if term.Sign() != 0 && term.MantExp(nil) < -precision {
			break
		}
	}
	for range halvings {
		out.Mul(out, out)
	}
	return p.keep(out.SetMantExp(out, int(k)))
}

// ln improves a float64 estimate with Halley's method.
func (p *precise) ln(x *big.Float) (*big.Float, bool) {
	if x.Sign() <= 0 || !p.transcendental() {
		return nil, false
	}
	m := float()
	k := x.MantExp(m)
	estimate, _ := m.Float64()
	y := float().SetFloat64(math.Log(estimate))
	for range 4 {
		e, ok := p.exp(y)
		if !ok {
			return nil, false
		}
		step := float().Quo(float().Sub(m, e), float().Add(m, e))
		y.Add(y, step.Mul(step, big.NewFloat(2)))
	}
	return p.keep(y.Add(y, float().Mul(ln2Digits, float().SetInt64(int64(k)))))
}

// sinCos takes whole turns off its argument and sums the series.
func (p *precise) sinCos(x *big.Float) (sin, cos *big.Float, ok bool) {
	if x.MantExp(nil) > 60 || !p.transcendental() {
		return nil, nil, false
	}
	turn := float().Mul(piDigits, big.NewFloat(2))
	turns, _ := float().Quo(x, turn).Int64()
	r := float().Sub(x, float().Mul(turn, float().SetInt64(turns)))
	sin, cos = float(), float().SetInt64(1)
	term := float().SetInt64(1)
	for i := int64(1); i < 400 && term.Sign() != 0; i++ {
		term.Mul(term, r)
		term.Quo(term, float().SetInt64(i))
		target := sin
		if i%2 == 0 {
			target = cos
		}
		if i/2%2 == 0 {
			target.Add(target, term)
		} else {
			target.Sub(target, term)
		}
		if term.Sign() != 0 && term.MantExp(nil) < -precision {
			break
		}
	}
	return sin, cos, true
}

// arctan improves a float64 estimate with Newton's method.
func (p *precise) arctan(x *big.Float) (*big.Float, bool) {
	estimate, _ := x.Float64()
	y := float().SetFloat64(math.Atan(estimate))
	for range 5 {
		sin, cos, ok := p.sinCos(y)
		if !ok {
			return nil, false
		}
		step := sin.Sub(sin, float().Mul(x, cos))
		y.Sub(y, step.Mul(step, cos))
	}
	return p.keep(y)
}

func (p *precise) arcsin(x *big.Float) (*big.Float, bool) {
	under := float().Sub(float().SetInt64(1), float().Mul(x, x))
	switch under.Sign() {
	case -1:
		return nil, false
	case 0:
		half := float().Quo(piDigits, big.NewFloat(2))
		if x.Sign() < 0 {
			half.Neg(half)
		}
		return half, true
	}
	return p.arctan(float().Quo(x, under.Sqrt(under)))
}
