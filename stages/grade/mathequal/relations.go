package mathequal

import (
	"math/big"
	"math/cmplx"
)

// sameRelation compares statements. Equations are the same when their differences
// of sides are proportional, inequalities when they are by a positive factor; the
// direction in which one is written does not count.
func (c *comparer) sameRelation(ref, ans *node) bool {
	ref, ans = forward(ref), forward(ans)
	if len(ref.ops) != len(ans.ops) {
		return false
	}
	for i := range ref.ops {
		if ref.ops[i] != ans.ops[i] {
			return false
		}
	}
	l, r := ref.args[0], ref.args[1]
	x, y := ans.args[0], ans.args[1]
	scalars := l.scalar() && r.scalar() && x.scalar() && y.scalar()
	if len(ref.ops) > 1 || !scalars {
		return c.inOrder(ref.args, ans.args)
	}
	switch ref.ops[0] {
	case "=", "!=":
		return c.proportional(subtract(l, r), subtract(x, y), false)
	case "<", "<=":
		return c.proportional(subtract(l, r), subtract(x, y), true)
	}
	return c.inOrder(ref.args, ans.args)
}

// backward are the relations that are written the other way round.
var backward = map[string]string{">": "<", ">=": "<=", ">>": "<<"}

// forward returns a relation with the smaller side first; of a chain of equations
// the first side and the last.
func forward(n *node) *node {
	if len(n.ops) > 1 && equation(n) {
		n = &node{kind: relation, ops: []string{"="}, args: []*node{n.args[0], n.args[len(n.args)-1]}}
	}
	for _, op := range n.ops {
		if backward[op] == "" {
			return n
		}
	}
	turned := &node{kind: relation}
	for i := len(n.args) - 1; i >= 0; i-- {
		turned.args = append(turned.args, n.args[i])
		if i > 0 {
			turned.ops = append(turned.ops, backward[n.ops[i-1]])
		}
	}
	return turned
}

// proportional reports whether a is a constant times b, a positive one when asked.
func (c *comparer) proportional(a, b *node, positive bool) bool {
	if holdsInfinity(a) || holdsInfinity(b) {
		return false
	}
	x, okX := c.reducer.reduce(a)
	y, okY := c.reducer.reduce(b)
	if c.reducer.undefined || c.spent() {
		return false
	}
	if okX && okY {
		left, ok1 := c.reducer.multiply(x.over, y.under)
		right, ok2 := c.reducer.multiply(y.over, x.under)
		if ok1 && ok2 {
			factor, ok := multiple(left, right)
			if ok {
				return c.decided(!positive || factor.Sign() > 0, Exact)
			}
			if c.reducer.independent(left) && c.reducer.independent(right) && rationalCoefficients(left) == rationalCoefficients(right) {
				return c.decided(false, Exact)
			}
		}
	}
	var first complex128
	return c.decided(c.sample(a, b, func(x, y approximation) (agree, counts bool) {
		sizeX, sizeY := cmplx.Abs(x.value), cmplx.Abs(y.value)
		if sizeX <= 1e6*x.err || sizeY <= 1e6*y.err {
			return true, false
		}
		factor := x.value / y.value
		if first == 0 {
			first = factor
		}
		if imag(factor) != 0 && positive || positive && real(factor) < 0 {
			return false, true
		}
		return cmplx.Abs(factor-first) <= closeness*cmplx.Abs(first), true
	}), Sampled)
}

// multiple returns c where a = c b.
func multiple(a, b polynomial) (*big.Rat, bool) {
	if len(a) != len(b) {
		return nil, false
	}
	if len(a) == 0 {
		return one, true
	}
	var c *big.Rat
	for k, m := range a {
		n, ok := b[k]
		if !ok {
			return nil, false
		}
		q := new(big.Rat).Quo(m.coefficient, n.coefficient)
		if c == nil {
			c = q
		} else if c.Cmp(q) != 0 {
			return nil, false
		}
	}
	return c, true
}

// rationalCoefficients reports whether a polynomial holds no constant but rational
// ones, so that a factor between two of them would be rational too.
func rationalCoefficients(p polynomial) bool {
	for _, m := range p {
		for _, f := range m.factors {
			if f.d != 1 {
				return false
			}
		}
	}
	return true
}

// solved returns the interval of a symbol that one inequality or a chain around the
// symbol leaves, the union of those that several leave, or nil.
func (c *comparer) solved(n *node) *node {
	if n.kind == list && len(n.args) > 1 {
		out := &node{kind: union, name: "cup"}
		for _, a := range n.args {
			part := c.solved(a)
			if part == nil || a.kind != relation {
				return nil
			}
			out.args = append(out.args, part)
		}
		return out
	}
	if n.kind != relation {
		return nil
	}
	n = forward(n)
	for _, op := range n.ops {
		if op != "<" && op != "<=" {
			return nil
		}
	}
	minus := negate(&node{kind: infinity, size: 1})
	plus := &node{kind: infinity, size: 1}
	out := &node{kind: interval}
	switch {
	case len(n.args) == 3 && unknown(n.args[1]) && len(free(n.args[0], n.args[2])) == 0:
		out.args = []*node{n.args[0], n.args[2]}
		out.closed = [2]bool{n.ops[0] == "<=", n.ops[1] == "<="}
	case len(n.args) != 2 || !n.args[0].scalar() || !n.args[1].scalar():
		return nil
	case unknown(n.args[0]) && len(free(n.args[1])) == 0:
		out.args = []*node{minus, n.args[1]}
		out.closed[1] = n.ops[0] == "<="
	case unknown(n.args[1]) && len(free(n.args[0])) == 0:
		out.args = []*node{n.args[0], plus}
		out.closed[0] = n.ops[0] == "<="
	default:
		return nil
	}
	return out
}

func unknown(n *node) bool { return n.kind == symbol && n.name != pi && n.name != euler }
