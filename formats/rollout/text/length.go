package text

import (
	"encoding/binary"
	"unicode/utf8"
	"unsafe"
)

// Length returns the number of code points of s, and 1 for each byte that is no
// UTF-8, as utf8.RuneCountInString does. ASCII is read eight bytes at a time.
func Length(s string) (n int) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) > 0 {
		i := 0
		for i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&highs == 0 {
			i += 8
		}
		n += i
		b = b[i:]
		for i = 0; i < len(b) && i < 8; n++ { // then ASCII may go on
			_, size := utf8.DecodeRune(b[i:])
			i += size
		}
		b = b[i:]
	}
	return n
}
