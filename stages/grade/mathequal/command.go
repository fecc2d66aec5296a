package mathequal

import "strings"

// command reads what a command stands for, with its arguments.
func (p *parser) command(name string) (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if functions[name] {
		return p.applied(name)
	}
	if letters, ok := strings.CutPrefix(name, "letter "); ok {
		return newSymbol(letters), nil
	}
	if strings.HasPrefix(name, "decorated ") {
		return newSymbol(name), nil
	}
	if environment, ok := strings.CutPrefix(name, "begin "); ok {
		return p.matrix(environment)
	}
	if greek[strings.ToLower(name)] || name == pi {
		return newSymbol(name), nil
	}
	switch name {
	case "R":
		return newSymbol("decorated mathbb r"), nil
	case "infty":
		return &node{kind: infinity, size: 1}, nil
	case "emptyset":
		return newNode(list, ""), nil
	case "half":
		half := newInteger(1)
		half.value.SetFrac64(1, 2)
		return half, nil
	case "frac":
		return p.fraction()
	case "sqrt":
		return p.root()
	case "binom":
		top, err := p.argument(false)
		if err != nil {
			return nil, err
		}
		bottom, err := p.argument(false)
		if err != nil {
			return nil, err
		}
		return p.built(newNode(call, "binom", top, bottom))
	case "lfloor":
		return p.between("rfloor", "floor")
	case "lceil":
		return p.between("rceil", "ceil")
	case "abs", "floor", "ceil":
		if !p.is("(") && !p.is("{") {
			return nil, errUnreadable
		}
		n, err := p.primary()
		if err != nil {
			return nil, err
		}
		return p.built(newNode(call, name, n))
	case "sum", "prod":
		return p.series(name)
	case "int":
		return p.integral()
	case "angle", "triangle", "square", "ell", "hbar", "nabla", "partial", "prime", "perp", "parallel":
		return newSymbol(name), nil
	}
	return nil, errUnreadable
}

// greek are the letters that have a command, in lower case.
var greek = func() map[string]bool {
	m := map[string]bool{}
	for _, g := range strings.Fields(`alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa
		lambda mu nu xi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega`) {
		m[g] = true
	}
	return m
}()

func (p *parser) fraction() (*node, error) {
	if p.is("(") { // frac(a, b)
		n, err := p.primary()
		if err != nil || n.kind != interval {
			return nil, errUnreadable
		}
		return p.built(quotient(n.args[0], n.args[1]))
	}
	top, err := p.argument(false)
	if err != nil {
		return nil, err
	}
	bottom, err := p.argument(false)
	if err != nil {
		return nil, err
	}
	return p.built(quotient(top, bottom))
}

// root reads \sqrt[n]{x}, and sqrt(x).
func (p *parser) root() (*node, error) {
	degree := newInteger(2)
	if p.accept("[") {
		n, err := p.sum()
		if err != nil {
			return nil, err
		}
		if err := p.expect("]"); err != nil {
			return nil, err
		}
		degree = n
	}
	n, err := p.argument(true)
	if err != nil {
		return nil, err
	}
	if _, ok := degree.integer(); ok && !degree.isRational(0, 1) {
		degree.value.Inv(degree.value)
		return p.built(newNode(power, "", n, degree))
	}
	return p.built(newNode(power, "", n, reciprocal(degree)))
}

// applied reads a function with its power, its base and what it applies to: a
// group, or the product that follows up to the next function.
func (p *parser) applied(name string) (*node, error) {
	var exponent, base *node
	var err error
	for {
		if p.accept("^") {
			exponent, err = p.argument(true)
		} else if name == "log" && p.accept("_") {
			base, err = p.argument(true)
		} else if p.accept("squared") {
			exponent = newInteger(2)
		} else {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	args, err := p.applicand()
	if err != nil {
		return nil, err
	}
	if inverse, ok := inverses[name]; ok && exponent != nil && exponent.isRational(-1, 1) {
		name, exponent = inverse, nil
	}
	var n *node
	switch {
	case name == "gcd" || name == "lcm" || name == "max" || name == "min":
		n = newNode(call, name, args...)
	case len(args) != 1:
		return nil, errUnreadable
	case name == "exp":
		n = newNode(power, "", newSymbol(euler), args[0])
	case name == "log":
		if base == nil {
			base = newInteger(10)
		}
		n = newNode(product, "", newNode(call, "ln", args[0]), reciprocal(newNode(call, "ln", base)))
	default:
		n = newNode(call, name, args[0])
	}
	if exponent != nil {
		n = newNode(power, "", n, exponent)
	}
	return p.built(n)
}

// applicand reads the arguments of a function.
func (p *parser) applicand() ([]*node, error) {
	if p.is("(") || p.is("{") || p.is(`\{`) || p.is("[") {
		n, err := p.primary()
		if err != nil {
			return nil, err
		}
		if n.kind == list || n.kind == tuple || n.kind == interval {
			return n.args, nil
		}
		return []*node{n}, nil
	}
	if p.is("-") {
		n, err := p.factor()
		return []*node{n}, err
	}
	var factors []*node
	for p.startsFactor() && !p.skipUnits() {
		if t := p.peek(); len(factors) > 0 && (functions[t.text] || functions[words[t.text]] || p.is("(") || p.is("|")) {
			break
		}
		f, err := p.factor()
		if err != nil {
			return nil, err
		}
		factors = append(factors, f)
	}
	switch len(factors) {
	case 0:
		return nil, errUnreadable
	case 1:
		return factors, nil
	}
	n, err := p.built(newNode(product, "", factors...))
	return []*node{n}, err
}

// matrix reads the rows of a matrix up to its end.
func (p *parser) matrix(environment string) (*node, error) {
	switch environment {
	case "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "array":
	default:
		return nil, errUnreadable
	}
	var cells []*node
	columns, row := 0, 0
	for {
		if p.accept("end " + environment) {
			break
		}
		cell, err := p.sum()
		if err != nil {
			return nil, err
		}
		cells = append(cells, cell)
		row++
		switch {
		case p.accept("&"):
			continue
		case p.accept("newline"):
		case p.is("end " + environment):
		default:
			return nil, errUnreadable
		}
		if columns == 0 {
			columns = row
		}
		if row != columns {
			return nil, errUnreadable
		}
		row = 0
	}
	if columns == 0 || row != 0 {
		return nil, errUnreadable
	}
	n := newNode(matrix, "", cells...)
	n.columns = columns
	if environment == "vmatrix" {
		n.name = "determinant"
	}
	return p.built(n)
}
