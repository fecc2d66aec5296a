package text

import (
	"unicode"
	"unicode/utf8"
)

// endsWord reports whether the capital sigma at s[start:end] is the last letter
// of a word: a cased letter stands before it and none after it, where what case
// ignores, such as an apostrophe or an accent, is passed over (The Unicode
// Standard, section 3.13, Final_Sigma).
func endsWord(s string, start, end int) bool {
	before := false
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
		if !ignoresCase(r) {
			before = isCased(r)
			break
		}
	}
	if !before {
		return false
	}
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		end += size
		if !ignoresCase(r) {
			return !isCased(r)
		}
	}
	return true
}

// isCased is Unicode's property Cased.
func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// ignoresCase is Unicode's property Case_Ignorable: marks, format characters,
// modifiers, and what may stand within a word.
func ignoresCase(r rune) bool {
	switch r {
	case '\'', '.', ':', '\u00b7', '\u0387', '\u055f', '\u05f4', '\u2018', '\u2019', '\u2024', '\u2027',
		'\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a':
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
