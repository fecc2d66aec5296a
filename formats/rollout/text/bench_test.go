package text_test

import (
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

var (
	ascii = strings.Repeat("I looked up ORD-4017 for you, and the refund of 12.50 was made on Tuesday. It's worth a look.\n", 20)
	mixed = strings.Repeat("Ich habe die Größe geprüft — l’été à İstanbul, ΟΔΟΣ 4. 注文を確認しました。 Done.\n", 20)
)

func benchmark(b *testing.B, of func(buf []byte, s string) []byte) {
	for _, in := range []struct{ name, text string }{{"ascii", ascii}, {"mixed", mixed}} {
		b.Run(in.name, func(b *testing.B) {
			buf := make([]byte, 0, 2*len(in.text))
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				buf = of(buf[:0], in.text)
			}
		})
	}
}

func BenchmarkLower(b *testing.B) { benchmark(b, text.AppendLower) }
func BenchmarkNorm(b *testing.B)  { benchmark(b, text.AppendNorm) }
func BenchmarkWords(b *testing.B) { benchmark(b, text.AppendWords) }

func BenchmarkTokens(b *testing.B) {
	benchmark(b, func(buf []byte, s string) []byte {
		for range text.Tokens(s) {
		}
		return buf
	})
}

func BenchmarkStyles(b *testing.B) {
	benchmark(b, func(buf []byte, s string) []byte {
		if text.StylesOf(s) != 0 {
			b.Fatal("a style where there is none")
		}
		return buf
	})
}

func BenchmarkCountFields(b *testing.B) {
	benchmark(b, func(buf []byte, s string) []byte {
		text.CountFields(s)
		return buf
	})
}

func BenchmarkFinished(b *testing.B) {
	benchmark(b, func(buf []byte, s string) []byte {
		text.LooksFinished(s)
		return buf
	})
}

func BenchmarkContains(b *testing.B) {
	benchmark(b, func(buf []byte, s string) []byte {
		if text.Contains(s, "cannot") || text.Contains(s, "situation card") {
			b.Fatal("found what is not there")
		}
		return buf
	})
}
