package mathequal

import "math/big"

// kind is what a node of an expression is.
type kind uint8

const (
	number   kind = iota // value
	symbol               // name: a letter, a Greek letter, e or pi
	text                 // name: a word or phrase
	infinity             // positive
	sum                  // args
	product              // args
	power                // base, exponent
	call                 // name of the function, args
	relation             // args joined by ops
	list                 // args without or with braces: a finite set that keeps its order
	tuple                // three or more in brackets, or one pair that is no interval
	interval             // two in brackets, open or closed at either end
	union                // args; also intersections and differences, by name
	matrix               // args row by row, in so many columns
)

// A node is one expression. It is not changed once it is built.
type node struct {
	kind    kind
	name    string
	value   *big.Rat
	decimal bool // a number written with a decimal point
	prose   bool // somewhere in it letters stand together that name nothing known
	ops     []string
	closed  [2]bool
	columns int
	args    []*node
	depth   int
	size    int // nodes of the whole expression
}

// The letters that are constants.
const (
	euler = "e"
	pi    = "pi"
)

func newNumber(v *big.Rat) *node { return &node{kind: number, value: v, size: 1} }

func newInteger(n int64) *node { return newNumber(big.NewRat(n, 1)) }

func newSymbol(name string) *node { return &node{kind: symbol, name: name, size: 1} }

// newNode builds an expression over others.
func newNode(k kind, name string, args ...*node) *node {
	n := &node{kind: k, name: name, args: args, size: 1}
	for _, a := range args {
		n.depth = max(n.depth, a.depth+1)
		n.size += a.size
		n.prose = n.prose || a.prose
	}
	return n
}

func negate(n *node) *node {
	if n.kind == number {
		return &node{kind: number, value: new(big.Rat).Neg(n.value), decimal: n.decimal, size: 1}
	}
	return newNode(product, "", newInteger(-1), n)
}

func subtract(a, b *node) *node { return newNode(sum, "", a, negate(b)) }

func reciprocal(n *node) *node { return newNode(power, "", n, newInteger(-1)) }

// scalar reports whether a node is a number or an expression that stands for one,
// at the outside.
func (n *node) scalar() bool { return n.kind <= call && n.kind != text }

// isRational reports whether a node is the number p/q.
func (n *node) isRational(p, q int64) bool {
	return n.kind == number && n.value.Cmp(big.NewRat(p, q)) == 0
}

// integer returns the value of a small whole number.
func (n *node) integer() (int64, bool) {
	if n.kind != number || !n.value.IsInt() || !n.value.Num().IsInt64() {
		return 0, false
	}
	return n.value.Num().Int64(), true
}

// walk calls f with every node of an expression.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, a := range n.args {
		a.walk(f)
	}
}
