package rollout

import (
	"math/bits"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// Source returns the JSON text that the row was decoded from, "" for a row
// that was made, or that came from another dialect.
func (r *Row) Source() string { return r.src }

// CompactSource takes the white space between the tokens of the source away,
// so that a record that spanned lines can stand on one.
func (r *Row) CompactSource() {
	r.src = view(jsonscan.AppendCompact(make([]byte, 0, len(r.src)), bytesOf(r.src)))
}

// AppendLine appends the row as it should stand in a file of the same dialect
// as the one it was read from: its own bytes when nothing changed, and else
// those bytes with the changed fields replaced in place, or appended before
// the closing brace in schema order. A row without a source is written as v1.
func (r *Row) AppendLine(dst []byte) []byte {
	switch {
	case r.src == "":
		return r.AppendJSON(dst)
	case r.changed == 0:
		return append(dst, r.src...)
	}
	return r.appendSpliced(dst)
}

// spliceNames has the names under which a changed field may stand in a source,
// the one that counts first.
func spliceNames(f Fields) [2]string {
	name := fieldNames[bits.TrailingZeros64(uint64(f))]
	switch f {
	case FieldTaskID:
		return [2]string{name, "task_id"}
	case FieldReason:
		return [2]string{"grader_reason", name}
	}
	return [2]string{name, ""}
}

// edit is one change to the source: the member at span gets the field's new
// value, or goes.
type edit struct {
	name  string
	span  jsonscan.Span // of the whole member, from its name to the end of its value
	value int           // where the value starts
	field Fields        // 0: drop the member, or
	set   *Member       // the member of Extra that takes its place
}

func (r *Row) appendSpliced(dst []byte) []byte {
	src := bytesOf(r.src)
	var room [8]edit
	edits, tail := r.edits(room[:0], src)
	from := 0
	for i := range edits {
		e := &edits[i]
		if e.field == 0 && e.set == nil {
			dst, from = dropMember(dst, src, from, e.span)
			continue
		}
		dst = append(dst, src[from:e.value]...)
		if e.set != nil {
			dst = appendText(dst, e.set.JSON)
		} else {
			dst = r.appendField(dst, e.field)
		}
		from = e.span.End
	}
	end := len(src) - 1
	for src[end] != '}' {
		end--
	}
	dst = append(dst, src[from:end]...)
	comma := !endsInBrace(dst)
	for ; tail != 0; tail &= tail - 1 {
		dst = appendTailName(dst, fieldNames[bits.TrailingZeros64(uint64(tail))], &comma)
		dst = r.appendField(dst, tail&-tail)
	}
	for i := range r.set {
		if m := &r.set[i]; !isPlaced(edits, m) {
			dst = appendTailName(dst, m.Name, &comma)
			dst = appendText(dst, m.JSON)
		}
	}
	return append(dst, src[end:]...)
}

// endsInBrace tells whether nothing stands in the object so far.
func endsInBrace(dst []byte) bool {
	last := len(dst) - 1
	for dst[last] <= ' ' {
		last--
	}
	return dst[last] == '{'
}

func appendTailName(dst []byte, name string, comma *bool) []byte {
	if *comma {
		dst = append(dst, ',')
	}
	*comma = true
	return append(jsonscan.AppendString(dst, name), ':')
}

func isPlaced(edits []edit, m *Member) bool {
	for i := range edits {
		if edits[i].set == m {
			return true
		}
	}
	return false
}

// dropMember appends src[from:] up to a member that goes, with one of the
// commas around it, and returns where to go on.
func dropMember(dst, src []byte, from int, span jsonscan.Span) ([]byte, int) {
	next := span.End
	for next < len(src) && (src[next] <= ' ') {
		next++
	}
	dst = append(dst, src[from:span.Start]...)
	if src[next] == ',' {
		for next++; src[next] <= ' '; next++ {
		}
		return dst, next
	}
	for len(dst) > 0 && dst[len(dst)-1] <= ' ' {
		dst = dst[:len(dst)-1]
	}
	if dst[len(dst)-1] == ',' {
		dst = dst[:len(dst)-1]
	}
	return dst, span.End
}

// edits finds the changed fields in the source, in the order of the source.
// tail are those that do not stand there and must be appended.
func (r *Row) edits(dst []edit, src []byte) (edits []edit, tail Fields) {
	changed := r.changed & AllFields &^ FieldExtra
	tail = changed & r.has
	if r.present&changed == 0 && !r.mayReplace() {
		return dst, tail
	}
	s := jsonscan.Scanner{Buf: src}
	for i := s.Space(0) + 1; ; {
		i = s.Space(i)
		if src[i] == ',' {
			i = s.Space(i + 1)
		}
		if src[i] == '}' {
			break
		}
		start := i
		nameEnd, value, plain := s.Name(i)
		name := src[start+1 : nameEnd-1]
		if !plain {
			name, _ = jsonscan.AppendText(nil, name)
		}
		i = s.Value(value)
		if f, ok := FieldNamed(string(name)); ok && f&changed != 0 {
			dst = append(dst, edit{view(name), jsonscan.Span{Start: start, End: i}, value, f, nil})
		} else if m := r.setMember(name); m != nil {
			dst = append(dst, edit{m.Name, jsonscan.Span{Start: start, End: i}, value, 0, m})
		}
	}
	return r.resolve(dst), tail &^ placed(dst)
}

// resolve leaves each field one place: the last member of the name that
// counts. Others of a field that is set, which would win or lose on reading,
// and all of one that was cleared, go.
func (r *Row) resolve(edits []edit) []edit {
	for i := range edits {
		e := &edits[i]
		if e.set != nil || !r.has.Has(e.field) {
			continue // every repetition of a set member gets its value
		}
		names := spliceNames(e.field)
		for j := range edits {
			o := &edits[j]
			if i == j || o.set != nil || o.field != e.field {
				continue
			}
			if o.name == names[0] && e.name != names[0] || o.name == e.name && j > i {
				e.span.Start = -e.span.Start - 1 // marked below
				break
			}
		}
	}
	for i := range edits {
		e := &edits[i]
		if e.span.Start < 0 {
			e.span.Start = -e.span.Start - 1
			e.field = 0
		} else if e.set == nil && !r.has.Has(e.field) {
			e.field = 0
		}
	}
	return edits
}

// mayReplace tells whether a set member may stand in the source already.
func (r *Row) mayReplace() bool {
	for i := range r.set {
		if r.others.mayHave(r.set[i].Name) {
			return true
		}
	}
	return false
}

func (r *Row) setMember(name []byte) *Member {
	for i := range r.set {
		if r.set[i].Name == string(name) {
			return &r.set[i]
		}
	}
	return nil
}

func placed(edits []edit) (fs Fields) {
	for i := range edits {
		fs |= edits[i].field
	}
	return fs
}
