package hackscan

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// rowView is what the scan sees of a row. Its texts are good until the next.
type rowView struct {
	parts       [sourceCount][]string // the texts of each source; those of a row are read as if a newline stood between them
	replyLength int
	toolCalls   int
	turns       int
	truncated   bool
	tools       []string // that were called, each once, by name
	flags       []string // of the trajectory
}

func (v *rowView) read(r *rollout.Row, tools bool) {
	v.readText(r, tools)
	v.tools = v.tools[:0]
	v.toolCalls, v.turns = 0, 0
	v.replyLength = 0
	for _, m := range r.Conversation() {
		if m.Role != rollout.RoleAssistant {
			continue
		}
		v.turns++
		v.replyLength += len([]rune(m.Content))
		for _, c := range m.ToolCalls {
			v.toolCalls++
			v.tools = append(v.tools, c.Name)
		}
	}
	slices.Sort(v.tools)
	v.tools = slices.Compact(v.tools)
}

// readText reads the texts alone.
func (v *rowView) readText(r *rollout.Row, tools bool) {
	for i := range v.parts {
		v.parts[i] = v.parts[i][:0]
	}
	add := func(source int, s string) {
		if s != "" {
			v.parts[source] = append(v.parts[source], s)
		}
	}
	add(0, r.FinalText)
	conversation := r.Conversation()
	for i := range conversation {
		m := &conversation[i]
		if m.Role == rollout.RoleAssistant && m.Content != r.FinalText {
			add(0, m.Content)
		}
		if tools && m.Role == rollout.RoleTool {
			add(1, m.Content)
		}
		if tools {
			for j := range m.ToolCalls {
				add(2, m.ToolCalls[j].Arguments)
			}
		}
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

// appendTerms appends the terms of a source to terms, and to lowered the text
// in lower case that they stand in.
func (v *rowView) appendTerms(source int, lowered []byte, terms []term) ([]byte, []term) {
	from := len(lowered)
	for i, s := range v.parts[source] {
		if i > 0 {
			lowered = append(lowered, '\n')
		}
		lowered = text.AppendLower(lowered, s)
	}
	to := len(lowered)
	lowered = append(lowered, make([]byte, tail)...)
	return lowered, appendTerms(terms, lowered, from, to, uint64(source)*golden)
}
