package behaviour

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// TruncationFloor is from how many characters on a final text that does not
// look finished counts as cut off.
const TruncationFloor = 200

// Truncated reports whether the reply was cut off: the engine or a step says
// so, the grader says so, or a long final text does not look finished (spec of
// gates, section 1.6).
func (b *Reader) Truncated() bool {
	if b.row.FinishReason == "length" {
		return true
	}
	if b.extra.steps != "" { // those that messages tell of say nothing of it
		for i := range b.Steps() {
			if jsonwalk.Truthy(b.steps[i].Truncated) {
				return true
			}
		}
	}
	if reason := b.reason(); reason != "" {
		b.scratch = text.AppendNorm(b.scratch[:0], reason)
		if norm := view(b.scratch); strings.Contains(norm, "truncat") || strings.Contains(norm, "cut off") {
			return true
		}
	}
	final := text.TrimRight(b.final)
	return len(final) >= TruncationFloor && !text.LooksFinished(final) && text.Length(final) >= TruncationFloor
}

// reason returns what the record calls reason, else the grader's. A row has the
// grader's where there are both, and keeps both in Extra.
func (b *Reader) reason() string {
	if reason := b.strOr(b.extra.reason); reason != "" {
		return reason
	}
	return b.row.Reason
}
