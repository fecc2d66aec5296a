package mathequal

import (
	"math"
	"math/cmplx"
)

// An approximation is a complex number and a bound on its rounding error.
type approximation struct {
	value complex128
	err   float64
}

const epsilon = 0x1p-52

// settled bounds an approximation: not defined where it is not finite, and real
// where its imaginary part is no more than rounding, so that a root or logarithm of
// a negative number stays on the principal branch.
func settled(v complex128, err float64) (approximation, bool) {
	err += 2 * epsilon * cmplx.Abs(v)
	if cmplx.IsNaN(v) || cmplx.IsInf(v) || math.IsNaN(err) || math.IsInf(err, 0) {
		return approximation{}, false
	}
	if math.Abs(imag(v)) <= err {
		v = complex(real(v), 0)
	}
	if math.Abs(real(v)) <= err/4 && real(v) != 0 && imag(v) != 0 {
		v = complex(0, imag(v))
	}
	return approximation{v, err}, true
}

// An evaluator evaluates expressions at a point, on the principal branch.
type evaluator struct {
	*budget
	point map[string]complex128
}

func (e *evaluator) eval(n *node) (approximation, bool) {
	if !e.spend(1) {
		return approximation{}, false
	}
	switch n.kind {
	case number:
		f, _ := n.value.Float64()
		return settled(complex(f, 0), 0)
	case symbol, text:
		v, ok := e.point[n.name]
		if !ok {
			switch n.name {
			case pi:
				v = math.Pi
			case euler:
				v = math.E
			default:
				return approximation{}, false
			}
		}
		return settled(v, 0)
	case sum:
		var v complex128
		var err float64
		for _, arg := range n.args {
			a, ok := e.eval(arg)
			if !ok {
				return a, false
			}
			v += a.value
			err += a.err + epsilon*cmplx.Abs(v)
		}
		return settled(v, err)
	case product:
		v, err := complex(1, 0), 0.0
		for _, arg := range n.args {
			a, ok := e.eval(arg)
			if !ok {
				return a, false
			}
			err = err*cmplx.Abs(a.value) + a.err*cmplx.Abs(v) + err*a.err
			v *= a.value
			err += 2 * epsilon * cmplx.Abs(v)
		}
		return settled(v, err)
	case power:
		base, ok := e.eval(n.args[0])
		if !ok {
			return base, false
		}
		exponent, ok := e.eval(n.args[1])
		if !ok {
			return exponent, false
		}
		return raised(base, exponent)
	case call:
		return e.call(n)
	}
	return approximation{}, false
}

// raised returns a power. Whole exponents are multiplied out, so that real numbers
// stay real.
func raised(b, x approximation) (approximation, bool) {
	size := cmplx.Abs(b.value)
	if size <= b.err { // zero, as far as can be told
		if real(x.value) > 0 && imag(x.value) == 0 {
			return settled(0, math.Pow(b.err, real(x.value)))
		}
		if x.value == 0 && x.err <= epsilon {
			return settled(1, 0)
		}
		return approximation{}, false
	}
	n := real(x.value)
	if x.value == complex(math.Trunc(n), 0) && math.Abs(n) <= maxExponent {
		v := complex(1, 0)
		square := b.value
		for m := int(math.Abs(n)); m > 0; m >>= 1 {
			if m&1 == 1 {
				v *= square
			}
			square *= square
		}
		if n < 0 {
			v = 1 / v
		}
		return settled(v, cmplx.Abs(v)*math.Abs(n)*(b.err/size+4*epsilon))
	}
	v := cmplx.Pow(b.value, x.value)
	if x.value == 0.5 {
		v = cmplx.Sqrt(b.value)
	}
	log := cmplx.Abs(cmplx.Log(b.value))
	return settled(v, cmplx.Abs(v)*(cmplx.Abs(x.value)*b.err/size+log*(x.err+4*epsilon)+4*epsilon))
}

