package mathequal

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// startsFactor reports whether the next token begins a value, so that it is
// multiplied with the one before.
func (p *parser) startsFactor() bool {
	t := p.peek()
	switch t.kind {
	case wordToken:
		return !p.differentialNext()
	case numberToken, textToken:
		return true
	case signToken:
		return t.text == "(" || t.text == "[" || t.text == "{" || t.text == `\{` || t.text == "|" && p.bars == 0
	case commandToken:
		switch t.text {
		case "rfloor", "rceil", "rangle", "newline", "cup", "cap", "setminus", "pm", "mp":
			return false
		}
		_, related := relations[t.text]
		return !related && !strings.HasPrefix(t.text, "end ")
	}
	return false
}

// skipUnits takes units that end a statement: words of the list, or any \text,
// each with an optional power or another unit below it.
func (p *parser) skipUnits() bool {
	i := p.at
	for {
		t := p.tokens[i]
		if !p.unit(t) {
			break
		}
		i++
		if p.tokens[i].kind == signToken && p.tokens[i].text == "^" {
			if i = p.afterPower(i + 1); i < 0 {
				return false
			}
		} else if t := p.tokens[i]; t.kind == commandToken && (t.text == "squared" || t.text == "cubed") {
			i++
		}
		if t := p.tokens[i]; t.kind == signToken && t.text == "/" {
			if i++; p.tokens[i].kind == wordToken && len(p.tokens[i].text) == 1 { // km/h
				i++
			}
		}
	}
	if i == p.at {
		return false
	}
	switch t := p.tokens[i]; {
	case t.kind == endToken, t.kind == signToken && (t.text == "," || t.text == ")" || t.text == "]" || t.text == "}"):
		p.at = i
		return true
	}
	return false
}

// unit reports whether a token may be a unit. In Strict mode a \text that holds a
// number is none: 5\text{ or 6} is not 5.
func (p *parser) unit(t token) bool {
	switch t.kind {
	case textToken:
		return p.mode == MathVerify || !strings.ContainsAny(t.text, "0123456789")
	case wordToken:
		return units[strings.ToLower(t.text)]
	}
	return false
}

// afterPower returns the index behind the small power that begins at i, or -1.
func (p *parser) afterPower(i int) int {
	t := p.tokens[i]
	if t.kind == numberToken {
		return i + 1
	}
	if t.kind != signToken || t.text != "{" {
		return -1
	}
	for j := i + 1; j < len(p.tokens) && j < i+4; j++ {
		if p.tokens[j].text == "}" {
			return j + 1
		}
	}
	return -1
}

// primary reads one value.
func (p *parser) primary() (*node, error) {
	t := p.peek()
	switch t.kind {
	case numberToken:
		p.at++
		return p.number(t.text)
	case wordToken:
		return p.word(t.text)
	case textToken:
		p.at++
		if utf8.RuneCountInString(t.text) == 1 {
			return newSymbol(t.text), nil
		}
		if t.text == "" {
			return nil, errUnreadable
		}
		return p.built(&node{kind: text, name: t.text, prose: true, size: 1})
	case commandToken:
		p.at++
		return p.command(t.text)
	case signToken:
		switch t.text {
		case "(", "[":
			return p.bracketed()
		case "{":
			p.at++
			return p.braced()
		case `\{`:
			p.at++
			items, err := p.list(`\}`)
			if err != nil {
				return nil, err
			}
			p.at++
			return p.built(newNode(list, "", items...))
		case "|":
			return p.between("|", "abs")
		}
	}
	return nil, errUnreadable
}

