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
	refuses, fields := "), False, ", text.CountFields(b.final)
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
	b.scratch = text.AppendLower(b.scratch[:0], b.final)
	final := view(b.scratch)
	return strings.Contains(final, "can't") || strings.Contains(final, "cannot") ||
		strings.Contains(final, "unable") || strings.Contains(final, "won't")
}

func (b *Reader) appendSteps(dst []byte) []byte {
	steps := b.Steps()
	if len(steps) == 0 {
		return dst
	}
	prompt := b.loweredPrompt()
	prior := b.scratch[:0] // lower-cased results of the steps before
	n, spelled := 0, 0     // steps that call a tool, and those whose results are in prior
	for i := range steps {
		s := &steps[i]
		tool := b.str(s.Tool) // an explicit null is the text None
		if tool == "" {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, '(')
		dst = append(appendRepr(dst, tool), ", ("...)
		if strings.HasPrefix(s.Arguments, "{") {
			for ; spelled < i; spelled++ {
				if b.str(steps[spelled].Tool) != "" {
					prior = b.appendLowerJSON(prior, steps[spelled].Result)
				}
			}
			dst = b.appendProvenance(dst, s.Arguments, prompt, view(prior))
		}
		dst = append(dst, "), "...)
		dst = append(appendRepr(dst, b.statusOf(s.Result)), ')')
	}
	b.scratch = prior
	if n == 1 {
		dst = append(dst, ',')
	}
	return dst
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

// appendProvenance appends the pairs of arguments that are an object, in the
// order of their names.
func (b *Reader) appendProvenance(dst []byte, arguments, prompt, prior string) []byte {
	pairs := b.assigned[:0]
	for name, value := range jsonwalk.StringMembers(arguments) {
		value := b.text.lower(text.Trim(b.str(value)))
		pairs = append(pairs, provenance{name, sourceOf(value, prompt, prior)})
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

func sourceOf(value, prompt, prior string) string {
	switch {
	case value == "":
		return "absent"
	case strings.Contains(prompt, value):
		return "user"
	case strings.Contains(prior, value):
		return "derived"
	}
	return "invented"
}

// statusOf returns the status of a result as text, "" when it has none. A
// result that is a text is parsed.
func (b *Reader) statusOf(result string) string {
	return b.strOr(member(b.resultObject(result), "status"))
}

// resultObject returns a result that is an object, or a text that holds one,
// as JSON; "" for any other.
func (b *Reader) resultObject(result string) string {
	if strings.HasPrefix(result, `"`) {
		return b.objectIn(b.text.unquote(result))
	}
	if strings.HasPrefix(result, "{") {
		return result
	}
	return ""
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

// appendLowerJSON appends the JSON of a result in Python's spelling and in lower
// case; a result that is missing is null.
func (b *Reader) appendLowerJSON(dst []byte, result string) []byte {
	if result == "" {
		return append(dst, "null"...)
	}
	start := len(dst)
	dst = b.spell.appendJSON(dst, result)
	for i, c := range dst[start:] {
		if c-'A' < 26 {
			dst[start+i] = c | 0x20
		}
	}
	return dst
}
