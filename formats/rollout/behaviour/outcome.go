package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// outcome is what of the result of a call matters here. Signature and fault share it.
type outcome struct {
	read   bool
	object string // the JSON text of the result, "" when it is no object

	status, reason, stale, error string // of its members the JSON text, "" for none
}

// outcomeOf returns the outcome of a step, whose result is read once. A text that holds an
// object counts as one.
func (b *Reader) outcomeOf(s *Step) *outcome {
	if !s.outcome.read {
		result := s.Result
		switch {
		case s.told:
			result = s.ResultText
		case strings.HasPrefix(result, `"`):
			result = b.text.unquote(result)
		}
		s.outcome = b.readOutcome(result)
		s.outcome.read = true
	}
	return &s.outcome
}

// readOutcome reads a result that is an object, white space around it aside.
func (b *Reader) readOutcome(result string) (o outcome) {
	result = strings.Trim(result, " \t\r\n")
	if !strings.HasPrefix(result, "{") {
		return outcome{}
	}
	b.scan.Reset(bytesOf(result))
	b.scan.Depth = 1
	c := membersAt(&b.scan, 0)
	for c.next() {
		switch c.name {
		case "status":
			o.status = c.value
		case "reason":
			o.reason = c.value
		case "stale":
			o.stale = c.value
		case "error":
			o.error = c.value
		}
	}
	if c.end != len(result) {
		return outcome{}
	}
	o.object = result
	return o
}

const (
	garbledText  = "garbled"
	garbledOpens = "<<"    // stand before it
	garbledReply = " resp" // stands behind it
)

// garbled reports whether the JSON of an object has the marks of a reply that was damaged on
// purpose, in any case: "<<garbled" or "garbled resp". Only where a letter of theirs may be
// an escape, or a mark stands beside escapes, must the object be spelled anew.
func (b *Reader) garbled(object string) bool {
	switch {
	case escapesASCII(object):
	case !marked(object):
		return false
	case strings.IndexByte(object, '\\') < 0:
		return true
	}
	b.scratch = b.appendLowerJSON(b.scratch[:0], object)
	return marked(view(b.scratch))
}

// escapesASCII reports whether a character from the space on up to ASCII's end may be written
// as \u00 and two digits.
func escapesASCII(object string) bool {
	for {
		i := strings.IndexByte(object, '\\')
		if i < 0 || i+len(`\u0020`) > len(object) {
			return false
		}
		if object[i+1] == 'u' && object[i+2] == '0' && object[i+3] == '0' && object[i+4]-'2' < 6 {
			return true
		}
		object = object[i+2:]
	}
}

// marked reports whether a text has one of the marks in any case.
func marked(s string) bool {
	for {
		i := text.IndexFold(s, garbledText)
		if i < 0 {
			return false
		}
		behind := s[i+len(garbledText):]
		if strings.HasSuffix(s[:i], garbledOpens) || len(behind) >= len(garbledReply) && strings.EqualFold(behind[:len(garbledReply)], garbledReply) {
			return true
		}
		s = behind
	}
}
