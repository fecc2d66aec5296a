package verify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// ExactOptions are the arguments of [Exact]. The zero value is the default.
type ExactOptions struct {
	Options
	Whole bool // the whole answer must be equal; default: its last line, else the whole
}

// Exact passes an answer that is equal to the reference but for case, ASCII
// punctuation and runs of white space: its last line, else the whole. Of a list
// of references any will do (spec of rows, section 3.2).
func Exact(o ExactOptions) *Verifier {
	name := "exact"
	if o.Whole {
		name = "exact:whole"
	}
	return newVerifier(name, "1", o.Options, func(answer string, gold Reference, _ *rollout.Row) grade.Result {
		last := answer
		if !o.Whole {
			last = lastLine(answer)
		}
		equal := func(reference string) bool {
			return sameWords(last, reference) || len(last) != len(answer) && sameWords(answer, reference)
		}
		if !gold.IsList() {
			return equalOrNot(equal(gold.Text))
		}
		for element := range rollout.ElementsOf(gold.JSON) {
			if equal(rollout.ScalarText(element)) {
				return grade.Pass("equal")
			}
		}
		return grade.Fail("not equal")
	})
}

func equalOrNot(equal bool) grade.Result {
	if equal {
		return grade.Pass("equal")
	}
	return grade.Fail("not equal")
}

// lastLine is the last line of a text with anything on it.
func lastLine(text string) string {
	end := len(text)
	for end > 0 && (text[end-1] == ' ' || text[end-1]-'\t' <= '\r'-'\t') {
		end--
	}
	return text[strings.LastIndexByte(text[:end], '\n')+1 : end]
}

// words goes through the characters of a text in normal form: lower case, no
// ASCII punctuation, each run of white space one space, none at the ends.
type words struct {
	text  string
	begun bool
}

// endOfWords is what next gives at the end.
const endOfWords = -1

// next gives the next character.
func (w *words) next() rune {
	space := false
	for len(w.text) > 0 {
		c := w.text[0]
		switch class := asciiClass[c]; {
		case class == classOther: // not ASCII
			r, size := utf8.DecodeRuneInString(w.text)
			if unicode.IsSpace(r) {
				w.text, space = w.text[size:], true
				continue
			}
			if space && w.begun {
				return ' ' // the character comes the next time
			}
			w.text, w.begun = w.text[size:], true
			return unicode.ToLower(r)
		case class == classSpace:
			w.text, space = w.text[1:], true
		case class == classDropped:
			w.text = w.text[1:]
		case space && w.begun:
			return ' '
		default:
			w.text, w.begun = w.text[1:], true
			return rune(class)
		}
	}
	return endOfWords
}

// Classes of ASCII bytes; any other value is the byte in lower case.
const (
	classOther   = 0xff
	classSpace   = 0xfe
	classDropped = 0xfd
)

var asciiClass = func() (table [256]byte) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = classOther
		case c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f:
			table[c] = classSpace
		case c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~':
			table[c] = classDropped
		case c >= 'A' && c <= 'Z':
			table[c] = byte(c) + 'a' - 'A'
		default:
			table[c] = byte(c)
		}
	}
	return table
}()

// sameWords reports whether two texts are equal in normal form.
func sameWords(a, b string) bool {
	x, y := words{text: a}, words{text: b}
	for {
		c := x.next()
		if c != y.next() {
			return false
		}
		if c == endOfWords {
			return true
		}
	}
}
