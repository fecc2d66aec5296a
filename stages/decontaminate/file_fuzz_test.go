package decontaminate

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/zeebo/xxh3"
)

// Whatever the bytes of a file are, it is refused or makes an index that works.
func FuzzParse(f *testing.F) {
	small := build(f, Config{N: []int{2, 3}}, textSet("e", "one two three four five", "two three four"))
	f.Add(written(f, small)[len(fileMagic)+8:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		data := binary.LittleEndian.AppendUint64([]byte(fileMagic), fileVersion)
		data = append(data, body[:max(len(body)-8, 0)]...)
		data = binary.LittleEndian.AppendUint64(data, xxh3.Hash(data)) // a checksum keeps out accidents, not enemies
		x, err := parse(data)
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
				t.Fatalf("error %v", err)
			}
			return
		}
		s := x.NewScanner()
		e := s.Scan("one two three four five six two three four")
		n := x.config.shortest()
		for _, r := range []Rule{Any(n), Windowed{Grams: n, Threshold: -1, MinWords: 1, MinWeight: -1}, ItemShare{Grams: n, Share: -1}, LongestSpan{Grams: n}} {
			for _, m := range r.Judge(e, nil) {
				x.TextAt(m.Text)
			}
		}
		Default80{Grams: n}.Judge(e, nil)
	})
}
