package decontaminate

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wordsOf splits the plain way.
func wordsOf(rule WordRule, text string) (words []string) {
	newSplitter(rule).each(text, func(_ span, word []byte) { words = append(words, string(word)) })
	return words
}

// plainPrefixes hashes the words of a text the plain way.
func plainPrefixes(rule WordRule, text string) []uint64 {
	p := []uint64{0}
	newSplitter(rule).each(text, func(_ span, word []byte) { p = append(p, p[len(p)-1]*polyBase+hashWord(word)) })
	return p
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, text, ascii, unicode string }{
		{"punctuation", "Please look up ORD-4017, NOW!", "please|look|up|ord|4017|now", ""},
		{"white space", "  Tabs\tand\nnew\u00a0lines  ", "tabs|and|new|lines", ""},
		{"apostrophe", "don't stop\u2014won't", "don|t|stop|won|t", ""},
		{"underscores", "x_y __init__ A_B1", "x|y|init|a|b1", ""},
		{"long words", "Donaudampfschifffahrt abcdefgh abcdefghijklmnop 12345678", "donaudampfschifffahrt|abcdefgh|abcdefghijklmnop|12345678", ""},
		{"accents", "café naïve", "caf|na|ve", "café|naïve"},
		{"combining accent", "cafe\u0301 ok", "cafe|ok", "café|ok"},
		{"dotted capital i", "\u0130stanbul A\u0130B", "i|stanbul|ai|b", "i\u0307stanbul|ai\u0307b"},
		{"kelvin", "300\u212a \u212a", "300k|k", "300k|k"},
		{"kelvin across the block", "abcde 300\u212aelvin", "abcde|300kelvin", ""},
		{"sigma", "ΣΑΣ σασ ΣΑΣ", "", "σασ|σασ|σασ"},
		{"eszett", "STRASSE straße", "strasse|stra|e", "strasse|strasse"},
		{"cyrillic", "Привет, МИР", "", "привет|мир"},
		{"chinese", "你好，世界 ok", "ok", "你|好|世|界|ok"},
		{"mixed scripts", "GPT模型v2は強い", "gpt|v2", "gpt|模|型|v2|は|強|い"},
		{"thai", "กินข้าว", "", "กิ|น|ข้|า|ว"},
		{"full width", "ＡＢＣ１２３", "", "abc123"},
		{"ligature", "ﬁne", "ne", "fine"},
		{"superscript", "x² ٣ 7", "x|7", "x2|٣|7"},
		{"fraction", "¾ cup 1½", "cup|1", "3\u20444|cup|11\u20442"},
		{"emoji", "run 🏃🏽‍♀️ fast👍", "run|fast", ""},
		{"mark first", "\u0301abc \u0301", "abc", ""},
		{"invalid", "ab\xffcd \xc4", "ab|cd", ""},
		{"cut sequences", "k\xe2\x84 i\xc4", "k|i", ""},
		{"none", "... \u2014 \t", "", ""},
		{"empty", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[WordRule]string{ASCII: c.ascii, Unicode: c.unicode}
			if c.unicode == "" {
				want[Unicode] = c.ascii
			}
			for rule, want := range want {
				if got := strings.Join(wordsOf(rule, c.text), "|"); got != want {
					t.Errorf("%v: %q, want %q", rule, got, want)
				}
				if got, want := newSplitter(rule).prefixes(nil, c.text), plainPrefixes(rule, c.text); !slices.Equal(got, want) {
					t.Errorf("%v: the fast way hashes %d words, the plain one %d, or others", rule, len(got)-1, len(want)-1)
				}
			}
		})
	}
}

// anyText draws texts in which everything stands beside everything.
var anyText = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"a", "Zz", "9", "word", "abcdefgh", "ABCDEFGHI", "don't", " ", "  ", ", ", "\n", "_", "-", "\u2019", "\u2014", "\u00a0",
		"\u0130", "\u212a", "\u0301", "e\u0301", "é", "ß", "Σ", "я", "你", "の", "ก", "ข้", "ﬁ", "½", "\u1e9b\u0323", "👍🏽", "\xff", "\xe2", "\xc4", "\x00",
		"\u00c5", "\u1100\u1161", "\uff21", "…", "<\u0338", " \u0301", "́",
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 150).Draw(t, "pieces"), "")
})

