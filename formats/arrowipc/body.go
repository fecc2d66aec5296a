package arrowipc

import (
	"cmp"
	"slices"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// body is the part of a record batch's body that was read: runs of its bytes, in
// order and apart from one another. It is immutable.
type body []run

type run struct {
	from int64 // of the body
	data []byte
}

func (b body) size() (n int) {
	for _, r := range b {
		n += len(r.data)
	}
	return n
}

// bytes returns those of an extent. ok is false when they were not read.
func (b body) bytes(e message.Extent) (data []byte, ok bool) {
	if e.Length == 0 {
		return nil, true
	}
	i, found := slices.BinarySearchFunc(b, e.Offset, func(r run, at int64) int { return cmp.Compare(r.from, at) })
	if !found {
		i--
	}
	if i < 0 {
		return nil, false
	}
	from := e.Offset - b[i].from
	if e.Length > int64(len(b[i].data))-from {
		return nil, false
	}
	return b[i].data[from : from+e.Length : from+e.Length], true
}

// region is a part of a body that is to be read.
type region struct{ from, to int64 }

// gap is up to how many bytes between two regions are read with them rather than
// passed over.
const gap = 16 << 10

// merged sorts regions and joins those that are close to one another.
func merged(regions []region) []region {
	slices.SortFunc(regions, func(a, b region) int { return cmp.Compare(a.from, b.from) })
	out := regions[:0]
	for _, r := range regions {
		if r.to == r.from {
			continue
		}
		if n := len(out); n > 0 && r.from-out[n-1].to <= gap {
			out[n-1].to = max(out[n-1].to, r.to)
			continue
		}
		out = append(out, r)
	}
	return out
}
