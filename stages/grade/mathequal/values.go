package mathequal

import "strings"

// Plain text: numbers and expressions of digits and operators. A value stands at
// the start of the text, after a blank or after an equals sign, with ** allowed
// before it; a number may carry a currency sign.

// A valueReader finds plain values in a text.
type valueReader struct{ text string }

// opens reports whether a value may begin at i, past what stands before it.
func (r valueReader) opens(i int) bool {
	if i >= 2 && r.text[i-1] == '*' && r.text[i-2] == '*' {
		i -= 2
	}
	return i == 0 || blank(r.text[i-1]) || r.text[i-1] == '='
}

// at returns the value that begins at i: an expression, or else a number. With
// anchored it may follow anything.
func (r valueReader) at(i int, anchored bool) (span, bool) {
	if i >= len(r.text) || !anchored && !r.opens(i) {
		return span{}, false
	}
	if s, ok := r.expression(i); ok {
		return s, true
	}
	return r.number(i)
}

// number reads a number: thousands in groups of three by comma or space, a
// decimal point or comma, a percent sign or word.
func (r valueReader) number(i int) (span, bool) {
	begin := i
	i += currency(r.text[i:])
	end := numberEnd(r.text, i)
	if end < 0 {
		return span{}, false
	}
	closed := percentEnd(r.text, end)
	return span{start: begin, end: closed, text: r.text[i:end], plain: true, percent: closed > end}, true
}

// numberEnd returns where the number ends that begins at i, or -1.
func numberEnd(text string, i int) int {
	j := i
	if j < len(text) && text[j] == '-' {
		j++
	}
	first := j
	for j < len(text) && digit(text[j]) {
		j++
	}
	if j == first { // .5, without a sign
		if j != i || j+1 >= len(text) || text[j] != '.' || !digit(text[j+1]) {
			return -1
		}
		return digitsEnd(text, j+1)
	}
	if j-first <= 3 {
		grouped := j
		for grouped+3 < len(text) && (text[grouped] == ',' || text[grouped] == ' ') && threeDigits(text[grouped+1:]) {
			grouped += 4
		}
		if grouped > j && (grouped == len(text) || !digit(text[grouped])) {
			if grouped+1 < len(text) && text[grouped] == '.' && digit(text[grouped+1]) {
				return digitsEnd(text, grouped+1)
			}
			return grouped
		}
	}
	if j+1 < len(text) && (text[j] == '.' || text[j] == ',') && digit(text[j+1]) {
		return digitsEnd(text, j+1)
	}
	return j
}

func digitsEnd(text string, i int) int {
	for i < len(text) && digit(text[i]) {
		i++
	}
	return i
}

func threeDigits(s string) bool {
	return len(s) >= 3 && digit(s[0]) && digit(s[1]) && digit(s[2])
}

// currency returns the length of the currency sign that a text begins with.
func currency(text string) int {
	for _, sign := range [...]string{"$", `\$`, "€", "£", "¥", "₹", "₩", "₽", "₫", "฿"} {
		if strings.HasPrefix(text, sign) {
			return len(sign)
		}
	}
	return 0
}

// expression reads the longest stretch of digits and operators from i that holds
// an operator with something after it, and ends before a blank, the end of the
// text or a mark that ends a clause.
func (r valueReader) expression(i int) (span, bool) {
	t := r.text
	j := i
	for _, c := range [...]byte{'-', '(', '-'} {
		if j < len(t) && t[j] == c {
			j++
		}
	}
	if j >= len(t) || !digit(t[j]) {
		return span{}, false
	}
	operator := -1 // the first operator after the first digit
	end := j + 1
	for end < len(t) && end-i < maxLength {
		n := expressionByte(t[end:])
		if n == 0 {
			break
		}
		if operator < 0 && !blank(t[end]) && t[end] != '.' && !digit(t[end]) {
			operator = end + n - 1
		}
		end += n
	}
	if operator < 0 {
		return span{}, false
	}
	for ; end > operator+1; end-- {
		if end == len(t) || endsClause(t[end:]) {
			return span{start: i, end: end, text: t[i:end], plain: true}, true
		}
	}
	return span{}, false
}

// expressionByte returns the length of the digit, operator, point or blank that a
// text begins with, or 0.
func expressionByte(t string) int {
	switch c := t[0]; {
	case digit(c), blank(c), strings.IndexByte("+-*/^().", c) >= 0:
		return 1
	case strings.HasPrefix(t, "×"), strings.HasPrefix(t, "÷"):
		return len("×")
	}
	return 0
}

func endsClause(t string) bool {
	if strings.HasPrefix(t, "**") {
		t = t[2:]
		if t == "" {
			return true
		}
	}
	return blank(t[0]) || strings.IndexByte(".,:)$", t[0]) >= 0
}

// runBefore returns the last run of bytes before end that can belong to values and
// holds a digit: no value reaches over its bounds.
func (r valueReader) runBefore(end int) (start, stop int, ok bool) {
	t := r.text
	i := end - 1
	for i >= 0 && !digit(t[i]) {
		i--
	}
	if i < 0 {
		return 0, 0, false
	}
	stop = digitsEnd(t[:end], i)
	for stop < end && (expressionByte(t[stop:]) > 0 || t[stop] == ',') {
		stop++
	}
	for i > 0 && (expressionByte(t[i-1:]) == 1 || t[i-1] == ',' || t[i-1] >= 0x80) && end-i < maxLength {
		i--
	}
	return i, stop, true
}

// inRun yields the values of a run, from left to right and without overlap.
func (r valueReader) inRun(start, stop int, found []span) []span {
	for i := start; i < stop; {
		if !digit(r.text[i]) && strings.IndexByte("-(.", r.text[i]) < 0 || !r.startsValue(i) {
			i++
			continue
		}
		s, ok := r.at(i, true)
		if !ok {
			i++
			continue
		}
		s.place = LastNumber
		found = append(found, s)
		i = s.end
	}
	return found
}

// startsValue is opens, with a currency sign allowed in between.
func (r valueReader) startsValue(i int) bool {
	if r.opens(i) {
		return true
	}
	for _, n := range [...]int{1, 2, 3} {
		if i >= n && currency(r.text[i-n:i]) == n && r.opens(i-n) {
			return true
		}
	}
	return false
}
