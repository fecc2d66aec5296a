package conduct

import (
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Findings are the flags that fired in one row, with what made each fire first.
type Findings struct {
	set      FlagSet
	order    [flags]Flag
	evidence [flags]evidence
	n        int
}

// evidence is the text that a flag fired on and the tool that was called with it.
type evidence struct{ tool, matched string }

// maxEvidence is how many characters of evidence are shown.
const maxEvidence = 200

// Set returns the flags that fired.
func (f *Findings) Set() FlagSet { return f.set }

// Fired returns the flags in the order in which they fired.
func (f *Findings) Fired() []Flag { return f.order[:f.n] }

// Evidence returns what the flag fired on, at most 200 characters: the tool, a
// colon and what matched in its arguments, or what matched in the reply. It is
// "" for a flag that did not fire.
func (f *Findings) Evidence(flag Flag) string {
	return string(f.AppendEvidence(nil, flag))
}

// AppendEvidence appends what Evidence returns.
func (f *Findings) AppendEvidence(dst []byte, flag Flag) []byte {
	start := len(dst)
	e := f.evidence[flag]
	if e.tool != "" {
		dst = append(append(dst, e.tool...), ": "...)
	}
	dst = append(dst, e.matched...)
	for n, end := 0, start; end < len(dst); n++ {
		if n == maxEvidence {
			return dst[:end]
		}
		_, size := utf8.DecodeRune(dst[end:])
		end += size
	}
	return dst
}

func (f *Findings) reset() {
	if f.set != 0 {
		*f = Findings{}
	}
}

// fire notes a flag, unless it fired before.
func (f *Findings) fire(flag Flag, tool, matched string) {
	if f.set.Has(flag) {
		return
	}
	f.set |= 1 << flag
	f.order[f.n] = flag
	f.n++
	f.evidence[flag] = evidence{tool, text.Trim(matched)}
}
