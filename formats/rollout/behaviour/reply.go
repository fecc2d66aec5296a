package behaviour

import (
	"iter"
	"unsafe"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Said yields what the assistant said, message by message of the view. A
// message that says nothing, since it only calls tools, yields "". Of a content
// in parts the texts count.
func (b *Reader) Said() iter.Seq[string] {
	return func(yield func(string) bool) {
		messages := b.messages()
		for i := range messages {
			if m := &messages[i]; m.Role == rollout.RoleAssistant && !yield(m.Text()) {
				return
			}
		}
	}
}

// ReplyLength returns how many characters the assistant said: in all its
// messages, and in the final text where that is not what the last one says.
func (b *Reader) ReplyLength() int {
	n, last := 0, ""
	for said := range b.Said() {
		n += text.Length(said)
		last = said
	}
	if !b.IsFinal(last) {
		n += text.Length(b.final)
	}
	return n
}

// AssistantTurns returns the number of messages of the assistant in the view.
func (b *Reader) AssistantTurns() int {
	n := 0
	for range b.Said() {
		n++
	}
	return n
}

// AppendScanText appends what the hack scan looks at: the final text, then what
// else the assistant said, in order, on lines of their own.
func (b *Reader) AppendScanText(dst []byte) []byte {
	start := len(dst)
	return b.appendOthers(append(dst, b.final...), start)
}

// appendOthers appends what the assistant said besides the final text, on lines of their
// own; what stands behind start is a line before them.
func (b *Reader) appendOthers(dst []byte, start int) []byte {
	for said := range b.Said() {
		if !b.IsFinal(said) {
			dst = appendLine(dst, start, said)
		}
	}
	return dst
}

// AppendAssistantText appends the final text and then all that the assistant
// said, repeats included, on lines of their own and in lower case.
func (b *Reader) AppendAssistantText(dst []byte) []byte {
	b.scratch = b.appendSpoken(b.scratch[:0])
	return text.AppendLower(dst, view(b.scratch))
}

// appendSpoken is AppendAssistantText before case is changed.
func (b *Reader) appendSpoken(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, b.final...)
	for said := range b.Said() {
		dst = appendLine(dst, start, said)
	}
	return dst
}

func appendLine(dst []byte, start int, line string) []byte {
	if line == "" {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, '\n')
	}
	return append(dst, line...)
}

// IsFinal reports whether what a message says is the final text. Most rows have it twice, and
// it is long: the one that was found to be the same is known by its place.
func (b *Reader) IsFinal(said string) bool {
	switch {
	case len(said) != len(b.final):
		return false
	case len(said) > 0 && unsafe.StringData(said) == b.echo:
		return true
	case said != b.final:
		return false
	}
	b.echo = unsafe.StringData(said)
	return true
}
