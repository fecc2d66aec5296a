package mathequal

// sameSet compares lists, tuples, intervals and unions.
func (c *comparer) sameSet(ref, ans *node) bool {
	switch {
	case ref.kind == union && ans.kind == union:
		if ref.name != ans.name {
			return false
		}
		if ref.name == "setminus" {
			return c.inOrder(ref.args, ans.args)
		}
		return c.anyOrder(ref.args, ans.args)
	case ref.kind == union || ans.kind == union:
		return false
	case ref.kind == list && ans.kind == list:
		return c.anyOrder(c.distinct(ref.args), c.distinct(ans.args))
	case ref.kind == interval && ans.kind == interval:
		return ref.closed == ans.closed && c.inOrder(ref.args, ans.args)
	case ref.kind == interval && ref.closed != [2]bool{}, ans.kind == interval && ans.closed != [2]bool{}:
		return false
	}
	return c.inOrder(ref.args, ans.args) // a pair or tuple, and a list written like one
}

// distinct returns the elements of a set without those that stand there already.
func (c *comparer) distinct(args []*node) []*node {
	out := make([]*node, 0, len(args))
next:
	for _, a := range args {
		for _, b := range out {
			if c.twin(a, b) {
				continue next
			}
		}
		out = append(out, a)
	}
	return out
}

func (c *comparer) inOrder(ref, ans []*node) bool {
	if len(ref) != len(ans) {
		return false
	}
	for i := range ref {
		if !c.same(ref[i], ans[i]) {
			return false
		}
	}
	return true
}

// anyOrder reports whether every element of one has its own equal in the other.
func (c *comparer) anyOrder(ref, ans []*node) bool {
	if len(ref) != len(ans) {
		return false
	}
	taken := make([]bool, len(ans))
next:
	for i, r := range ref {
		for k := range ans {
			j := (i + k) % len(ans) // the same place first
			if !taken[j] && c.same(r, ans[j]) {
				taken[j] = true
				continue next
			}
		}
		return false
	}
	return true
}
