package verify

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// plainLastBoxed is what the last \boxed of a text holds, braces balanced. A box that
// the end of the text cuts off is none.
func plainLastBoxed(text string) (inner string, ok bool) {
	const command = `\boxed`
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '\\')
		if i < 0 {
			return inner, ok
		}
		from += i
		if !strings.HasPrefix(text[from:], command) {
			from++
			continue
		}
		from += len(command)
		open := from
		for open < len(text) && text[open] == ' ' {
			open++
		}
		if open < len(text) && text[open] == '{' {
			if end := closingBrace(text, open); end >= 0 {
				inner, ok = text[open+1:end], true
				from = open + 1 // a box within a box counts as the last
			}
		}
	}
}

func TestLastBoxedIsThePlainOne(t *testing.T) {
	piece := rapid.SampledFrom([]string{`\boxed`, `\boxed{`, "{", "}", `\`, " ", "5", `\{`, `\}`, "x"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), "")
		got, found := lastBoxed(text)
		if want, ok := plainLastBoxed(text); got != want || found != ok {
			t.Fatalf("%q: got %q, %v, want %q, %v", text, got, found, want, ok)
		}
	})
}

func TestManyOpenFractions(t *testing.T) {
	for _, piece := range []string{`\frac{1`, `1^{`, `\frac{1}{`} {
		began := time.Now()
		for _, inWords := range []bool{false, true} {
			lastNumberFrom(strings.Repeat(piece, 100_000), 0, inWords)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: took %v", piece, took)
		}
	}
}

func TestManyOpenBoxes(t *testing.T) {
	for _, text := range []string{strings.Repeat(`\boxed{`, 300_000), strings.Repeat(`\boxed{`, 300_000) + strings.Repeat("}", 300_000)} {
		began := time.Now()
		lastBoxed(text)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	}
}
