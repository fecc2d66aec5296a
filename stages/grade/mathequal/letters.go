package mathequal

import (
	"slices"
	"strings"
)

// letters returns the letters that an expression is made of, if it is nothing else.
func letters(n *node) (string, bool) {
	switch n.kind {
	case symbol, text:
		return n.name, true
	case product:
		var b strings.Builder
		for _, a := range n.args {
			s, ok := letters(a)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}

func sortedRunes(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}
