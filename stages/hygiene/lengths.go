package hygiene

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// Lengths says how long replies are, in characters.
type Lengths struct {
	Rows        int     `json:"n"`
	MedianChars float64 `json:"median_chars"`
	MaxChars    int     `json:"max_chars"`
	Truncated   int     `json:"n_truncated"`
	GroupsMulti int     `json:"n_groups_multi"`       // prompts of two or more rows
	GroupsWide  int     `json:"n_groups_wide_spread"` // of those with a reply of more than MaxSpread medians
	MaxSpread   float64 `json:"max_spread"`
}

// lengths collects them, by prompt.
type lengths struct {
	groups    map[xxh3.Uint128]uint32
	of        []uint32 // the group of a row
	length    []uint32
	truncated int
}

func newLengths() lengths { return lengths{groups: map[xxh3.Uint128]uint32{}} }

func (l *lengths) group(key xxh3.Uint128) uint32 {
	n, known := l.groups[key]
	if !known {
		n = uint32(len(l.groups))
		l.groups[key] = n
	}
	return n
}

func (l *lengths) add(prompt string, length int, truncated bool) {
	l.of = append(l.of, l.group(xxh3.HashString128(prompt)))
	l.length = append(l.length, uint32(length))
	if truncated {
		l.truncated++
	}
}

func (l *lengths) merge(o *lengths) {
	number := make([]uint32, len(o.groups))
	for key, n := range o.groups {
		number[n] = l.group(key)
	}
	for _, k := range o.of {
		l.of = append(l.of, number[k])
	}
	l.length = append(l.length, o.length...)
	l.truncated += o.truncated
}

func (l *lengths) report(maxSpread float64) Lengths {
	r := Lengths{Rows: len(l.length), Truncated: l.truncated, MaxSpread: maxSpread}
	start := make([]uint32, len(l.groups)+1)
	for _, k := range l.of {
		start[k+1]++
	}
	for k := range len(l.groups) {
		start[k+1] += start[k]
	}
	place := slices.Clone(start)
	sorted := make([]uint32, len(l.length))
	for i, k := range l.of {
		sorted[place[k]] = l.length[i]
		place[k]++
	}
	for k := range len(l.groups) {
		own := sorted[start[k]:start[k+1]]
		slices.Sort(own)
		if len(own) < 2 {
			continue
		}
		r.GroupsMulti++
		if m := median(own); m > 0 && float64(own[len(own)-1])/m > maxSpread {
			r.GroupsWide++
		}
	}
	slices.Sort(sorted)
	r.MedianChars = median(sorted)
	if n := len(sorted); n > 0 {
		r.MaxChars = int(sorted[n-1])
	}
	return r
}

// median is the middle of sorted values, the mean of the two middle ones where
// their number is even; 0 of none.
func median(sorted []uint32) float64 {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (float64(sorted[(n-1)/2]) + float64(sorted[n/2])) / 2
}
