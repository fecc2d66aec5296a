package decontaminate

import "github.com/zeebo/xxh3"

// shared remembers what was found in texts that many rows have: the rollouts of a
// task their prompt, and all of a set its system prompt. Such a text is scanned once
// while it is met again soon.
type shared struct{ slots [64]sharedText }

// sharedText is a text and what was found in it.
type sharedText struct {
	text              []byte
	words, discounted int
	found             []Found // of any place
}

// sharedParts are the parts whose texts are shared.
const sharedParts = Prompt | System | User

// maxShared is the longest text that is remembered, in bytes.
const maxShared = 64 << 10

// slot returns where a text of a part is remembered, if it is, and whether it is
// there; nil for texts that are not.
func (s *shared) slot(part Parts, text string) (slot *sharedText, there bool) {
	if part&sharedParts == 0 || text == "" || len(text) > maxShared {
		return nil, false
	}
	slot = &s.slots[xxh3.HashString(text)%uint64(len(s.slots))]
	return slot, string(slot.text) == text
}

// keep puts a text in the place of the one that was there.
func (t *sharedText) keep(text string, words, discounted int, found []Found) {
	t.text = append(t.text[:0], text...)
	t.words, t.discounted = words, discounted
	t.found = append(t.found[:0], found...)
}