// analytic are the functions of one variable with their derivatives, which carry
// the error over.
var analytic = map[string]struct{ f, slope func(complex128) complex128 }{
	"sin":    {cmplx.Sin, cmplx.Cos},
	"cos":    {cmplx.Cos, cmplx.Sin},
	"tan":    {cmplx.Tan, func(z complex128) complex128 { c := cmplx.Cos(z); return 1 / (c * c) }},
	"cot":    {cmplx.Cot, func(z complex128) complex128 { s := cmplx.Sin(z); return 1 / (s * s) }},
	"sec":    {func(z complex128) complex128 { return 1 / cmplx.Cos(z) }, func(z complex128) complex128 { return cmplx.Tan(z) / cmplx.Cos(z) }},
	"csc":    {func(z complex128) complex128 { return 1 / cmplx.Sin(z) }, func(z complex128) complex128 { return cmplx.Cot(z) / cmplx.Sin(z) }},
	"sinh":   {cmplx.Sinh, cmplx.Cosh},
	"cosh":   {cmplx.Cosh, cmplx.Sinh},
	"tanh":   {cmplx.Tanh, func(z complex128) complex128 { c := cmplx.Cosh(z); return 1 / (c * c) }},
	"ln":     {cmplx.Log, func(z complex128) complex128 { return 1 / z }},
	"arcsin": {cmplx.Asin, func(z complex128) complex128 { return 1 / cmplx.Sqrt(1-z*z) }},
	"arccos": {cmplx.Acos, func(z complex128) complex128 { return 1 / cmplx.Sqrt(1-z*z) }},
	"arctan": {cmplx.Atan, func(z complex128) complex128 { return 1 / (1 + z*z) }},
}

func (e *evaluator) call(n *node) (approximation, bool) {
	switch n.name {
	case "sum", "prod":
		return e.series(n)
	case "int":
		return e.integral(n)
	}
	args := make([]approximation, len(n.args))
	for i, arg := range n.args {
		var ok bool
		if args[i], ok = e.eval(arg); !ok {
			return approximation{}, false
		}
	}
	if len(args) == 0 {
		return approximation{}, false
	}
	if a, ok := analytic[n.name]; ok && len(args) == 1 {
		z := args[0]
		err := 0.0
		if z.err > 0 {
			err = cmplx.Abs(a.slope(z.value)) * (z.err + epsilon*cmplx.Abs(z.value))
		}
		v := a.f(z.value)
		return settled(v, err+4*epsilon*cmplx.Abs(v))
	}
	if n.name == "abs" && len(args) == 1 {
		return settled(complex(cmplx.Abs(args[0].value), 0), args[0].err)
	}
	for _, a := range args {
		if imag(a.value) != 0 {
			return approximation{}, false
		}
	}
	return realCall(n.name, args)
}

// realCall evaluates the functions that are defined for real numbers alone.
func realCall(name string, args []approximation) (approximation, bool) {
	x := real(args[0].value)
	switch name {
	case "floor", "ceil":
		near := math.Round(x)
		if math.Abs(x-near) <= args[0].err {
			return settled(complex(near, 0), 0)
		}
		if name == "ceil" {
			return settled(complex(math.Ceil(x), 0), 0)
		}
		return settled(complex(math.Floor(x), 0), 0)
	case "max", "min":
		best := args[0]
		for _, a := range args[1:] {
			if d := real(a.value) - real(best.value); d > 0 == (name == "max") && d != 0 {
				best = a
			}
		}
		return best, true
	case "factorial":
		return gamma(x+1, args[0].err)
	case "binom":
		y := real(args[1].value)
		top, ok1 := gamma(x+1, args[0].err)
		low, ok2 := gamma(y+1, args[1].err)
		rest, ok3 := gamma(x-y+1, args[0].err+args[1].err)
		if !ok1 || !ok2 || !ok3 {
			return approximation{}, false
		}
		v := top.value / (low.value * rest.value)
		return settled(v, 1e-12*cmplx.Abs(v))
	}
	return approximation{}, false
}

func gamma(x, err float64) (approximation, bool) {
	v := math.Gamma(x)
	return settled(complex(v, 0), math.Abs(v)*(1e-13+err*math.Log(2+math.Abs(x))))
}
