package hackscan

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// However few cells a sieve has, and whatever becomes frequent when, the bounds
// that the sketch behind it gives are true: of terms that are there, and of those
// that are not.
func TestSieveBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSketch(rapid.IntRange(1, 400).Draw(t, "capacity"))
		exact := map[string]int{}
		add := func(label string, most int) {
			for range rapid.IntRange(0, most).Draw(t, label) {
				row := ""
				for range rapid.IntRange(0, 10).Draw(t, "words") {
					n := rapid.IntRange(1, 60).Draw(t, "word")
					row += fmt.Sprintf("w%d%s ", n/rapid.IntRange(1, n).Draw(t, "share"), label)
				}
				count(s, row)
				once := map[string]bool{}
				for _, term := range plainTerms(row) {
					once[term] = true
				}
				for term := range once {
					exact[term]++
				}
			}
		}
		add("", 30)
		cells := 1 << rapid.IntRange(0, 8).Draw(t, "cells")
		v := &sieve{cells: [2][]uint32{make([]uint32, cells), make([]uint32, cells)}}
		v.limit[0] = uint32(rapid.IntRange(0, 6).Draw(t, "limit"))
		var followed []candidate
		for _, c := range s.leaders(0, 3) {
			if rapid.Bool().Draw(t, "followed") {
				followed = append(followed, c)
			}
		}
		index := newTermIndex(followed)
		s.nameAll(followed)
		s.handOver(index, v)
		add("", 30)
		add("x", 30) // new terms
		v.raise(0, uint32(rapid.IntRange(0, 10).Draw(t, "raised")))
		add("", 30)
		add("x", 30)
		if rapid.Bool().Draw(t, "taken back") {
			s.takeBack(nil)
			add("", 20)
		}
		there := map[string]bool{}
		for _, c := range followed {
			there[c.name] = true
		}
		for _, x := range s.slots {
			if x.hash == 0 {
				continue
			}
			_, piece := s.names.at(x.name)
			name := string(termText(nil, piece))
			if there[name] {
				continue // counted elsewhere from the beginning
			}
			there[name] = true
			if n := exact[name]; n < int(x.count) || n > int(x.most()) {
				t.Errorf("%q occurs in %d rows, counted %d to %d", name, n, x.count, x.most())
			}
		}
		for name, n := range exact {
			if !there[name] && n > int(s.absent(0)) {
				t.Errorf("%q occurs in %d rows and is not there; at most %d may be missed", name, n, s.absent(0))
			}
		}
	})
}
