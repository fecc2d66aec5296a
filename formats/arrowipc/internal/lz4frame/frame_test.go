package lz4frame_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/lz4frame"
)

// plain reads a frame by the library.
func plain(t interface{ Fatal(...any) }, frame []byte) []byte {
	text, err := io.ReadAll(lz4.NewReader(bytes.NewReader(frame)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// prose is text of some words, as long as that.
func prose(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the agent calls a tool and reads what it says then answers 42 or 17 \\boxed{3} \"content\": assistant user")
	var b []byte
	for len(b) < n {
		b = append(append(b, words[r.IntN(len(words))]...), ' ')
	}
	return b[:n]
}

// decoded reads a frame of so many bytes.
func decoded(frame []byte, n int) ([]byte, error) {
	text := make([]byte, n)
	err := lz4frame.Decode(text, frame)
	return text, err
}

func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{7})
	_, _ = r.Read(b) // it never fails
	return b
}

func TestReadersAgree(t *testing.T) {
	far := append(prose(100_000), prose(100_000)...)
	for name, text := range map[string][]byte{
		"empty": {}, "one byte": {'a'}, "short": []byte("abcdabcdabcdabcd"), "zeros": make([]byte, 5<<20),
		"noise": noise(300_000), "noise of two blocks": noise(5 << 20), "prose": prose(3 << 20), "prose of three blocks": prose(9 << 20),
		"a match farther away than the format reaches": far, "noise, then zeros": append(noise(70_000), make([]byte, 70_000)...),
	} {
		t.Run(name, func(t *testing.T) {
			frame := lz4frame.Append([]byte("before"), text)
			if !bytes.HasPrefix(frame, []byte("before")) {
				t.Fatal("what was there is gone")
			}
			frame = frame[len("before"):]
			if !bytes.Equal(plain(t, frame), text) {
				t.Error("the library reads something else")
			}
			own, err := decoded(frame, len(text))
			if err != nil || !bytes.Equal(own, text) {
				t.Errorf("Decode reads something else: %v", err)
			}
			if most := lz4frame.Bound(frame); most < int64(len(text)) || most > int64(len(text)+4<<20) {
				t.Errorf("%d bytes are bounded by %d", len(text), most)
			}
			if most := len(text) + 11 + 4*(len(text)>>22+1); len(frame) > most {
				t.Errorf("%d bytes, want at most %d", len(frame), most)
			}
		})
	}
}

// Sizes are held against those of the library at the settings of Arrow's writers.
func TestFramesAreAsShortAsTheLibrarys(t *testing.T) {
	text := prose(1 << 20)
	var b bytes.Buffer
	w := library(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if own := len(lz4frame.Append(nil, text)); float64(own) > 1.05*float64(b.Len()) {
		t.Errorf("%d bytes, the library %d", own, b.Len())
	}
}

func library(w io.Writer) *lz4.Writer {
	lw := lz4.NewWriter(w)
	if err := lw.Apply(lz4.ChecksumOption(false), lz4.BlockSizeOption(lz4.Block64Kb)); err != nil {
		panic(err)
	}
	return lw
}

func TestPropertyReadersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SliceOfN(rapid.SliceOfN(rapid.ByteRange(0, 3), 1, 40), 1, 8).Draw(t, "pieces")
		var text []byte
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(piece)-1), 0, 200).Draw(t, "order") {
			text = append(text, piece[i]...)
		}
		frame := lz4frame.Append(nil, text)
		if !bytes.Equal(plain(t, frame), text) {
			t.Fatal("the library reads something else")
		}
		if own, err := decoded(frame, len(text)); err != nil || !bytes.Equal(own, text) {
			t.Fatal("Decode reads something else")
		}
	})
}

func TestDamagedFrames(t *testing.T) {
	text := prose(5000)
	frame := lz4frame.Append(nil, text)
	for name, b := range map[string][]byte{
		"nothing": nil, "no header": frame[7:], "cut off": frame[:len(frame)-9], "no end": frame[:len(frame)-4],
		"more behind it":           append(bytes.Clone(frame), 0),
		"a block that is too long": append(append(bytes.Clone(frame[:7]), 0xff, 0xff, 0xff, 0x7f), frame[11:]...),
	} {
		if _, err := decoded(b, len(text)); !errors.Is(err, lz4frame.ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, n := range []int{0, len(text) - 1, len(text) + 1} {
		if _, err := decoded(frame, n); !errors.Is(err, lz4frame.ErrDamaged) {
			t.Errorf("as %d bytes: got %v", n, err)
		}
	}
}

func FuzzAppend(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte("abcabcabcabcabcabcabcabcabcabcabc"))
	f.Add(prose(500))
	f.Add(noise(500))
	f.Fuzz(func(t *testing.T, text []byte) {
		frame := lz4frame.Append(nil, text)
		if !bytes.Equal(plain(t, frame), text) {
			t.Fatal("the library reads something else")
		}
		if own, err := decoded(frame, len(text)); err != nil || !bytes.Equal(own, text) {
			t.Fatal("Decode reads something else")
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, text := range [][]byte{nil, []byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), prose(300), noise(100)} {
		f.Add(lz4frame.Append(nil, text), len(text))
	}
	f.Fuzz(func(t *testing.T, frame []byte, n int) {
		if n < 0 || n > 1<<20 {
			return
		}
		own, err := decoded(frame, n)
		if err != nil {
			return
		}
		if most := lz4frame.Bound(frame); most < int64(n) {
			t.Fatalf("%d bytes are bounded by %d", n, most)
		}
		if text := plain(t, frame); !bytes.Equal(text, own) {
			t.Fatalf("the library reads %q, Decode %q", text, own)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	text := prose(1 << 20)
	b.Run("own", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			dst = lz4frame.Append(dst[:0], text)
		}
		b.ReportMetric(float64(len(dst))/float64(len(text)), "size")
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		var dst bytes.Buffer
		w := library(&dst)
		for b.Loop() {
			dst.Reset()
			w.Reset(&dst)
			if _, err := w.Write(text); err != nil {
				b.Fatal(err)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(dst.Len())/float64(len(text)), "size")
	})
}

func BenchmarkDecode(b *testing.B) {
	text := prose(1 << 20)
	frame := lz4frame.Append(nil, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := lz4frame.Decode(text, frame); err != nil {
			b.Fatal(err)
		}
	}
}
