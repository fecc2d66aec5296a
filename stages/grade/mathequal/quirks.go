package mathequal

// unjoined keeps a product of different fractional powers of one symbol as it is
// written: the build of Math-Verify that this package agrees with does not take
// x^{1/3}x^{2/3} for x, as it should. Such a product equals only itself.
func unjoined(factors []*node) (*node, bool) {
	for i, a := range factors {
		for _, b := range factors[:i] {
			if fractional(a) && fractional(b) && a.args[0].name == b.args[0].name && a.args[1].value.Cmp(b.args[1].value) != 0 {
				return newNode(call, "unjoined", factors...), true
			}
		}
	}
	return nil, false
}

// fractional reports whether a node is a symbol to the power of a fraction.
func fractional(n *node) bool {
	return n.kind == power && n.args[0].kind == symbol && n.args[1].kind == number && !n.args[1].value.IsInt()
}
