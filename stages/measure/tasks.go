package measure

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// tasks numbers task keys as they come: 0, 1, 2, ... It tells them apart by 128
// bits of hash, so that a prompt that serves as a key costs no more than an id,
// and keeps their text only where that is asked for. The slots are an open
// hash table of numbers; together that is 22 to 27 bytes a task without text.
type tasks struct {
	slots  []uint32 // number of the task plus 1; 0 is free
	hashes column[xxh3.Uint128]
	keys   column[string] // empty unless text is kept
	text   *arena         // nil unless text is kept
}

// number gives the task of a hash its number, a new one when it has none.
func (t *tasks) number(hash xxh3.Uint128, key string) uint32 {
	if 4*(t.hashes.n+1) > 3*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash.Lo & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 {
			n := uint32(t.hashes.n)
			t.slots[at] = n + 1
			t.hashes.append(hash)
			if t.text != nil {
				t.keys.append(t.text.keep(shortKey(key, hash)))
			}
			return n
		}
		if *t.hashes.at(slot - 1) == hash {
			return slot - 1
		}
	}
}

func (t *tasks) grow() {
	t.slots = make([]uint32, max(16, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for n := range uint32(t.hashes.n) {
		at := t.hashes.at(n).Lo & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = n + 1
	}
}

// key is the text of a task's key, "" when text is not kept.
func (t *tasks) key(n uint32) string {
	if t.text == nil {
		return ""
	}
	return *t.keys.at(n)
}

// MaxKey is the length in bytes up to which the key of a task is kept as it is.
// Of a longer one, such as a prompt, the beginning is kept, and a hash.
const MaxKey = 256

func shortKey(key string, hash xxh3.Uint128) string {
	if len(key) <= MaxKey {
		return key
	}
	cut := MaxKey - 36
	for cut > 0 && !utf8.RuneStart(key[cut]) {
		cut--
	}
	var sum [16]byte
	binary.BigEndian.PutUint64(sum[:8], hash.Hi)
	binary.BigEndian.PutUint64(sum[8:], hash.Lo)
	return key[:cut] + "… " + hex.EncodeToString(sum[:])
}

// arena keeps copies of short texts, many to an allocation, so that none of
// them pins the block of rows that it was read from.
type arena struct{ chunk strings.Builder }

const arenaSize = 1 << 14

func (a *arena) keep(text string) string {
	if a.chunk.Cap()-a.chunk.Len() < len(text) {
		a.chunk = strings.Builder{}
		a.chunk.Grow(max(arenaSize, len(text)))
	}
	start := a.chunk.Len()
	a.chunk.WriteString(text)
	return a.chunk.String()[start:]
}
