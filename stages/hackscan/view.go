package hackscan

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// rowView is what the scan sees of a row. Its texts are good until the next.
type rowView struct {
	behaviour.Reader
	parts [sourceCount][]string // the texts of each source; those of a row are read as if a newline stood between them
	tools []string              // that were called, each once, by name
}

// read reads all of a row.
func (v *rowView) read(r *rollout.Row, sources Sources) {
	v.Read(r)
	v.readText(sources)
	v.tools = v.tools[:0]
	for _, act := range v.Acts() {
		v.tools = append(v.tools, act.Tool)
	}
	slices.Sort(v.tools)
	v.tools = slices.Compact(v.tools)
}

// forget drops the row, whose texts point into its block.
func (v *rowView) forget() {
	v.Reader = behaviour.Reader{}
	for i := range v.parts {
		clear(v.parts[i][:cap(v.parts[i])])
	}
	clear(v.tools[:cap(v.tools)])
}

// readText reads the texts of the row that the reader was turned to.
func (v *rowView) readText(sources Sources) {
	for i := range v.parts {
		v.parts[i] = v.parts[i][:0]
	}
	add := func(source int, s string) {
		if s != "" {
			v.parts[source] = append(v.parts[source], s)
		}
	}
	final := v.FinalText()
	add(0, final)
	for said := range v.Said() {
		if said != final {
			add(0, said)
		}
	}
	if sources&(Results|Arguments) == 0 {
		return
	}
	for _, act := range v.Acts() {
		add(1, act.Result)
		add(1, act.ResultText)
		add(2, act.Arguments)
	}
}

// counts counts what was said.
func (v *rowView) counts() (n counts) {
	for i, s := range v.parts[0] {
		if i > 0 {
			n.length++
			n.newlines++
		}
		n.add(s)
	}
	return n
}

// hash tells what was said apart.
func (v *rowView) hash() (h uint64) {
	for _, s := range v.parts[0] {
		h = mix(h ^ xxh3.HashString(s))
	}
	return h
}

// appendLower appends to lowered the texts of a source in lower case, as terms
// are cut from them, and tells where they end before the tail.
func (v *rowView) appendLower(source int, lowered []byte) (appended []byte, to int) {
	for i, s := range v.parts[source] {
		if i > 0 {
			lowered = append(lowered, '\n')
		}
		lowered = text.AppendLower(lowered, s)
	}
	to = len(lowered)
	return append(lowered, make([]byte, tail)...), to
}

// saltOf keeps the hashes of sources apart.
func saltOf(source int) uint64 { return uint64(source) * golden }
