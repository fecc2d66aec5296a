package behaviour

import "github.com/rollmill/rollmill/formats/rollout/text"

// prior is the results of the steps that call a tool, one behind the other, as far as an
// argument was looked for in them: most are in the prompt, or those of a first step.
type prior struct {
	text  []byte
	steps []Step
	read  int // steps whose results are in text
}

func (p *prior) begin(steps []Step) { p.text, p.steps, p.read = p.text[:0], steps, 0 }

// resultsBefore returns the results of the steps before one in lower case.
func (b *Reader) resultsBefore(step int) string {
	p := &b.prior
	for ; p.read < step; p.read++ {
		if s := &p.steps[p.read]; b.toolOf(s) != "" {
			p.text = b.appendLowerResult(p.text, s)
		}
	}
	return view(p.text)
}

// appendLowerResult appends the JSON of a result in Python's spelling and in lower case; a
// result that is missing is null.
func (b *Reader) appendLowerResult(dst []byte, s *Step) []byte {
	switch {
	case !s.told:
		return b.appendLowerJSON(dst, s.Result)
	case !s.found:
		return append(dst, "null"...)
	}
	start := len(dst)
	return lowerFrom(appendQuoted(dst, s.ResultText), start)
}

// appendLowerJSON appends the JSON of a value in Python's spelling and in lower case; one that
// is missing is null.
func (b *Reader) appendLowerJSON(dst []byte, json string) []byte {
	if json == "" {
		return append(dst, "null"...)
	}
	start := len(dst)
	return lowerFrom(b.spell.appendJSON(dst, json), start)
}

// lowerFrom brings the ASCII behind start into lower case, in its place.
func lowerFrom(dst []byte, start int) []byte {
	return text.AppendLower(dst[:start], view(dst[start:]))
}
