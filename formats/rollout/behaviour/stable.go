package behaviour

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// Key is a hash that orders rows the same way in every run (spec of gates,
// section 1.7).
type Key [sha256.Size]byte

// StableKey returns the SHA-256 of the salt, a colon and the text. The colon
// stands there without a salt too.
func StableKey(text, salt string) Key {
	var room [256]byte
	return sha256.Sum256(append(append(append(room[:0], salt...), ':'), text...))
}

// String returns the hexadecimal digits of the key.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Compare orders keys as their texts are ordered.
func (k Key) Compare(l Key) int { return bytes.Compare(k[:], l[:]) }
