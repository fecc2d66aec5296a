package mathequal

import "math/big"

// A comparer decides one comparison.
type comparer struct {
	*budget
	mode    Mode
	reducer *reducer
	by      Proof // the weakest means that was needed
}

// compare reads an answer and holds it against the reference, as expressions.
func (m *Matcher) compare(v Verdict, s span) (Verdict, error) {
	text := s.text
	if s.plain {
		text = plainText(text)
	}
	answer, err := parse(text, m.options.Mode)
	if err != nil {
		return v, err
	}
	if s.percent {
		answer = percent(answer)
	}
	reference := m.tree
	if m.isFixed {
		reference = m.fixed.node()
	}
	if reference == nil { // only its own text equals it
		v.By = Unreadable
		return v, nil
	}
	b := &budget{left: m.options.Budget}
	c := &comparer{budget: b, mode: m.options.Mode, reducer: newReducer(b)}
	equal := c.same(reference, answer)
	if err := c.err(); err != nil {
		return v, err
	}
	v.Equal, v.By = equal, max(c.by, Exact)
	return v, nil
}

// plainText writes a plain number or expression as the parser reads it: no
// separators of thousands, and a decimal point.
func plainText(s string) string {
	end := numberEnd(s, 0)
	if end != len(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	grouped := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ' ':
			grouped = true
			continue
		case c == ',' && threeDigits(s[i+1:]) && (grouped || i <= 4 && (i+4 == len(s) || !digit(s[i+4]))):
			grouped = true
			continue
		case c == ',':
			c = '.'
		}
		out = append(out, c)
	}
	return string(out)
}

// node returns a plain number as an expression.
func (n fixed) node() *node {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n.places)), nil)
	out := newNumber(new(big.Rat).SetFrac(big.NewInt(n.digits), ten))
	out.decimal = n.decimal
	return out
}

// decided records how a part was decided and returns the outcome.
func (c *comparer) decided(equal bool, by Proof) bool {
	c.by = max(c.by, by)
	return equal
}

// same reports whether an answer equals a reference, or a part of one a part of the
// other.
func (c *comparer) same(ref, ans *node) bool {
	if !c.spend(1) {
		return false
	}
	ref, ans = c.single(ref), c.single(ans)
	if setLike(ans) && !setLike(ref) {
		if s := c.solved(ref); s != nil {
			return c.same(s, ans)
		}
	}
	if setLike(ref) && !setLike(ans) && c.mode == Strict {
		if s := c.solved(ans); s != nil {
			return c.same(ref, s)
		}
	}
	if ans.kind == relation && ref.kind != relation {
		if !c.states(ans, true) {
			return false
		}
		return c.same(ref, ans.args[len(ans.args)-1])
	}
	if ref.kind == relation && ans.kind != relation {
		if !c.states(ref, false) {
			return false
		}
		return c.same(ref.args[len(ref.args)-1], ans)
	}
	switch {
	case ref.kind == relation:
		return c.sameRelation(ref, ans)
	case ref.kind == text || ans.kind == text:
		return c.decided(sameLetters(ref, ans), Exact)
	case ref.kind == matrix || ans.kind == matrix:
		return ref.kind == ans.kind && ref.columns == ans.columns && c.inOrder(ref.args, ans.args)
	case ref.scalar() && ans.scalar():
		return c.sameScalar(ref, ans)
	case ref.scalar() || ans.scalar():
		return false
	}
	return c.sameSet(ref, ans)
}

// single takes a set of one element for the element; what a set holds twice counts
// once.
func (c *comparer) single(n *node) *node {
	if n.kind != list || len(n.args) == 0 {
		return n
	}
	for _, a := range n.args[1:] {
		if !c.twin(n.args[0], a) {
			return n
		}
	}
	return n.args[0]
}

// twin reports whether two elements of a set are the same as they are written.
func (c *comparer) twin(a, b *node) bool {
	if !c.spend(1) || a.kind != b.kind || a.name != b.name || len(a.args) != len(b.args) || a.columns != b.columns || a.closed != b.closed {
		return false
	}
	if a.kind == number {
		return a.value.Cmp(b.value) == 0
	}
	for i := range a.ops {
		if a.ops[i] != b.ops[i] {
			return false
		}
	}
	for i := range a.args {
		if !c.twin(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// states reports whether the last side of a relation is the value that it is about:
// the left side only names it. An answer may also be a calculation, 5 + 3 = 8; so may
// a reference in Strict mode, and in MathVerify mode an answer may be any equation.
func (c *comparer) states(n *node, answer bool) bool {
	switch {
	case !equation(n):
		return false
	case assigned(n.args[0]):
		return true
	case c.mode == MathVerify:
		return answer
	}
	return n.ops[0] == "=" && len(free(n.args[0])) == 0
}

// equation reports whether a relation says that its sides are equal, or what a
// symbol is a member of.
func equation(n *node) bool {
	for _, op := range n.ops {
		if op != "=" && !(op == "in" && len(n.ops) == 1) {
			return false
		}
	}
	return true
}

// assigned reports whether the left side of an equation only names what the right
// side is: symbols, or a function of symbols.
func assigned(n *node) bool {
	switch n.kind {
	case symbol, text:
		return true
	case product:
		for _, a := range n.args {
			if !assigned(a) {
				return false
			}
		}
		return true
	case interval: // f(x, y)
		return assigned(n.args[0]) && assigned(n.args[1])
	}
	return false
}

func setLike(n *node) bool {
	return n.kind == interval || n.kind == union
}

// sameLetters compares words: a phrase with a phrase, or with letters that stand
// together, whose order does not show in their product.
func sameLetters(a, b *node) bool {
	x, okX := letters(a)
	y, okY := letters(b)
	if !okX || !okY {
		return false
	}
	if a.kind == b.kind {
		return x == y
	}
	return sortedRunes(x) == sortedRunes(y)
}
