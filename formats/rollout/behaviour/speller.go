package behaviour

import (
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// speller writes JSON text again as Python spells the value it stands for: as
// json.dumps does or as repr. Either way a comma and a space part the elements
// and a colon and a space names from values; names keep their order, and of
// members of the same name the last value stands in the first one's place.
type speller struct {
	scan    jsonscan.Scanner
	repr    bool
	members []spelled // of the objects around the value
	text    []byte
}

// appendJSON appends what json.dumps makes of the valid JSON text.
func (p *speller) appendJSON(dst []byte, json string) []byte { return p.append(dst, json, false) }

// appendRepr appends what repr makes of the value of the valid JSON text.
func (p *speller) appendRepr(dst []byte, json string) []byte { return p.append(dst, json, true) }

func (p *speller) append(dst []byte, json string, repr bool) []byte {
	p.repr = repr
	p.members = p.members[:0]
	p.scan.Reset(bytesOf(json))
	dst, _ = p.value(dst, p.scan.Space(0))
	return dst
}

// value appends the value at i and returns the offset behind it.
func (p *speller) value(dst []byte, i int) ([]byte, int) {
	s := &p.scan
	switch s.Buf[i] {
	case '"':
		end, _ := s.String(i)
		return p.string(dst, s.Buf[i+1:end-1]), end
	case '[':
		return p.array(dst, i)
	case '{':
		return p.object(dst, i)
	}
	end := s.Scalar(i)
	return p.scalar(dst, view(s.Buf[i:end])), end
}

func (p *speller) array(dst []byte, i int) ([]byte, int) {
	s := &p.scan
	dst = append(dst, '[')
	for i = s.Space(i + 1); s.Buf[i] != ']'; i = s.Space(i) {
		if s.Buf[i] == ',' {
			dst = append(dst, ", "...)
			i = s.Space(i + 1)
		}
		dst, i = p.value(dst, i)
	}
	return append(dst, ']'), i + 1
}

func (p *speller) object(dst []byte, i int) ([]byte, int) {
	s := &p.scan
	start, outer := len(dst), len(p.members)
	dst = append(dst, '{')
	for i = s.Space(i + 1); s.Buf[i] != '}'; i = s.Space(i) {
		if s.Buf[i] == ',' {
			i = s.Space(i + 1)
		}
		if len(p.members) > outer {
			dst = append(dst, ", "...)
		}
		nameEnd, at, plain := s.Name(i)
		name := s.Buf[i+1 : nameEnd-1]
		m := spelled{name: view(name), start: len(dst)}
		if !plain {
			name, _ := jsonscan.AppendText(nil, name)
			m.name = view(name)
		}
		dst = append(p.string(dst, name), ": "...)
		m.value = len(dst)
		dst, i = p.value(dst, at)
		m.end = len(dst)
		p.members = append(p.members, m)
	}
	if own := p.members[outer:]; haveTwins(own) {
		dst = withoutTwins(dst, start, own)
	}
	p.members = p.members[:outer]
	return append(dst, '}'), i + 1
}
