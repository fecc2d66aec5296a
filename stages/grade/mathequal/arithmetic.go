package mathequal

import "math/big"

// sum reads terms with signs between them.
func (p *parser) sum() (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var terms []*node
	for {
		negative, ok, err := p.termSign(len(terms) == 0)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		term, err := p.product()
		if err != nil {
			return nil, err
		}
		if negative {
			term = negate(term)
		}
		terms = append(terms, term)
	}
	if len(terms) == 1 {
		return terms[0], nil
	}
	return p.built(newNode(sum, "", terms...))
}

// termSign reads the signs before a term; ok is false when no term follows.
func (p *parser) termSign(first bool) (negative, ok bool, err error) {
	ok = first
	for {
		switch {
		case p.accept("+"):
		case p.accept("-"):
			negative = !negative
		case p.is("pm"), p.is("mp"):
			if p.mode != Strict && p.at != p.front && p.depth > 2 {
				return false, false, errUnreadable
			}
			p.signed = true
			if p.minus != p.is("mp") {
				negative = !negative
			}
			p.at++
		default:
			return negative, ok, nil
		}
		ok = true
	}
}

// product reads factors that stand side by side or have a sign between them.
func (p *parser) product() (*node, error) {
	first, err := p.factor()
	if err != nil {
		return nil, err
	}
	factors := []*node{first}
	for {
		last := len(factors) - 1
		divide, mixed := false, false
		switch {
		case p.accept("*"), p.accept("cdot"):
		case p.accept("/"), p.accept(":"), p.accept("div"):
			divide = true
		case p.skipUnits():
			continue
		case !p.startsFactor():
			if last == 0 {
				return factors[0], nil
			}
			return p.join(factors)
		default:
			_, whole := factors[last].integer()
			mixed = whole && p.is("frac") && p.tokens[p.at-1].kind == numberToken
		}
		f, err := p.factor()
		switch {
		case err != nil:
			return nil, err
		case divide && factors[last].kind == number:
			factors[last] = quotient(factors[last], f)
		case divide:
			factors = append(factors, reciprocal(f))
		case mixed && f.kind == number && !f.decimal && f.value.Sign() >= 0: // 2\frac{1}{2}
			factors[last] = newNumber(new(big.Rat).Add(factors[last].value, f.value))
		default:
			factors = append(factors, f)
		}
		if len(factors) > maxNodes {
			return nil, &BudgetError{Side: "answer", Limit: "size of the expression"}
		}
	}
}

// quotient divides; of two numbers it is a number.
func quotient(a, b *node) *node {
	if a.kind == number && b.kind == number && b.value.Sign() != 0 {
		n := newNumber(new(big.Rat).Quo(a.value, b.value))
		n.decimal = a.decimal || b.decimal
		return n
	}
	return newNode(product, "", a, reciprocal(b))
}

// join makes a product of factors.
func (p *parser) join(factors []*node) (*node, error) {
	if p.mode == MathVerify {
		if n, ok := unjoined(factors); ok {
			return p.built(n)
		}
	}
	return p.built(newNode(product, "", factors...))
}
