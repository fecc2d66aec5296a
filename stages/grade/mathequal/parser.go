package mathequal

import "slices"

// A parser reads tokens into an expression by recursive descent. From loose to
// tight: lists, relations, unions, sums, products, powers. Depth and size are
// bounded; what is over them is a *BudgetError, and what is no mathematics
// errUnreadable.
type parser struct {
	tokens    []token
	at        int
	depth     int
	nodes     int
	bars      int // | that are open
	integrals int // integrals that are open
	mode      Mode
	front     int  // the token that begins the side of a relation
	either    bool // there is a ± among the tokens
	minus     bool // ± is read as minus this time
	signed    bool // a ± was met
}

// parse reads an answer.
func parse(s string, mode Mode) (*node, error) {
	if len(s) > maxLength {
		return nil, &BudgetError{Side: "answer", Limit: "length"}
	}
	tokens, err := lex(normalise(s), mode)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens, mode: mode}
	p.either = slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind == commandToken && (t.text == "pm" || t.text == "mp")
	})
	items, err := p.list("")
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, errUnreadable
	}
	if len(items) == 1 {
		return items[0], nil
	}
	return newNode(list, "", items...), nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

// is reports whether the next token is a sign or command of this name.
func (p *parser) is(name string) bool {
	t := p.tokens[p.at]
	return (t.kind == signToken || t.kind == commandToken) && t.text == name
}

// accept takes the next token if it is a sign or command of this name.
func (p *parser) accept(name string) bool {
	if p.is(name) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(name string) error {
	if !p.accept(name) {
		return errUnreadable
	}
	return nil
}

// enter counts a level of nesting; leave takes it back.
func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return &BudgetError{Side: "answer", Limit: "nesting"}
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// built counts an expression and bounds it.
func (p *parser) built(n *node) (*node, error) {
	if p.nodes++; p.nodes > maxNodes || n.depth > 2*maxDepth || n.size > 4*maxNodes {
		return nil, &BudgetError{Side: "answer", Limit: "size of the expression"}
	}
	return n, nil
}

// list reads statements that commas separate up to the closing sign, which it
// leaves; ")]" is either of the two, and "" the end. Commas that follow one another
// count once.
func (p *parser) list(closing string) ([]*node, error) {
	var items []*node
	for {
		for p.accept(",") {
		}
		if p.closes(closing) {
			return items, nil
		}
		if len(items) > 0 && p.tokens[p.at-1] != (token{signToken, ","}) {
			return nil, errUnreadable
		}
		var err error
		if closing == "" || closing == `\}` {
			items, err = p.alternatives(items)
		} else {
			var n *node
			n, err = p.statement()
			items = append(items, n)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *parser) closes(closing string) bool {
	switch closing {
	case "":
		return p.peek().kind == endToken
	case ")]":
		return p.is(")") || p.is("]")
	}
	return p.is(closing)
}

// alternatives adds a statement to a list, or the two that a ± in it makes of it.
func (p *parser) alternatives(items []*node) ([]*node, error) {
	begin, tokens := p.at, p.tokens
	if p.either {
		p.tokens = append([]token(nil), tokens...) // reading takes letters off words
		p.nodes += len(tokens) / 16
	}
	p.signed = false
	n, err := p.statement()
	if err != nil {
		return nil, err
	}
	items = append(items, n)
	if !p.signed || p.minus {
		return items, nil
	}
	p.tokens, p.at, p.minus = tokens, begin, true
	n, err = p.statement()
	p.minus = false
	if err != nil {
		return nil, err
	}
	return append(items, n), nil
}

// statement reads one value or one chain of relations.
func (p *parser) statement() (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	return p.chain()
}

// chain reads expressions joined by relations.
func (p *parser) chain() (*node, error) {
	p.front = p.at
	first, err := p.union()
	if err != nil {
		return nil, err
	}
	var ops []string
	args := []*node{first}
	for {
		op, ok := p.relation()
		if !ok {
			break
		}
		p.front = p.at
		side, err := p.union()
		if err != nil {
			return nil, err
		}
		ops = append(ops, op)
		args = append(args, side)
	}
	if len(ops) == 0 {
		return first, nil
	}
	if len(ops) == 1 && ops[0] == "~" { // about: the side that is a value
		if assigned(first) {
			return args[1], nil
		}
		return first, nil
	}
	n := newNode(relation, "", args...)
	n.ops = ops
	return p.built(n)
}

func (p *parser) relation() (string, bool) {
	t := p.peek()
	if t.kind != signToken && t.kind != commandToken {
		return "", false
	}
	op, ok := relations[t.text]
	if ok {
		p.at++
	}
	return op, ok
}

// union reads sums joined by set operations, all of one kind or left to right.
func (p *parser) union() (*node, error) {
	n, err := p.sum()
	for err == nil {
		name := p.peek().text
		if p.peek().kind != commandToken || name != "cup" && name != "cap" && name != "setminus" {
			return n, nil
		}
		p.at++
		var right *node
		if right, err = p.sum(); err != nil {
			break
		}
		if n.kind == union && n.name == name && name != "setminus" {
			n, err = p.built(newNode(union, name, append(n.args[:len(n.args):len(n.args)], right)...))
		} else {
			n, err = p.built(newNode(union, name, n, right))
		}
	}
	return nil, err
}
