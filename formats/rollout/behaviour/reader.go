package behaviour

import (
	"unsafe"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Fields are the fields of a row that a Reader reads. A row decoded with fewer
// reads as one that does not have the others.
const Fields = rollout.FieldPrompt | rollout.FieldMessages | rollout.FieldFinalText | rollout.FieldFinishReason |
	rollout.FieldReason | rollout.FieldPrivileged | rollout.FieldExtra

// Reader reads what an agent did from one row after the other. It parses the
// steps of a row once, when something that depends on them is first asked for,
// and keeps its buffers, so that it does not allocate once they have grown.
//
// What its methods return is valid until the next Read, and as long as the row
// stays as it is. The zero Reader is ready. It is not safe for concurrent use.
type Reader struct {
	row    *rollout.Row
	extra  members
	prompt string // as text, whatever its type
	final  string

	lowered  string // the final text in lower case, once it was read
	hasLower bool
	echo     *byte // of a message that was found to say the final text

	text    arena
	scratch []byte
	prior   prior
	spell   speller
	scan    jsonscan.Scanner // of texts within the row

	stepsRead, traceRead, actsRead, viewRead bool

	steps    []Step // of steps
	traced   []Step // of tool_trace, where steps is falsy
	acts     []Act
	view     []rollout.Message
	calls    []rollout.ToolCall
	raw      bool // tool results in the view are still JSON text
	assigned []provenance
	path     []string // to the privileged text that is looked for
}

// members are the parts of Extra that matter here, as JSON text.
type members struct {
	steps, toolTrace, opener, reason, faults, prompt, finalText, messages string
}

// Read turns the reader to a row.
func (b *Reader) Read(row *rollout.Row) {
	b.row = row
	b.extra = members{}
	b.text.reset()
	if cap(b.scratch) > arenaLimit {
		b.scratch = nil
	}
	if cap(b.prior.text) > arenaLimit {
		b.prior.text = nil
	}
	b.lowered, b.hasLower, b.echo = "", false, nil
	b.stepsRead, b.traceRead, b.actsRead, b.viewRead, b.raw = false, false, false, false, false
	for i := range row.Extra {
		m := &row.Extra[i]
		switch m.Name {
		case "steps":
			b.extra.steps = m.JSON
		case "tool_trace":
			b.extra.toolTrace = m.JSON
		case "opener":
			b.extra.opener = b.whole(m.JSON)
		case "reason":
			b.extra.reason = b.whole(m.JSON)
		case "faults":
			b.extra.faults = m.JSON
		case "prompt":
			b.extra.prompt = b.whole(m.JSON)
		case "final_text":
			b.extra.finalText = b.whole(m.JSON)
		case "messages":
			b.extra.messages = m.JSON
		}
	}
	b.prompt = b.orElse(row.Prompt, b.extra.prompt)
	b.final = b.orElse(row.FinalText, b.extra.finalText)
}

// orElse returns the text of a column, and where that is empty what the record
// has instead of a text, read as one.
func (b *Reader) orElse(column, json string) string {
	if column != "" || !jsonwalk.Truthy(json) {
		return column
	}
	return b.str(json)
}

// Row returns the row that was read last.
func (b *Reader) Row() *rollout.Row { return b.row }

// FinalText returns the final text of the row; a value that is none, as text.
func (b *Reader) FinalText() string { return b.final }

// Lowered returns the final text in lower case, see [text.Lower]. It is made once a row.
func (b *Reader) Lowered() string {
	if !b.hasLower {
		b.hasLower = true
		b.lowered = b.text.lower(b.final)
	}
	return b.lowered
}

// valid reports whether text is one whole JSON value, as those that a decoder
// put into a row are.
func (b *Reader) valid(text string) bool {
	b.scan.Reset(bytesOf(text))
	return b.scan.Valid()
}

// whole returns the text if it is valid, else "".
func (b *Reader) whole(text string) string {
	if !b.valid(text) {
		return ""
	}
	return text
}

// str reads a valid JSON value as Python's str() does: a text as it is, null as None,
// lists and objects as their repr.
func (b *Reader) str(json string) string {
	if json == "" {
		return ""
	}
	if json[0] == '"' {
		return b.text.unquote(json)
	}
	return b.text.keep(func(dst []byte) []byte { return b.spell.appendRepr(dst, json) })
}

// Text returns the text of a JSON string, such as a member of a step, and "" for
// any other value. json must be valid.
func (b *Reader) Text(json string) string {
	if len(json) < len(`""`) || json[0] != '"' {
		return ""
	}
	return b.text.unquote(json)
}

// strOr reads a JSON value as str(value or ""): "" for whatever counts as false.
func (b *Reader) strOr(json string) string {
	if !jsonwalk.Truthy(json) {
		return ""
	}
	return b.str(json)
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf is the inverse of view, for reading only.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
