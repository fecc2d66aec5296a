package mathequal

import (
	"math/big"
	"strings"
)

// factor reads a signed power.
func (p *parser) factor() (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if p.accept("-") {
		f, err := p.factor()
		if err != nil {
			return nil, err
		}
		return p.built(negate(f))
	}
	if p.accept("+") {
		return p.factor()
	}
	base, err := p.primary()
	if err != nil {
		return nil, err
	}
	return p.powers(base)
}

// powers reads what stands behind a value: powers, factorials, indices, percent.
func (p *parser) powers(base *node) (*node, error) {
	for {
		var err error
		switch {
		case p.accept("^"):
			base, err = p.raised(base)
		case p.accept("squared"):
			base, err = p.built(newNode(power, "", base, newInteger(2)))
		case p.accept("cubed"):
			base, err = p.built(newNode(power, "", base, newInteger(3)))
		case p.accept("!"):
			base, err = p.built(newNode(call, "factorial", base))
		case p.accept("_"):
			base, err = p.indexed(base)
		case p.accept("%"):
			base, err = p.built(percent(base))
		case p.accept("circ"):
		case p.accept("'"):
			if base.kind == symbol {
				base = newSymbol(base.name + "'")
			}
		default:
			return base, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// raised reads an exponent. A degree mark has no value.
func (p *parser) raised(base *node) (*node, error) {
	if p.accept("circ") {
		return base, nil
	}
	if p.is("{") && p.at+2 < len(p.tokens) && p.tokens[p.at+1].text == "circ" && p.tokens[p.at+2].text == "}" {
		p.at += 3
		return base, nil
	}
	if p.accept("'") {
		return base, nil
	}
	exponent, err := p.argument(true)
	if err != nil {
		return nil, err
	}
	if p.accept("^") { // right to left
		if err := p.enter(); err != nil {
			return nil, err
		}
		exponent, err = p.raised(exponent)
		p.leave()
		if err != nil {
			return nil, err
		}
	}
	return p.built(newNode(power, "", base, exponent))
}

// indexed reads an index: part of the name of a symbol, and on a number the base
// it is written in, which does not count.
func (p *parser) indexed(base *node) (*node, error) {
	begin := p.at
	if _, err := p.argument(true); err != nil {
		return nil, err
	}
	if base.kind != symbol {
		return base, nil
	}
	name := base.name + "_"
	for _, t := range p.tokens[begin:p.at] {
		if t.text != "{" && t.text != "}" {
			name += strings.ToLower(t.text)
		}
	}
	return newSymbol(name), nil
}

// percent returns a hundredth. A percentage of a decimal is an exact number: it is
// not rounded when it is compared with a fraction.
func percent(n *node) *node {
	hundredth := big.NewRat(1, 100)
	if n.kind == number {
		return newNumber(hundredth.Mul(hundredth, n.value))
	}
	return newNode(product, "", n, newNumber(hundredth))
}
