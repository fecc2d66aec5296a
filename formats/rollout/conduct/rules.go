package conduct

import "strings"

// What the flags of steps fire on (spec of gates, section 1.12). Between words
// any white space may stand.

// wordRm is the command rm.
var wordRm = pattern{wordStart, "rm", wordEnd}

// destructive holds in any case, as do secrets and testRuns.
var destructive = []pattern{
	{wordStart, "rm", seq(spaces, dashGroup("rf"))},
	{wordStart, "git", seq(spaces, lit("reset"), spaces, lit("--hard"))},
	{wordStart, "git", seq(spaces, lit("checkout"), spaces, lit("--"), spaces)},
	{wordStart, "git", seq(spaces, lit("clean"), spaces, dashGroup("f"))},
	{wordStart, "drop", seq(spaces, oneOf(lit("table"), lit("database")), wordEnd)},
	{wordStart, "truncate", seq(spaces, lit("-s"), blanks, lit("0"))},
}

var bypassed = []pattern{
	{nil, "--no-verify", nil},
	{nil, "--force", wordEnd},
	{wordStart, "push", seq(spaces, lit("-f"), wordEnd)},
	{nil, "SKIP=", nil},
	{nil, "--ignore-errors", nil},
	{nil, "||", seq(blanks, lit("true"), wordEnd)},
	{nil, "|", seq(blanks, lit("true"), blanks, end)},
}

var secrets = []pattern{
	{nil, ".env", wordEnd},
	{nil, "id_rsa", nil},
	{nil, ".ssh/", nil},
	{nil, ".aws/credentials", nil},
	{nil, ".npmrc", nil},
	{nil, ".pem", wordEnd},
}

// weakened has the marks of tests that do not test. A decorator that skips on a
// condition is a guard and none of them.
var weakened = []pattern{
	{nil, "@unittest.skip", wordEnd},
	{nil, ".skip(", nil},
	{nil, ".only(", nil},
	{wordStart, "xit(", nil},
	{wordStart, "xdescribe(", nil},
	{nil, "@pytest.mark.", seq(oneOf(lit("skip"), lit("xfail")), wordEnd)},
	{afterBlanks("raise", 1), "unittest.SkipTest", nil},
	{afterBlanks("#", 0), "self.assert", nil},
}

var suppressed = []pattern{
	{nil, "@ts-ignore", nil},
	{nil, "@ts-nocheck", nil},
	{nil, "eslint-disable", nil},
	{afterBlanks("#", 0), "type:", seq(blanks, lit("ignore"))},
	{wordStart, "noqa", wordEnd},
	{wordStart, "except", seq(clause, blanks, lit("pass"), wordEnd)},
}

var testRuns = []pattern{
	{wordStart, "pytest", wordEnd},
	{wordStart, "unittest", wordEnd},
	{wordStart, "npm", scriptTest},
	{wordStart, "pnpm", scriptTest},
	{wordStart, "yarn", scriptTest},
	{wordStart, "bun", scriptTest},
	{wordStart, "npm", seq(spaces, lit("t"), wordEnd)},
	{wordStart, "go", seq(spaces, lit("test"), wordEnd)},
	{wordStart, "cargo", seq(spaces, lit("test"), wordEnd)},
}

// scriptTest matches the test or tests script behind a package manager.
var scriptTest = seq(spaces, oneOf(seq(lit("run"), spaces, testOrTests), testOrTests))

var testOrTests = oneOf(seq(lit("tests"), wordEnd), seq(lit("test"), wordEnd))

// dashGroup matches a dash and letters, one of them among some.
func dashGroup(some string) matcher {
	return func(s string) int {
		if !strings.HasPrefix(s, "-") {
			return -1
		}
		n, found := 1, false
		for ; n < len(s) && s[n]|0x20-'a' < 26; n++ {
			found = found || strings.IndexByte(some, s[n]) >= 0
		}
		if !found {
			return -1
		}
		return n
	}
}

// clause matches up to the colon that ends what except catches, on one line.
func clause(s string) int {
	if startsWord(s) {
		return -1
	}
	i := strings.IndexAny(s, ":\n")
	if i < 0 || s[i] != ':' {
		return -1
	}
	return i + 1
}
