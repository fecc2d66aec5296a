package decontaminate

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// unspaced are scripts that are written without blanks between words. A
// character of theirs is a word of its own.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tai_Tham, unicode.Tibetan,
}

// fractionSlash stands in the normal form of fractions that are one character,
// which stay one word.
const fractionSlash = '\u2044'

// unicodeSplitter splits stretches of text that are not all ASCII.
type unicodeSplitter struct {
	pieces norm.Iter
	fold   cases.Caser
	ready  bool
	folded []byte
	word   []byte
	at     span
}

// stretch yields the words from start up to the next byte of ASCII that is in no
// word. Normalisation works within a stretch: what ends one takes no mark that
// would make it a letter.
func (u *unicodeSplitter) stretch(text []byte, start int, yield func(span, []byte)) int {
	if !u.ready {
		u.fold, u.ready = cases.Fold(), true
	}
	end := start
	for end < len(text) && (text[end] >= utf8.RuneSelf || lowerWord[text[end]] != 0) {
		end++
	}
	if end == start {
		return start + 1
	}
	u.word = u.word[:0]
	u.pieces.Init(norm.NFKC, text[start:end])
	for !u.pieces.Done() {
		from := start + u.pieces.Pos()
		piece := u.foldPiece(u.pieces.Next())
		to := start + u.pieces.Pos()
		if to == from { // the first of several pieces that one character is made into
			_, size := utf8.DecodeRune(text[from:])
			to += size
		}
		at := span{uint32(from), uint32(to)}
		for len(piece) > 0 {
			r, size := utf8.DecodeRune(piece)
			u.rune(r, size, at, yield)
			piece = piece[size:]
		}
	}
	u.flush(yield)
	return end
}

// foldPiece folds the case of a few normalised characters.
func (u *unicodeSplitter) foldPiece(piece []byte) []byte {
	if len(piece) == 1 && piece[0] < utf8.RuneSelf {
		if c := lowerWord[piece[0]]; c != 0 {
			u.folded = append(u.folded[:0], c)
			return u.folded
		}
		return piece
	}
	if need := 3*len(piece) + utf8.UTFMax; cap(u.folded) < need {
		u.folded = make([]byte, need)
	}
	u.folded = u.folded[:cap(u.folded)]
	u.fold.Reset()
	n, m, err := u.fold.Transform(u.folded, piece, true)
	if err != nil || m < len(piece) { // it never needs more room than that
		return piece
	}
	return u.folded[:n]
}

// rune takes one normalised character.
func (u *unicodeSplitter) rune(r rune, size int, at span, yield func(span, []byte)) {
	switch {
	case r == utf8.RuneError && size <= 1:
		u.flush(yield)
	case unicode.IsMark(r) || r == fractionSlash:
		if len(u.word) > 0 { // else it is of nothing that is in a word
			u.add(r, at)
		}
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		u.flush(yield)
	case unicode.In(r, unspaced...):
		u.flush(yield)
		u.add(r, at)
	default:
		if len(u.word) > 0 && u.alone() {
			u.flush(yield)
		}
		u.add(r, at)
	}
}

// alone reports whether the word that is being read is one of a script without
// blanks, which no other letter joins.
func (u *unicodeSplitter) alone() bool {
	first, _ := utf8.DecodeRune(u.word)
	return first >= utf8.RuneSelf && unicode.In(first, unspaced...)
}

func (u *unicodeSplitter) add(r rune, at span) {
	if len(u.word) == 0 {
		u.at.start = at.start
	}
	u.at.end = at.end
	u.word = utf8.AppendRune(u.word, r)
}

func (u *unicodeSplitter) flush(yield func(span, []byte)) {
	if len(u.word) > 0 {
		yield(u.at, u.word)
		u.word = u.word[:0]
	}
}
