package mathequal

import (
	"math"
	"math/big"
)

// The transcendental functions to the precision of constants. Each returns a bound
// on its error that leaves some bits for the terms of its series.

// digits returns a constant that is written down here.
func digits(s string) *big.Float {
	x, _ := float().SetString(s)
	return x
}

var (
	half      = big.NewFloat(0.5)
	piDigits  = digits("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852")
	ln2Digits = digits("0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754200148102057068573368552023575813055703267075163507596193072757082837143")
	eDigits   = digits("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742746639193200305992181741359662904357290033429526059563073813232862794349")
)

// seriesError is the error that the sum of a series has itself.
const seriesError = 24 - precision

func halfPi() *big.Float { return float().Quo(piDigits, integer(2)) }

// transcendental charges for a series.
func (p precise) transcendental() bool { return p.spend(4000) }

// exp halves its argument until the series is short, and squares it back.
func (p precise) exp(a known) (known, bool) {
	if a.size() > 16 || a.err > 0 || !p.transcendental() {
		return known{}, false
	}
	const halvings = 8
	v, _ := float().Quo(a.x, ln2Digits).Float64()
	k := int64(math.Round(v))
	r := float().Sub(a.x, float().Mul(ln2Digits, integer(k)))
	r.SetMantExp(r, -halvings)
	out, term := integer(1), integer(1)
	for i := int64(1); i < 100; i++ {
		term.Mul(term, r)
		term.Quo(term, integer(i))
		out.Add(out, term)
		if term.Sign() == 0 || term.MantExp(nil) < -precision {
			break
		}
	}
	for range halvings {
		out.Mul(out, out)
	}
	out.SetMantExp(out, int(k))
	// What k ln 2 loses of the digits is lost from the argument.
	return p.settled(out, out.MantExp(nil)+max(a.err+1, seriesError+max(a.size(), 0)))
}

// ln improves a float64 estimate with Halley's method.
func (p precise) ln(a known) (known, bool) {
	if a.x.Sign() <= 0 || !a.nonzero() || !p.transcendental() {
		return known{}, false
	}
	m := float()
	k := a.x.MantExp(m)
	estimate, _ := m.Float64()
	y := float().SetFloat64(math.Log(estimate))
	for range 4 {
		e, ok := p.exp(known{y, exact})
		if !ok {
			return known{}, false
		}
		step := float().Quo(float().Sub(m, e.x), float().Add(m, e.x))
		y.Add(y, step.Mul(step, integer(2)))
	}
	y.Add(y, float().Mul(ln2Digits, integer(int64(k))))
	return p.settled(y, max(a.relative()+1, seriesError+17))
}

// sinCos takes whole turns off its argument and sums the series.
func (p precise) sinCos(a known) (sin, cos known, ok bool) {
	if a.size() > 60 || a.err > 0 || !p.transcendental() {
		return sin, cos, false
	}
	turn := float().Mul(piDigits, integer(2))
	turns, _ := float().Quo(a.x, turn).Int64()
	r := float().Sub(a.x, float().Mul(turn, integer(turns)))
	sums := [2]*big.Float{integer(1), float()}
	term := integer(1)
	for i := 1; i < 400; i++ {
		term.Mul(term, r)
		term.Quo(term, integer(int64(i)))
		if s := sums[i%2]; i/2%2 == 0 {
			s.Add(s, term)
		} else {
			s.Sub(s, term)
		}
		if term.Sign() == 0 || term.MantExp(nil) < -precision {
			break
		}
	}
	err := max(a.err, seriesError+max(a.size(), 0))
	cos, ok1 := p.settled(sums[0], err)
	sin, ok2 := p.settled(sums[1], err)
	return sin, cos, ok1 && ok2
}

// arctan improves a float64 estimate with Newton's method.
func (p precise) arctan(a known) (known, bool) {
	estimate, _ := a.x.Float64()
	y := float().SetFloat64(math.Atan(estimate))
	for range 5 {
		sin, cos, ok := p.sinCos(known{y, exact})
		if !ok {
			return known{}, false
		}
		step := sin.x.Sub(sin.x, float().Mul(a.x, cos.x))
		y.Sub(y, step.Mul(step, cos.x))
	}
	return p.settled(y, max(a.err, seriesError+max(a.size(), 0)))
}

// arcsin goes by the arc tangent; at the ends, where its slope has no bound, it
// knows only the ends themselves.
func (p precise) arcsin(a known) (known, bool) {
	square, ok := p.times(a, a)
	if !ok {
		return known{}, false
	}
	under, ok := p.settled(float().Sub(integer(1), square.x), square.err)
	switch {
	case !ok || under.x.Sign() < 0:
		return known{}, false
	case under.x.Sign() == 0 && a.err <= seriesError:
		y := halfPi()
		if a.x.Sign() < 0 {
			y.Neg(y)
		}
		return p.settled(y, seriesError)
	}
	inverse, ok := p.power(under, known{half, exact}, 0)
	if !ok {
		return known{}, false
	}
	if inverse, ok = p.inverse(inverse); !ok {
		return known{}, false
	}
	tangent, ok := p.times(a, inverse)
	if !ok {
		return known{}, false
	}
	return p.arctan(tangent)
}
