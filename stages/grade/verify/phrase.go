package verify

import "math/bits"

// phrases announce an answer: one of the words, in any case, and one of the
// links. Each word holds one of two letters that are rare in texts, and is looked
// at only where that letter stands.
type phrases struct {
	words []phraseWord
	rare  [2]byte
	links []string
}

// phraseWord is a word in lower case and where its rare letter stands.
type phraseWord struct {
	text string
	rare int
}

var (
	answerPhrases = phrases{[]phraseWord{{"answer", 3}, {"result", 3}, {"solution", 3}}, [2]byte{'w', 'u'}, []string{"is", "=", ":"}}
	choicePhrases = phrases{[]phraseWord{{"answer", 3}, {"option", 4}, {"choice", 2}}, [2]byte{'w', 'o'}, []string{"is", "=", ":"}}
)

// behindPhrase is where the text behind the last phrase begins, -1 for none. It
// goes from the end to the beginning, eight bytes at a time.
func behindPhrase(text string, p *phrases) int {
	first, second := ones*uint64(p.rare[0]), ones*uint64(p.rare[1])
	i := len(text)
	for ; i >= 8; i -= 8 {
		x := load(text[i-8:i]) | ones*caseBit
		for hits := zeroBytes(x^first) | zeroBytes(x^second); hits != 0; {
			top := 63 - bits.LeadingZeros64(hits)
			hits &^= 1 << top
			if behind := p.around(text, i-8+top/8); behind >= 0 {
				return behind
			}
		}
	}
	for i--; i >= 0; i-- {
		if behind := p.around(text, i); behind >= 0 {
			return behind
		}
	}
	return -1
}

const (
	ones    = 0x0101010101010101
	highs   = 0x8080808080808080
	caseBit = 0x20 // tells lower from upper case
)

// load is eight bytes as a number, the first one lowest.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// zeroBytes has the high bit of every byte that is zero, and may have that of
// some that are not.
func zeroBytes(x uint64) uint64 { return (x - ones) &^ x & highs }

// around is where the text behind a phrase begins whose rare letter stands at i,
// -1 where there is none.
func (p *phrases) around(text string, i int) int {
	for _, w := range p.words {
		first, end := i-w.rare, i-w.rare+len(w.text)
		if first >= 0 && end <= len(text) && foldEqual(text[first:end], w.text) {
			if behind := p.behindLink(text, end); behind >= 0 {
				return behind
			}
		}
	}
	return -1
}

// behindLink is where the text behind a link at i begins, -1 where none is.
func (p *phrases) behindLink(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '*' || text[i] == '\t') {
		i++
	}
	for _, link := range p.links {
		if end := i + len(link); end <= len(text) && foldEqual(text[i:end], link) &&
			(!isAlnum(link[0]) || end == len(text) || !isAlnum(text[end])) {
			return end
		}
	}
	return -1
}
