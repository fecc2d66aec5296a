package dialect

import (
	"fmt"
	"strings"
)

// A place is where a mapping finds a value: member names and, in lists, numbers
// from 0, from the record or from the part of it that makes the row.
type place struct {
	part bool // from the part
	key  bool // not the part's value but its name, or else the record's
	path []string
	text string // as it was written
}

// parsePlace reads names joined by ".". A leading "." starts at the part; "."
// alone is the part, "@key" its name. A backslash takes the sign behind it as
// it is, so that a\.b is one name.
func parsePlace(text string) (place, error) {
	p := place{text: text}
	if text == "@key" {
		p.key = true
		return p, nil
	}
	p.part = strings.HasPrefix(text, ".")
	if text == "." {
		return p, nil
	}
	if text = strings.TrimPrefix(text, "."); text == "" {
		return p, fmt.Errorf("dialect: an empty path")
	}
	for _, name := range splitUnescaped(text, '.') {
		if name == "" {
			return p, fmt.Errorf("dialect: path %q has an empty name", p.text)
		}
		p.path = append(p.path, unescape(name))
	}
	return p, nil
}

// splitUnescaped splits text at the separators that no backslash stands before.
func splitUnescaped(text string, separator byte) (parts []string) {
	from := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case separator:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

func unescape(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
