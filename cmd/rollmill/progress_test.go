package main

import (
	"bytes"
	"testing"
	"time"
)

func TestStanding(t *testing.T) {
	for _, c := range []struct {
		name string
		at   standing
		want string
	}{
		{"file", standing{500_000_000, 2_000_000_000, 250_000, 10 * time.Second}, "read 500 MB of 2.0 GB (25 %), 250,000 rows, 25,000 rows/s, 30 s left"},
		{"pipe", standing{500_000_000, 0, 1, time.Second}, "read 500 MB, 1 row, 1 rows/s"},
		{"begin", standing{}, "read 0 B, 0 rows"},
		{"end", standing{10, 10, 5, time.Second}, "read 10 B of 10 B (100 %), 5 rows, 5 rows/s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			lines{&b}.show(c.at)
			if want := "rollmill: " + c.want + "\n"; b.String() != want {
				t.Errorf("got %q, want %q", b.String(), want)
			}
		})
	}
}

// A bar comes with the first standing and goes at the end, whatever it was told.
func TestBarEnds(t *testing.T) {
	(&bar{w: &bytes.Buffer{}}).end() // a run too short for one
	for _, total := range []int64{0, 100} {
		b := &bar{w: &bytes.Buffer{}}
		b.show(standing{bytes: 10, total: total})
		b.show(standing{bytes: 100, total: total})
		b.end()
	}
}
