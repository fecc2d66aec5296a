package world

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

const (
	maxExpression = 200 // characters that are looked at and echoed
	maxNesting    = 50
)

// calculate answers a call of a calculator: + - * / // % ** and parentheses,
// bound as in Python.
func calculate(expression string) string {
	o := open(nil)
	shown := strings.ToValidUTF8(expression[:min(len(expression), maxExpression)], "")
	c := calculator{rest: expression}
	value, err := c.evaluate()
	if err != nil || len(expression) > maxExpression {
		o.text("status", "rejected")
		o.text("reason", "invalid_expression")
		o.text("expression", shown)
		return string(o.close())
	}
	o.text("status", "ok")
	data := open(nil)
	data.text("expression", shown)
	data.raw("result", string(appendNumber(nil, value)))
	o.raw("data", string(data.close()))
	return string(o.close())
}

var errExpression = errors.New("not an expression")

type calculator struct {
	rest  string
	depth int
}

func (c *calculator) evaluate() (float64, error) {
	v, err := c.sum()
	c.space()
	if err == nil && (c.rest != "" || math.IsNaN(v) || math.IsInf(v, 0)) {
		err = errExpression
	}
	return v, err
}

func (c *calculator) space() { c.rest = strings.TrimLeft(c.rest, " \t\n") }

// take consumes an operator.
func (c *calculator) take(operator string) bool {
	c.space()
	rest, ok := strings.CutPrefix(c.rest, operator)
	if ok {
		c.rest = rest
	}
	return ok
}

func (c *calculator) sum() (float64, error) {
	v, err := c.product()
	for err == nil {
		var w float64
		switch {
		case c.take("+"):
			w, err = c.product()
			v += w
		case c.take("-"):
			w, err = c.product()
			v -= w
		default:
			return v, nil
		}
	}
	return v, err
}

func (c *calculator) product() (float64, error) {
	v, err := c.signed()
	for err == nil {
		var w float64
		switch {
		case c.take("//"):
			w, err = c.divisor()
			v = math.Floor(v / w)
		case c.take("/"):
			w, err = c.divisor()
			v /= w
		case c.take("%"):
			w, err = c.divisor()
			v -= w * math.Floor(v/w)
		case c.take("*"):
			w, err = c.signed()
			v *= w
		default:
			return v, nil
		}
	}
	return v, err
}

func (c *calculator) divisor() (float64, error) {
	v, err := c.signed()
	if err == nil && v == 0 {
		err = errExpression
	}
	return v, err
}

func (c *calculator) signed() (float64, error) {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxNesting {
		return 0, errExpression
	}
	switch {
	case c.take("-"):
		v, err := c.signed()
		return -v, err
	case c.take("+"):
		return c.signed()
	}
	v, err := c.atom()
	if err == nil && c.take("**") {
		var w float64
		w, err = c.signed()
		v = math.Pow(v, w)
	}
	return v, err
}

func (c *calculator) atom() (float64, error) {
	if c.take("(") {
		v, err := c.sum()
		if err == nil && !c.take(")") {
			err = errExpression
		}
		return v, err
	}
	c.space()
	end := strings.IndexFunc(c.rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(c.rest)
	}
	v, err := strconv.ParseFloat(c.rest[:end], 64)
	if err != nil {
		return 0, errExpression
	}
	c.rest = c.rest[end:]
	return v, nil
}
