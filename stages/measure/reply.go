package measure

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
)

// replyOf is what the agent said last: the final text, else the last message of
// the assistant that is not blank, else "" (spec of statistics, section 3.4).
// ok is false for a row that has neither a final text nor messages.
func replyOf(r *rollout.Row) (reply string, ok bool) {
	if strings.TrimSpace(r.FinalText) != "" {
		return r.FinalText, true
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := &r.Messages[i]; m.Role == rollout.RoleAssistant && strings.TrimSpace(m.Content) != "" {
			return m.Content, true
		}
	}
	return "", r.FinalText != "" || r.Has(rollout.FieldFinalText) || len(r.Messages) > 0 || r.Has(rollout.FieldMessages)
}

const (
	thinkOpens  = "<think>"
	thinkCloses = "</think>"
)

// spoken is a reply without its reasoning, which stands between <think> and
// </think>. A reply may end inside it; unclosed then is true.
func spoken(reply string) (said string, unclosed bool) {
	before, rest, opened := strings.Cut(reply, thinkOpens)
	if !opened {
		return reply, false
	}
	var b strings.Builder
	for opened {
		b.WriteString(before)
		_, after, closed := strings.Cut(rest, thinkCloses)
		if !closed {
			return b.String(), true
		}
		before, rest, opened = strings.Cut(after, thinkOpens)
	}
	b.WriteString(before)
	return b.String(), false
}

// replyLength is how long a row's replies are in characters: what the messages
// of the assistant hold, and the final text where it is not the last of them
// (spec of statistics, section 3.5).
func replyLength(r *rollout.Row) int {
	n, last := 0, ""
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Role == rollout.RoleAssistant {
			n += utf8.RuneCountInString(m.Content)
			last = m.Content
		}
	}
	if r.FinalText != last {
		n += utf8.RuneCountInString(r.FinalText)
	}
	return n
}
