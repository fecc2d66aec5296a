package verify

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/rollmill/rollmill/formats/rollout"
)

// equalJSON reports whether two JSON values are equal: members in any order,
// numbers by value, texts character by character.
func equalJSON(a, b string) bool { return sameJSON(a, b, func(x, y string) bool { return x == y }) }

// fitsOne reports whether a value is one of the possible ones; objects among them
// have possible values of their own.
func fitsOne(value, possible string) bool {
	for want := range rollout.ElementsOf(possible) {
		if fitsPossible(value, want) {
			return true
		}
	}
	return false
}

// fitsPossible reports whether a value fits a possible one.
func fitsPossible(value, want string) bool {
	switch {
	case value[0] != want[0] && !(isNumber(value) && isNumber(want)):
		return false
	case want[0] == '{':
		return misfitObject(value, want, fitsOneOrEqual, true) == ""
	case want[0] == '[':
		return sameElements(value, want, fitsPossible)
	}
	return sameJSON(value, want, sameLoosely)
}

// fitsOneOrEqual is fitsOne, or, of a member that has no list of values, fits.
func fitsOneOrEqual(value, want string) bool {
	if want[0] == '[' {
		return fitsOne(value, want)
	}
	return fitsPossible(value, want)
}

// sameJSON compares JSON values, with texts compared by a function.
func sameJSON(a, b string, same func(x, y string) bool) bool {
	switch {
	case isNumber(a) && isNumber(b):
		return sameNumber(a, b)
	case a[0] != b[0]:
		return false
	case a[0] == '"':
		x, _ := rollout.TextOf(a)
		y, _ := rollout.TextOf(b)
		return same(x, y)
	case a[0] == '[':
		return sameElements(a, b, func(x, y string) bool { return sameJSON(x, y, same) })
	case a[0] == '{':
		return misfitObject(a, b, func(x, y string) bool { return sameJSON(x, y, same) }, false) == ""
	}
	return a == b
}

// sameElements compares lists element by element.
func sameElements(a, b string, same func(x, y string) bool) bool {
	var left []string
	for x := range rollout.ElementsOf(a) {
		left = append(left, x)
	}
	n := 0
	for y := range rollout.ElementsOf(b) {
		if n == len(left) || !same(left[n], y) {
			return false
		}
		n++
	}
	return n == len(left)
}

func isNumber(json string) bool { return json[0] == '-' || json[0]-'0' <= 9 }

// sameNumber compares numbers by value, integers of any size exactly.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	if errA != nil || errB != nil || x != y {
		return false
	}
	return math.Abs(x) < 1<<53 || isPlainInteger(a) != isPlainInteger(b)
}

func isPlainInteger(json string) bool { return !strings.ContainsAny(json, ".eE") }

// sameLoosely compares texts but for case, space, the characters ,./-_*^ and the
// kind of quote.
func sameLoosely(a, b string) bool { return loose(a) == loose(b) }

func loose(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', ',', '.', '/', '-', '_', '*', '^':
			return -1
		case '\'':
			return '"'
		}
		return unicode.ToLower(r)
	}, text)
}
