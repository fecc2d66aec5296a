package verify

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// ContainsOptions are the arguments of [Contains]. The zero value is the default.
type ContainsOptions struct {
	Options
	Any bool // of a list of references one will do; default: all
}

// Contains passes an answer in which the reference stands, whatever the case; of
// a list of references all of them, or any. An empty list, or an empty text,
// cannot be judged: every answer contains it (spec of rows, section 3.2).
func Contains(o ContainsOptions) *Verifier {
	name := "contains"
	if o.Any {
		name = "contains:any"
	}
	return newVerifier(name, "1", o.Options, func(answer string, gold Reference, _ *rollout.Row) grade.Result {
		if !gold.IsList() {
			return found(answer, gold.Text)
		}
		r := grade.CannotJudge("the reference is an empty list")
		for element := range rollout.ElementsOf(gold.JSON) {
			if r = found(answer, rollout.ScalarText(element)); !r.OK() || (r.Reward == 1) == o.Any {
				break
			}
		}
		return r
	})
}

func found(answer, part string) grade.Result {
	switch {
	case part == "":
		return grade.CannotJudge("the reference is empty")
	case containsFold(answer, part):
		return grade.Pass("contained")
	}
	return grade.Fail("not contained")
}

// containsFold reports whether part stands in text, whatever the case.
func containsFold(text, part string) bool {
	if !isASCII(text) || !isASCII(part) {
		return strings.Contains(strings.ToLower(text), strings.ToLower(part))
	}
	low, up := asciiLower(part[0]), asciiUpper(part[0])
	for i := 0; i+len(part) <= len(text); i++ {
		j := indexEither(text[i:len(text)-len(part)+1], low, up)
		if j < 0 {
			return false
		}
		if i += j; foldEqual(text[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// indexEither is where the first of two bytes stands, -1 for nowhere.
func indexEither(text string, a, b byte) int {
	i := strings.IndexByte(text, a)
	if a == b {
		return i
	}
	if i >= 0 {
		text = text[:i]
	}
	if j := strings.IndexByte(text, b); j >= 0 {
		return j
	}
	return i
}

func foldEqual(a, b string) bool {
	for i := range len(a) {
		if asciiLower(a[i]) != asciiLower(b[i]) {
			return false
		}
	}
	return true
}

func asciiLower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func asciiUpper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
