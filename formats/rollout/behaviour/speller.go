package behaviour

import (
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// speller writes JSON text again as Python spells the value it stands for: as
// json.dumps does or as repr. Either way a comma and a space part the elements
// and a colon and a space names from values; names keep their order, and of
// members of the same name the last value stands in the first one's place.
type speller struct {
	scan  jsonscan.Scanner
	repr  bool
	names []string // of the objects around the value, as JSON text
	text  []byte
}

// appendJSON appends what json.dumps makes of the valid JSON text.
func (p *speller) appendJSON(dst []byte, json string) []byte { return p.append(dst, json, false) }

// appendRepr appends what repr makes of the value of the valid JSON text.
func (p *speller) appendRepr(dst []byte, json string) []byte { return p.append(dst, json, true) }

func (p *speller) append(dst []byte, json string, repr bool) []byte {
	p.repr = repr
	p.names = p.names[:0]
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

// fewNames is up to how many names of an object each is held against all before.
const fewNames = 32

func (p *speller) object(dst []byte, i int) ([]byte, int) {
	s := &p.scan
	start, outer, first := len(dst), len(p.names), i
	dst = append(dst, '{')
	for i = s.Space(i + 1); s.Buf[i] != '}'; i = s.Space(i) {
		if s.Buf[i] == ',' {
			dst = append(dst, ", "...)
			i = s.Space(i + 1)
		}
		nameEnd, at, plain := s.Name(i)
		name := view(s.Buf[i+1 : nameEnd-1])
		if !plain || len(p.names)-outer == fewNames || p.named(outer, name) {
			p.names = p.names[:outer]
			return p.distinct(dst[:start], first)
		}
		p.names = append(p.names, name)
		dst = append(p.string(dst, bytesOf(name)), ": "...)
		dst, i = p.value(dst, at)
	}
	p.names = p.names[:outer]
	return append(dst, '}'), i + 1
}

func (p *speller) named(outer int, name string) bool {
	for _, n := range p.names[outer:] {
		if n == name {
			return true
		}
	}
	return false
}

// distinct appends the object at i, which may have members of the same name.
func (p *speller) distinct(dst []byte, i int) ([]byte, int) {
	type member struct {
		name  string
		value []byte
	}
	s := &p.scan
	end := s.Value(i)
	var list []member
	place := map[string]int{}
	for name, value := range jsonwalk.Members(s.Buf[i:end]) {
		if at, ok := place[name]; ok {
			list[at].value = value
			continue
		}
		place[name] = len(list)
		list = append(list, member{name, value})
	}
	dst = append(dst, '{')
	whole := s.Buf
	for n, m := range list {
		if n > 0 {
			dst = append(dst, ", "...)
		}
		name := jsonscan.AppendString(nil, m.name)
		dst = append(p.string(dst, name[1:len(name)-1]), ": "...)
		s.Buf = m.value
		dst, _ = p.value(dst, 0)
	}
	s.Buf = whole
	return append(dst, '}'), end
}