func TestPrefixesMatchThePlainWay(t *testing.T) {
	splitters := []*splitter{newSplitter(ASCII), newSplitter(Unicode)}
	rapid.Check(t, func(t *rapid.T) {
		text := anyText.Draw(t, "text")
		for _, s := range splitters {
			if got, want := s.prefixes(nil, text), plainPrefixes(s.rule, text); !slices.Equal(got, want) {
				t.Fatalf("%v %q: hashes differ from those of %q", s.rule, text, wordsOf(s.rule, text))
			}
		}
	})
}

func FuzzPrefixes(f *testing.F) {
	f.Add("Please look up ORD-4017, caf\u00e9 300\u212a \u0130x \u4f60\u597d")
	f.Add("abcdefgh\u0301 \xe2\x84\xaa\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, rule := range []WordRule{ASCII, Unicode} {
			if got, want := newSplitter(rule).prefixes(nil, text), plainPrefixes(rule, text); !slices.Equal(got, want) {
				t.Fatalf("%v: hashes differ from those of %q", rule, wordsOf(rule, text))
			}
		}
	})
}

// Spans point at the words, in order and without overlap.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText.Draw(t, "text")
		last := span{}
		newSplitter(ASCII).each(text, func(at span, word []byte) {
			if at.start < last.end || at.end > uint32(len(text)) || at.start >= at.end {
				t.Fatalf("%q: %v after %v", text, at, last)
			}
			if got := strings.Join(wordsOf(ASCII, text[at.start:at.end]), "|"); got != string(word) {
				t.Fatalf("%q: span holds %q, word is %q", text, got, word)
			}
			last = at
		})
		last = span{}
		newSplitter(Unicode).each(text, func(at span, _ []byte) {
			if at.start < last.start || at.end < last.end || at.end > uint32(len(text)) || at.start >= at.end {
				t.Fatalf("%q: %v after %v", text, at, last)
			}
		})
	})
}

func TestHashesOfNGrams(t *testing.T) {
	text := "the quick auditor signs nine forms before lunch every single working day"
	words := wordsOf(ASCII, text)
	p := newSplitter(ASCII).prefixes(nil, text)
	for n := 1; n <= len(words); n++ {
		for i := 0; i+n <= len(words); i++ {
			alone := plainPrefixes(ASCII, strings.Join(words[i:i+n], " "))
			if got, want := gramHash(p, i, n, power(n)), alone[n]; got != want {
				t.Fatalf("%d words from %d: %x, want %x", n, i, got, want)
			}
		}
	}
	for i, w := range words {
		if got, want := wordHashAt(p, i), hashWord([]byte(w)); got != want {
			t.Errorf("word %d: %x, want %x", i, got, want)
		}
	}
}

// benchText is like English prose: words by Zipf's law, sentences, paragraphs.
func benchText(words int, seed uint64) string {
	var b strings.Builder
	r := lcg(seed)
	for i := range words {
		w := benchWord(uint64(r.zipf(20000)))
		if i%13 == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
		switch {
		case i%13 == 12:
			b.WriteString(". ")
		case i%7 == 6:
			b.WriteString(", ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

type lcg uint64

func (r *lcg) next() uint64 {
	*r = *r*6364136223846793005 + 1442695040888963407
	x := uint64(*r)
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>29
}

// zipf draws a rank below n, low ones more often.
func (r *lcg) zipf(n int) int {
	u := float64(r.next()>>11) / (1 << 53)
	x := 1.0
	for range 3 {
		x *= u
	}
	return int(x * float64(n))
}

func benchWord(rank uint64) string {
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], rank)
	h := hashWord(append(key[:], 1))
	syllables := []string{"ba", "con", "di", "er", "fa", "gen", "ho", "in", "ka", "lo", "men", "na", "or", "pre", "ri", "st"}
	var b strings.Builder
	for range 1 + int(h%3) {
		h /= 3
		b.WriteString(syllables[h%16])
		h /= 16
	}
	return b.String()
}

func BenchmarkWords(b *testing.B) {
	text := benchText(20000, 1)
	for _, rule := range []WordRule{ASCII, Unicode} {
		b.Run(rule.String(), func(b *testing.B) {
			s := newSplitter(rule)
			var dst []uint64
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			defer cpuRate(b, len(text))()
			for b.Loop() {
				dst = s.prefixes(dst[:0], text)
			}
		})
	}
	b.Run("plain", func(b *testing.B) {
		s := newSplitter(ASCII)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			n := 0
			s.each(text, func(span, []byte) { n++ })
		}
	})
}
