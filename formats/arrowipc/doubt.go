package arrowipc

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// errNotUTF8 is why a row with such a text cannot be one.
var errNotUTF8 = &rollout.DecodeError{Code: rollout.CodeBadUTF8, Detail: "found a text that is not UTF-8"}

// lookAt checks a row whose texts nobody vouches for. It returns a reject when
// the row cannot be one.
func (d *rowDecoder) lookAt(b *batch, r *rollout.Row) *stream.Reject {
	if b.badText {
		if column, text := notUTF8(r); column != "" {
			bad := reject(r.Pos, column, errNotUTF8, text)
			return &bad
		}
	}
	if r.Has(rollout.FieldTools) {
		if err := d.jsonOf(r.Tools, '[', "a list"); err != nil {
			bad := reject(r.Pos, "tools", err, r.Tools)
			return &bad
		}
	}
	if r.Has(rollout.FieldPrivileged) {
		if err := d.jsonOf(r.Privileged, '{', "an object"); err != nil {
			bad := reject(r.Pos, "privileged", err, r.Privileged)
			return &bad
		}
	}
	return nil
}

// jsonOf checks that a text is JSON of the type that starts with open.
func (d *rowDecoder) jsonOf(text string, open byte, want string) error {
	s := &d.scan
	s.Reset(bytesOfText(text))
	switch {
	case !s.Valid():
		err := s.Err
		return &err
	case len(s.NonFinite) > 0:
		return errors.New("found a bare NaN or Infinity")
	case text[s.Space(0)] != open:
		return fmt.Errorf("found other JSON, want %s", want)
	}
	return nil
}

// notUTF8 returns a text of the row that is not UTF-8, and its column.
func notUTF8(r *rollout.Row) (column, text string) {
	for f := textFields; f != 0; f &= f - 1 {
		if s := *textOf(r, f&-f); !utf8.ValidString(s) {
			return (f & -f).Names()[0], s
		}
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		texts := []string{m.Role, m.Content, m.Name, m.ToolCallID}
		for _, c := range m.ToolCalls {
			texts = append(texts, c.ID, c.Type, c.Name, c.Arguments)
		}
		for _, s := range texts {
			if !utf8.ValidString(s) {
				return "messages", s
			}
		}
	}
	for _, m := range r.Markers {
		if !utf8.ValidString(m.Name) {
			return "markers", m.Name
		}
	}
	for _, g := range r.Gates {
		for _, s := range []string{g.Gate, g.Code, g.Detail} {
			if !utf8.ValidString(s) {
				return "rollmill_gates", s
			}
		}
	}
	return "", ""
}
