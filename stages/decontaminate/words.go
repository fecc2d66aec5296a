package decontaminate

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// splitter splits texts into words by a rule. It keeps buffers between texts and
// is not safe for concurrent use.
type splitter struct {
	rule    WordRule
	word    []byte // the normalised word that is being read
	unicode unicodeSplitter
}

func newSplitter(rule WordRule) *splitter { return &splitter{rule: rule} }

// span is where a word stands in its text, in bytes.
type span struct{ start, end uint32 }

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
	caseBits = 0x20 * eachByte
)

// wordBytes has the high bit of every byte of w that is an ASCII letter or digit.
func wordBytes(w uint64) uint64 {
	low := w &^ highBits
	letters := low | caseBits // of other bytes it makes no letter
	isLetter := (letters + (0x80-'a')*eachByte) &^ (letters + (0x80-'z'-1)*eachByte)
	isDigit := (low + (0x80-'0')*eachByte) &^ (low + (0x80-'9'-1)*eachByte)
	return (isLetter | isDigit) &^ w & highBits
}

// load reads eight bytes at i, with zeros behind the end of the text.
func load(text []byte, i int) uint64 {
	if i+8 <= len(text) {
		return binary.LittleEndian.Uint64(text[i:])
	}
	return loadEnd(text, i)
}

func loadEnd(text []byte, i int) (w uint64) {
	for k := len(text) - 1; k >= i; k-- {
		w = w<<8 | uint64(text[k])
	}
	return w
}

// prefixes appends the hashes of the beginnings of a text to dst, that of no
// words first. It goes by blocks where the text is ASCII, and by words where it is
// not, and at its end.
func (s *splitter) prefixes(dst []uint64, text string) []uint64 {
	b := bytesOf(text)
	dst = append(dst, 0)
	for i := 0; i < len(b); {
		dst, i = s.blocks(dst, b, i)
		dst, i = s.words(dst, b, i, min(i+blockLen, len(b)))
	}
	return dst
}

// words appends the hashes behind the words that begin from i to end, eight bytes
// at a time, and returns where to go on: not within a word. It leaves to the plain
// way what is not ASCII.
func (s *splitter) words(dst []uint64, b []byte, i, end int) ([]uint64, int) {
	p := dst[len(dst)-1]
	for i < end {
		w := load(b, i)
		m := wordBytes(w)
		if m&0x80 == 0 {
			skip := bits.TrailingZeros64(m) / 8 // 8 when there is no word
			if w&highBits<<(64-8*skip)>>(64-8*skip) != 0 {
				if at := s.foreign(b, i, min(i+skip, len(b))); at >= 0 {
					dst, i = s.slow(dst, b, at)
					p = dst[len(dst)-1]
					continue
				}
			}
			i += skip
			continue
		}
		start, h := i, uint64(wordSeed)
		for m == highBits {
			h = addChunk(h, w|caseBits)
			i += 8
			w = load(b, i)
			m = wordBytes(w)
		}
		n := bits.TrailingZeros64(^m&highBits) / 8
		if n > 0 {
			h = addChunk(h, (w|caseBits)&(1<<(8*n)-1))
			i += n
		}
		if w>>(8*n)&0x80 != 0 && s.foreign(b, i, i+1) == i {
			dst, i = s.slow(dst, b, start)
			p = dst[len(dst)-1]
			continue
		}
		p = p*polyBase + finishWord(h)
		dst = append(dst, p)
		i++ // what ended the word is none
	}
	return dst, min(i, len(b))
}

// foreign finds where the first character from i on, and before end, begins that
// is not ASCII and may be part of a word; -1 for nowhere. Under the ASCII rule
// these are the two whose lower case is ASCII.
func (s *splitter) foreign(text []byte, i, end int) int {
	for ; i < end; i++ {
		if text[i] < 0x80 {
			continue
		}
		if s.rule == Unicode || asciiLetter(text[i:]) != 0 {
			return i
		}
	}
	return -1
}

// slow appends the hashes behind the words of a stretch of text that begins at
// start with a word or a character that is not ASCII, and returns where it ends.
func (s *splitter) slow(dst []uint64, text []byte, start int) ([]uint64, int) {
	p := dst[len(dst)-1]
	end := s.stretch(text, start, func(_ span, word []byte) {
		p = p*polyBase + hashWord(word)
		dst = append(dst, p)
	})
	return dst, end
}

// stretch yields the words of a stretch of text and returns where it ends: not
// within a word.
func (s *splitter) stretch(text []byte, start int, yield func(span, []byte)) (end int) {
	if s.rule == Unicode {
		return s.unicode.stretch(text, start, yield)
	}
	return s.asciiWord(text, start, yield)
}

// each yields the words of a text the plain way: where they stand, and their
// normalised bytes, which hold until yield returns.
func (s *splitter) each(text string, yield func(span, []byte)) {
	b := bytesOf(text)
	for i := 0; i < len(b); {
		if b[i] < 0x80 && lowerWord[b[i]] == 0 {
			i++
			continue
		}
		s.word = s.word[:0]
		end := i
		for end < len(b) && lowerWord[b[end]] != 0 {
			s.word = append(s.word, lowerWord[b[end]])
			end++
		}
		if end < len(b) && b[end] >= 0x80 {
			i = s.stretch(b, i, yield)
			continue
		}
		yield(span{uint32(i), uint32(end)}, s.word)
		i = end + 1
	}
}

// bytesOf views a text as bytes, which must not be changed.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// textOf views bytes as a text, for as long as they do not change.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
