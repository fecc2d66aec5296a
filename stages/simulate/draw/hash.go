package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Hex returns the first n hexadecimal digits, 1 to 16, of the SHA-256 of a text
// as a number.
func Hex(text string, n int) uint64 { return HexBytes([]byte(text), n) }

// HexBytes is Hex for bytes.
func HexBytes(text []byte, n int) uint64 {
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:8]) >> (64 - 4*n)
}

// Digits returns the first n hexadecimal digits of the SHA-256 of a text, at
// most 64.
func Digits(text string, n int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:n]
}

// Open returns a number strictly between 0 and 1 from the first n hexadecimal
// digits of the SHA-256 of a text, n up to 12 (spec of simulation, section 7.4).
func Open(text string, n int) float64 { return OpenBytes([]byte(text), n) }

// OpenBytes is Open for bytes.
func OpenBytes(text []byte, n int) float64 {
	span := float64(uint64(1) << (4 * n))
	return (float64(HexBytes(text, n)) + 1) / (span + 2)
}

// Share returns a number from 0 to 1, both within reach, from the first eight
// hexadecimal digits of the SHA-256 of a text (spec of simulation, section
// 11.1).
func Share(text []byte) float64 { return float64(HexBytes(text, 8)) / 0xFFFFFFFF }
