package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// arena holds the texts that had to be written out while a row was read.
type arena struct{ buf []byte }

// arenaSize is what an arena starts with, arenaLimit what it keeps at most from
// one row to the next.
const (
	arenaSize  = 4 << 10
	arenaLimit = 1 << 20
)

func (a *arena) reset() {
	if cap(a.buf) > arenaLimit {
		a.buf = nil
	}
	a.buf = a.buf[:0]
}

// room makes sure that n more bytes fit. Texts handed out before keep the old
// buffer alive.
func (a *arena) room(n int) {
	if cap(a.buf)-len(a.buf) < n {
		a.buf = make([]byte, 0, max(arenaSize, 2*cap(a.buf), n))
	}
}

// keep returns what fill appends as a text of the arena.
func (a *arena) keep(fill func(dst []byte) []byte) string {
	start := len(a.buf)
	a.buf = fill(a.buf) // if it grew, what came before stays where it was
	return view(a.buf[start:])
}

// unquote returns the text of a JSON string, which is part of it where it holds
// no escapes.
func (a *arena) unquote(quoted string) string {
	inner := quoted[1 : len(quoted)-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	a.room(len(inner) + jsonscan.Slack)
	return a.keep(func(dst []byte) []byte {
		dst, _ = jsonscan.AppendText(dst, bytesOf(inner))
		return dst
	})
}

// lower returns s in lower case, which is s where there is nothing to change.
func (a *arena) lower(s string) string {
	start := len(a.buf)
	lowered := a.keep(func(dst []byte) []byte { return text.AppendLower(dst, s) })
	if lowered == s {
		a.buf = a.buf[:start]
		return s
	}
	return lowered
}

// norm returns s in normal form.
func (a *arena) norm(s string) string {
	return a.keep(func(dst []byte) []byte { return text.AppendNorm(dst, s) })
}
