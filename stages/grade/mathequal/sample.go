package mathequal

import (
	"math"
	"math/cmplx"
	"slices"
)

// Points are drawn from this seed alone: the same two expressions meet at the same
// points in every run.
const seed = 0x9e3779b97f4a7c15

const (
	samplePoints = 24
	enoughPoints = 4
	closeness    = 1e-9
	negligible   = 1e-10 // an error that counts as none where both sides are zero
)

// free returns the symbols of expressions that are not constants and not bound by a
// sum or an integral, in order.
func free(nodes ...*node) []string {
	var names []string
	var collect func(n *node, bound []string)
	collect = func(n *node, bound []string) {
		if (n.kind == symbol || n.kind == text) && n.name != pi && n.name != euler && !slices.Contains(bound, n.name) {
			names = append(names, n.name)
		}
		if n.kind == call && (n.name == "sum" || n.name == "prod" || n.name == "int") && len(n.args) == 4 {
			collect(n.args[2], bound)
			collect(n.args[3], bound)
			collect(n.args[0], append(bound[:len(bound):len(bound)], n.args[1].name))
			return
		}
		for _, a := range n.args {
			collect(a, bound)
		}
	}
	for _, n := range nodes {
		collect(n, nil)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// counting reports whether an expression is meant for whole numbers: it holds a sum
// or a factorial of what varies.
func counting(n *node) bool {
	found := false
	n.walk(func(m *node) {
		switch m.name {
		case "sum", "prod", "factorial", "binom":
			found = found || m.kind == call
		}
	})
	return found
}

// draw returns the value of symbol number i at point k: of either sign, between a
// twentieth and some tens; the first points go through all combinations of signs.
// Whole numbers from 1 to 12 where counting is set.
func draw(i, k int, counting bool) complex128 {
	h := mix(seed + uint64(i)*0x632be59bd9b4e019 + uint64(k)*0xd1342543de82ef95)
	if counting {
		return complex(float64(1+h%12), 0)
	}
	u := float64(h>>11) * 0x1p-53
	v := math.Exp((2*u-1)*1.2) * [...]float64{1, 1, 0.2, 5}[k/4%4]
	if i < 4 && k>>i&1 == 1 || i >= 4 && h&1 == 1 {
		v = -v
	}
	return complex(v, 0)
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// sample evaluates two expressions at points and hands each pair of values to judge
// until it says no. It returns whether it never did and enough points were defined.
func (c *comparer) sample(a, b *node, judge func(a, b approximation) (agree, counts bool)) bool {
	names := free(a, b)
	whole := counting(a) || counting(b)
	e := evaluator{budget: c.budget, point: make(map[string]complex128, len(names))}
	points, needed := samplePoints, enoughPoints
	if len(names) == 0 {
		points, needed = 1, 1
	}
	defined := 0
	for k := range points {
		for i, name := range names {
			e.point[name] = draw(i, k, whole)
		}
		x, ok := e.eval(a)
		if !ok {
			continue
		}
		y, ok := e.eval(b)
		if !ok {
			continue
		}
		agree, counts := judge(x, y)
		if !agree {
			return false
		}
		if counts {
			defined++
		}
	}
	return defined >= needed && !c.spent()
}

// agrees reports whether two values are the same up to rounding. A value whose
// error is large does not count.
func agrees(a, b approximation) (agree, counts bool) {
	size := max(cmplx.Abs(a.value), cmplx.Abs(b.value))
	err := 4 * (a.err + b.err)
	return cmplx.Abs(a.value-b.value) <= max(closeness*size, err), err <= max(closeness*size, negligible)
}