// number reads the digits of a number token.
func (p *parser) number(digits string) (*node, error) {
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(digits), "e")
	if scaled && len(strings.TrimLeft(exponent, "+-0")) > 4 {
		return nil, &BudgetError{Side: "answer", Limit: "size of an exponent"}
	}
	value, ok := new(big.Rat).SetString(strings.TrimSuffix(mantissa, "."))
	if !ok {
		return nil, errUnreadable
	}
	if scaled {
		factor, ok := new(big.Rat).SetString("1e" + exponent)
		if !ok {
			return nil, errUnreadable
		}
		value.Mul(value, factor)
	}
	n := newNumber(value)
	if period, ok := strings.CutPrefix(p.peek().text, "decorated overline "); ok && plainDigits(period) {
		if _, places, ok := strings.Cut(mantissa, "."); ok && !scaled {
			p.at++
			value.Add(value, repeating(period, len(places)))
			return p.built(n)
		}
	}
	n.decimal = strings.Contains(strings.TrimSuffix(mantissa, "."), ".")
	return p.built(n)
}

// repeating returns the value of digits that repeat for ever after so many places.
func repeating(period string, places int) *big.Rat {
	over, _ := new(big.Int).SetString(period, 10)
	ten := big.NewInt(10)
	under := new(big.Int).Exp(ten, big.NewInt(int64(len(period))), nil)
	under.Sub(under, big.NewInt(1))
	under.Mul(under, new(big.Int).Exp(ten, big.NewInt(int64(places)), nil))
	return new(big.Rat).SetFrac(over, under)
}

func plainDigits(s string) bool {
	return s != "" && digitsEnd(s, 0) == len(s)
}

// word reads letters that stand together: a name that is known, or else the first
// letter, which leaves the others for the next time.
func (p *parser) word(w string) (*node, error) {
	if name, ok := words[strings.ToLower(w)]; ok && len(w) > 1 {
		p.at++
		return p.command(name)
	}
	n := newSymbol(strings.ToLower(w[:1]))
	n.prose = len(w) > 2 || len(w) > 1 && p.at > 0 && p.tokens[p.at-1].kind == wordToken
	if len(w) == 1 {
		p.at++
	} else {
		p.tokens[p.at].text = w[1:]
	}
	return p.built(n)
}

// bracketed reads what stands in ( ) or [ ]: one value, a pair or an interval, a
// tuple.
func (p *parser) bracketed() (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	open := p.peek().text
	p.at++
	bars := p.bars
	p.bars = 0
	items, err := p.list(")]")
	p.bars = bars
	if err != nil {
		return nil, err
	}
	closing := p.peek().text
	p.at++
	switch len(items) {
	case 0:
		return nil, errUnreadable
	case 1:
		if open == "(" != (closing == ")") {
			return nil, errUnreadable
		}
		return items[0], nil
	case 2:
		n := newNode(interval, "", items...)
		n.closed = [2]bool{open == "[", closing == "]"}
		return p.built(n)
	}
	return p.built(newNode(tuple, "", items...))
}

// braced reads the rest of a group that serves the layout: one value.
func (p *parser) braced() (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	bars := p.bars
	p.bars = 0
	defer func() { p.bars = bars }()
	items, err := p.list("}")
	if err != nil {
		return nil, err
	}
	p.at++
	if len(items) == 0 {
		return nil, errUnreadable
	}
	if len(items) == 1 {
		return items[0], nil
	}
	return p.built(newNode(list, "", items...))
}

// between reads a value up to the closing sign or command and applies a function.
func (p *parser) between(closing, function string) (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if closing == "|" {
		p.at++
		p.bars++
		defer func() { p.bars-- }()
	}
	n, err := p.sum()
	if err != nil {
		return nil, err
	}
	if err := p.expect(closing); err != nil {
		return nil, err
	}
	return p.built(newNode(call, function, n))
}

// argument reads what a command applies to: a group in braces, or one token. Of a
// number without braces it is the first digit, or all of it when whole is set; in
// that case a group in brackets will do too.
func (p *parser) argument(whole bool) (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch t := p.peek(); {
	case p.accept("{"):
		return p.braced()
	case t.kind == numberToken && !whole && len(t.text) > 1:
		p.tokens[p.at].text = t.text[1:]
		return p.number(t.text[:1])
	case whole && p.accept("-"):
		n, err := p.argument(true)
		if err != nil {
			return nil, err
		}
		return p.built(negate(n))
	case t.kind == signToken && !(whole && t.text == "(") || t.kind == endToken:
		return nil, errUnreadable
	}
	return p.primary()
}
