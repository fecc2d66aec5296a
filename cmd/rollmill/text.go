package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// clean makes a text of unknown origin safe for a terminal: control characters,
// among them those that start escape sequences, line ends, marks that turn the
// direction of writing and bytes that are no UTF-8 are shown as escapes.
func clean(text string) string { return excerpt(text, 0) }

// excerpt is a clean text cut to so many characters, 0 for all, with a word on
// how many more there are.
func excerpt(text string, width int) string {
	var b strings.Builder
	for n, i := 0, 0; i < len(text); n++ {
		if n == width && width > 0 {
			fmt.Fprintf(&b, "… +%s", grouped(int64(utf8.RuneCountInString(text[i:]))))
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return b.String()
}

// grouped is a number with commas between its thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// byteSize is a number of bytes for a person.
func byteSize(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	size, u := float64(n), 0
	for size >= 999.5 && u < len(units)-1 {
		size /= 1000
		u++
	}
	if u == 0 || size >= 99.5 {
		return fmt.Sprintf("%.0f %s", size, units[u])
	}
	return fmt.Sprintf("%.1f %s", size, units[u])
}

// count is a number and its noun, "1 row" or "2 rows".
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}
