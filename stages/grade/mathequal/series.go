package mathequal

import "strings"

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

// integral reads \int_a^b f dx. The dx may also be glued to the letters before it.
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
	if from == nil || to == nil {
		return nil, errUnreadable
	}
	p.integrals++
	body := newInteger(1)
	if !p.differentialNext() {
		body, err = p.sum()
	}
	p.integrals--
	if err != nil {
		return nil, err
	}
	var variable *node
	if t := p.peek(); t.kind == wordToken && len(t.text) == 2 && t.text[0] == 'd' {
		variable = newSymbol(strings.ToLower(t.text[1:]))
		p.at++
	} else if body, variable = glued(body); variable == nil {
		return nil, errUnreadable
	}
	return p.built(newNode(call, "int", body, variable, from, to))
}

// differentialNext reports whether dx comes next within an integral.
func (p *parser) differentialNext() bool {
	t := p.peek()
	return p.integrals > 0 && t.kind == wordToken && len(t.text) == 2 && t.text[0] == 'd'
}

// glued takes d and a letter off the end of a product.
func glued(n *node) (body, variable *node) {
	last := len(n.args) - 1
	if n.kind != product || last < 1 || n.args[last-1].kind != symbol || n.args[last-1].name != "d" || n.args[last].kind != symbol {
		return n, nil
	}
	switch last {
	case 1:
		return newInteger(1), n.args[last]
	case 2:
		return n.args[0], n.args[last]
	}
	return newNode(product, "", n.args[:last-1]...), n.args[last]
}
