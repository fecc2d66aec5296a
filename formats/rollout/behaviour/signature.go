package behaviour

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Signature is a hash of what an agent did: which tools it called, where their
// arguments came from, what came back, whether it refused, and how much it said
// at the end. Rows of equal signature behaved alike; selection order depends on
// it bit for bit (spec of gates, section 1.7).
type Signature [6]byte

// String returns the 12 hexadecimal digits that stand in files.
func (s Signature) String() string { return hex.EncodeToString(s[:]) }

// Compare orders signatures as their texts are ordered.
func (s Signature) Compare(t Signature) int { return bytes.Compare(s[:], t[:]) }

// Signature returns the signature of the row's behaviour.
func (b *Reader) Signature() Signature {
	var room [512]byte
	sum := sha256.Sum256(b.AppendShape(room[:0]))
	return Signature(sum[:len(Signature{})])
}

// provenance says where the value of an argument came from.
type provenance struct{ name, source string }

const (
	bucketFields = 12 // pieces of the final text in a bucket of lengths
	maxBucket    = 12
)

// AppendShape appends what the signature is the hash of: the Python repr of
// ((tool, ((argument, source), ...), status), ...), whether the final text
// refuses, and its length in buckets of twelve words.
func (b *Reader) AppendShape(dst []byte) []byte {
	dst = append(dst, "(("...)
	dst = b.appendSteps(dst)
	refuses, fields := "), False, ", text.CountFieldsUpTo(b.final, bucketFields*maxBucket)
	if b.refuses() {
		refuses = "), True, "
	}
	dst = append(dst, refuses...)
	dst = strconv.AppendInt(dst, int64(min(fields/bucketFields, maxBucket)), 10)
	return append(dst, ')')
}

// refuses reports whether the final text has one of four words, in any case.
// No other letter has a lower case that would make one of them.
func (b *Reader) refuses() bool {
	final := b.Lowered()
	return strings.IndexByte(final, '\'') >= 0 && (text.Contains(final, "can't") || text.Contains(final, "won't")) ||
		text.Contains(final, "cannot") || text.Contains(final, "unable")
}

func (b *Reader) appendSteps(dst []byte) []byte {
	steps := b.Steps()
	if len(steps) == 0 {
		return dst
	}
	prompt := b.loweredPrompt()
	b.prior.begin(steps)
	n := 0 // steps that call a tool
	for i := range steps {
		s := &steps[i]
		tool := b.toolOf(s)
		if tool == "" {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, '(')
		dst = append(appendRepr(dst, tool), ", ("...)
		if strings.HasPrefix(s.Arguments, "{") {
			dst = b.appendProvenance(dst, s.Arguments, prompt, i)
		}
		dst = append(dst, "), "...)
		dst = append(appendRepr(dst, b.strOr(b.outcomeOf(s).status)), ')')
	}
	if n == 1 {
		dst = append(dst, ',')
	}
	return dst
}

// toolOf returns the tool that a step calls, "" for none. An explicit null is the text None.
func (b *Reader) toolOf(s *Step) string {
	if s.told {
		return s.Name
	}
	return b.str(s.Tool)
}

// loweredPrompt is the prompt that values are sought in. An explicit null reads
// as the text none.
func (b *Reader) loweredPrompt() string {
	prompt := b.prompt
	if prompt == "" && !b.row.Has(rollout.FieldPrompt) {
		prompt = b.str(b.extra.prompt)
	}
	return b.text.lower(prompt)
}

// appendProvenance appends the pairs of the arguments of a step, which are an object,
// in the order of their names.
func (b *Reader) appendProvenance(dst []byte, arguments, prompt string, step int) []byte {
	pairs := b.assigned[:0]
	b.scan.Reset(bytesOf(arguments))
	for c := membersAt(&b.scan, 0); c.next(); {
		value := b.text.lower(text.Trim(b.str(c.value)))
		pairs = append(pairs, provenance{c.name, b.sourceOf(value, prompt, step)})
	}
	b.assigned = pairs
	slices.SortStableFunc(pairs, func(p, q provenance) int { return cmp.Compare(p.name, q.name) })
	pairs = lastOfName(pairs)
	for i, p := range pairs {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, '(')
		dst = append(appendRepr(dst, p.name), ", '"...)
		dst = append(append(dst, p.source...), "')"...)
	}
	if len(pairs) == 1 {
		dst = append(dst, ',')
	}
	return dst
}

// lastOfName keeps the last of the pairs of each name; they are sorted.
func lastOfName(pairs []provenance) []provenance {
	kept := pairs[:0]
	for i, p := range pairs {
		if i+1 == len(pairs) || pairs[i+1].name != p.name {
			kept = append(kept, p)
		}
	}
	return kept
}

func (b *Reader) sourceOf(value, prompt string, step int) string {
	switch {
	case value == "":
		return "absent"
	case text.Contains(prompt, value):
		return "user"
	case step > 0 && text.Contains(b.resultsBefore(step), value):
		return "derived"
	}
	return "invented"
}

// member returns the value of the last member of that name, "" when there is none.
func member(object, name string) (value string) {
	for n, v := range jsonwalk.StringMembers(object) {
		if n == name {
			value = v
		}
	}
	return value
}
