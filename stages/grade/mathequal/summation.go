package mathequal

import (
	"math"
	"math/cmplx"
)

// maxSeries bounds the terms of a sum.
const maxSeries = 1000

// series evaluates a sum or product between whole numbers.
func (e *evaluator) series(n *node) (approximation, bool) {
	from, ok1 := e.eval(n.args[2])
	to, ok2 := e.eval(n.args[3])
	if !ok1 || !ok2 || imag(from.value) != 0 || imag(to.value) != 0 {
		return approximation{}, false
	}
	first, last := math.Round(real(from.value)), math.Round(real(to.value))
	if math.Abs(first-real(from.value)) > 1e-9 || math.Abs(last-real(to.value)) > 1e-9 || last-first > maxSeries {
		return approximation{}, false
	}
	v, err := complex128(0), 0.0
	if n.name == "prod" {
		v = 1
	}
	for k := first; k <= last; k++ {
		a, ok := e.with(n.args[1].name, complex(k, 0), n.args[0])
		if !ok {
			return a, false
		}
		if n.name == "sum" {
			v += a.value
			err += a.err + epsilon*cmplx.Abs(v)
		} else {
			err = err*cmplx.Abs(a.value) + a.err*cmplx.Abs(v)
			v *= a.value
		}
	}
	return settled(v, err)
}

// with evaluates an expression with one symbol bound.
func (e *evaluator) with(name string, v complex128, body *node) (approximation, bool) {
	was, had := e.point[name]
	e.point[name] = v
	a, ok := e.eval(body)
	if had {
		e.point[name] = was
	} else {
		delete(e.point, name)
	}
	return a, ok
}

// The nodes and weights of Gauss and Legendre for five points.
var (
	gaussNodes   = [...]float64{0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640}
	gaussWeights = [...]float64{0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891, 0.2369268850561891}
)

// integral evaluates an integral between real bounds over 16 and over 32 parts; the
// difference of the two is its error.
func (e *evaluator) integral(n *node) (approximation, bool) {
	from, ok1 := e.eval(n.args[2])
	to, ok2 := e.eval(n.args[3])
	if !ok1 || !ok2 || imag(from.value) != 0 || imag(to.value) != 0 {
		return approximation{}, false
	}
	var rough, fine complex128
	for _, parts := range [...]int{16, 32} {
		rough, fine = fine, 0
		width := (real(to.value) - real(from.value)) / float64(parts)
		for i := range parts {
			middle := real(from.value) + (float64(i)+0.5)*width
			for k, x := range gaussNodes {
				a, ok := e.with(n.args[1].name, complex(middle+x*width/2, 0), n.args[0])
				if !ok {
					return a, false
				}
				fine += a.value * complex(gaussWeights[k]*width/2, 0)
			}
		}
	}
	return settled(fine, cmplx.Abs(fine-rough)+1e-14*cmplx.Abs(fine))
}
