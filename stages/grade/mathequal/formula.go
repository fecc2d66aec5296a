package mathequal

import "strings"

// formulas returns the stretches of a text that stand in a mathematical
// environment, in the order they stand: $$..$$, $..$, \[..\], \(..\), brackets
// with space around them, and a bare \frac of two numbers. Up to six that are
// joined by "and", "or" or a comma are one.
func formulas(text string) []span {
	if !strings.ContainsAny(text, `$\[`) {
		return nil
	}
	var single []span
	r := formulaReader{text: text}
	for i := 0; i < len(text); {
		if c := text[i]; c != '$' && c != '\\' && c != '[' {
			i++
			continue
		}
		s, ok := r.at(i)
		if !ok {
			i++
			if text[i-1] == '\\' && i < len(text) {
				i++ // what is escaped opens nothing
			}
			continue
		}
		s.place = Formula
		single = append(single, s)
		i = s.end
	}
	joined := single[:0]
	for i := 0; i < len(single); {
		n := 1
		for n < 6 && i+n < len(single) && connects(text[single[i+n-1].end:single[i+n].start]) {
			n++
		}
		one := join(single[i : i+n])
		joined = append(joined, one)
		i += n
	}
	return joined
}

// connects reports whether two formulas with this between them are one answer.
func connects(gap string) bool {
	gap = strings.TrimSpace(gap)
	return gap == "and" || gap == "or" || gap == "," || gap == ", and" || gap == ", or"
}

// A formulaReader finds environments. It remembers up to where each closing was
// looked for in vain, so that a text full of openings is read in one pass.
type formulaReader struct {
	text string
	vain [len(environments)]int
}

// environments are the ways to write mathematics in a text.
var environments = [...]struct {
	opening, closing string
	lines            bool // may go over the end of a line
}{
	{"$$", "$$", true},
	{"$", "$", false},
	{`\[`, `\]`, true},
	{`\(`, `\)`, false},
	{"[", "]", false},
}

// at returns the environment that opens at i.
func (r *formulaReader) at(i int) (span, bool) {
	rest := r.text[i:]
	for k, e := range environments {
		if !strings.HasPrefix(rest, e.opening) {
			continue
		}
		switch e.opening {
		case "$":
			if i > 0 && digit(r.text[i-1]) {
				return span{}, false
			}
		case "[":
			if i > 0 && !blank(r.text[i-1]) {
				return span{}, false
			}
		}
		s, ok := r.enclosed(i, k)
		if ok && e.opening == "[" && s.end < len(r.text) && !blank(r.text[s.end]) {
			return span{}, false
		}
		return s, ok
	}
	if strings.HasPrefix(rest, `\frac{`) {
		return bareFraction(r.text, i)
	}
	return span{}, false
}

// enclosed returns what stands between the opening of environment k at i and the
// next closing.
func (r *formulaReader) enclosed(i, k int) (span, bool) {
	if i < r.vain[k] {
		return span{}, false
	}
	e := environments[k]
	start := i + len(e.opening)
	j := start
	for ; j < len(r.text) && (e.lines || r.text[j] != '\n'); j++ {
		if strings.HasPrefix(r.text[j:], e.closing) {
			if j == start {
				return span{}, false
			}
			content, closed := r.text[start:j], j+len(e.closing)
			end := percentEnd(r.text, closed)
			if end > closed {
				content += `\%`
			}
			return span{start: i, end: end, text: content}, true
		}
		if r.text[j] == '\\' {
			j++
		}
	}
	r.vain[k] = j
	return span{}, false
}

// bareFraction returns the \frac of two numbers that stands at i.
func bareFraction(text string, i int) (span, bool) {
	j := i + len(`\frac`)
	for range 2 {
		if j >= len(text) || text[j] != '{' {
			return span{}, false
		}
		j++
		if j < len(text) && text[j] == '-' {
			j++
		}
		from := j
		for j < len(text) && (digit(text[j]) || j > from && (text[j] == '.' || text[j] == ',')) {
			j++
		}
		if j == from || j == len(text) || text[j] != '}' {
			return span{}, false
		}
		j++
	}
	end := percentEnd(text, j)
	return span{start: i, end: end, text: text[i:end]}, true
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// percentEnd returns where a percent sign or word ends that follows i, or i.
func percentEnd(text string, i int) int {
	j := i
	for j < len(text) && blank(text[j]) {
		j++
	}
	for _, sign := range [...]string{"%", `\%`, "percentage", "Percentage", "percent", "Percent", "pct", "Pct"} {
		if strings.HasPrefix(text[j:], sign) {
			return j + len(sign)
		}
	}
	return i
}
