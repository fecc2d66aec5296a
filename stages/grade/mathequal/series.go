package mathequal

// series reads \sum_{k=a}^{b} of the product that follows.
func (p *parser) series(name string) (*node, error) {
	var from, to *node
	var err error
	for range 2 {
		switch {
		case p.accept("_"):
			if err = p.expect("{"); err == nil {
				from, err = p.statement()
			}
			if err == nil {
				err = p.expect("}")
			}
		case p.accept("^"):
			to, err = p.argument(true)
		}
		if err != nil {
			return nil, err
		}
	}
	if to == nil || from == nil || from.kind != relation || len(from.args) != 2 || from.ops[0] != "=" || from.args[0].kind != symbol {
		return nil, errUnreadable
	}
	body, err := p.product()
	if err != nil {
		return nil, err
	}
	return p.built(newNode(call, name, body, from.args[0], from.args[1], to))
}

// integral reads \int_a^b of a product whose last factors are d and a letter.
func (p *parser) integral() (*node, error) {
	var from, to *node
	var err error
	for range 2 {
		switch {
		case p.accept("_"):
			from, err = p.argument(true)
		case p.accept("^"):
			to, err = p.argument(true)
		}
		if err != nil {
			return nil, err
		}
	}
	p.integrals++
	body, err := p.sum()
	p.integrals--
	if err != nil {
		return nil, err
	}
	if from == nil || to == nil {
		return nil, errUnreadable
	}
	body, variable, ok := differential(body)
	if !ok {
		return nil, errUnreadable
	}
	return p.built(newNode(call, "int", body, variable, from, to))
}

// differentialNext reports whether dx comes next within an integral.
func (p *parser) differentialNext() bool {
	t := p.peek()
	return p.integrals > 0 && t.kind == wordToken && len(t.text) == 2 && t.text[0] == 'd'
}

// differential takes dx off the end of an expression.
func differential(n *node) (body, variable *node, ok bool) {
	last := len(n.args) - 1
	switch {
	case n.kind == sum:
		tail, variable, ok := differential(n.args[last])
		if !ok {
			return nil, nil, false
		}
		return newNode(sum, "", append(n.args[:last:last], tail)...), variable, true
	case n.kind == product && last >= 1:
		d, variable := n.args[last-1], n.args[last]
		if d.kind != symbol || d.name != "d" || variable.kind != symbol {
			return nil, nil, false
		}
		if last == 1 {
			return newInteger(1), variable, true
		}
		return newNode(product, "", n.args[:last-1]...), variable, true
	}
	return nil, nil, false
}
