package selection

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// IncompleteJunk reports whether a row is broken: no reply, a fault of the
// harness, a reply that breaks off or repeats, text of the generator's own in
// it, a conversation that ends on no reply (spec of gates, section 5.1). A long
// reply that is cut off counts unless it is marked as overlong, and a user's last
// message does not count when it is tau-bench's word for the end.
func IncompleteJunk(r *rollout.Row) bool {
	var x reader
	x.begin(r)
	return x.junk(truthy(member(r, "overlong")))
}

const (
	agentError   = "<agent error"
	longReply    = 600 // characters from which on a reply has to look finished
	longestRun   = 30  // times a character may not stand in a row
	shortRequest = 2   // words of a prompt that a question back is no answer to
)

func (x *reader) junk(overlong bool) bool {
	final := text.Trim(x.FinalText())
	x.lower = text.Trim(x.Lowered()) // white space has no case
	lower := x.lower
	calls := x.callsTool()
	switch {
	case final == "",
		strings.HasPrefix(lower, agentError),
		!calls && isStub(final, lower),
		repeats(final),
		strings.IndexByte(final, '<') >= 0 && strings.Contains(final, "<USER_TURN>"),
		namesScene(lower),
		x.showsMarkup(),
		!overlong && len(final) > longReply && !text.LooksFinished(final) && utf8.RuneCountInString(final) > longReply:
		return true
	}
	messages := x.Messages()
	if len(messages) == 0 {
		return !calls
	}
	switch last := &messages[len(messages)-1]; last.Role {
	case rollout.RoleUser:
		if !hangsUp(last.Text()) {
			return true
		}
	case rollout.RoleTool:
		return true
	}
	return !calls && strings.HasSuffix(final, "?") && text.CountFields(x.Row().Prompt) <= shortRequest
}

// hangsUp tells whether a user's message is the word by which the simulated users of
// tau-bench end a conversation: they have their reply. The reference knows no such
// word, and takes every conversation of tau-bench for one that breaks off.
func hangsUp(said string) bool {
	return strings.Contains(said, "###STOP###") || strings.Contains(said, "###TRANSFER###")
}

// callsTool tells whether a step or a message calls a tool.
func (x *reader) callsTool() bool {
	if x.ToolCalls() > 0 {
		return true
	}
	messages := x.Row().Messages
	for i := range messages {
		if len(messages[i].ToolCalls) > 0 {
			return true
		}
	}
	return false
}

// stub is what stands in for a reply when a service failed.
var stub = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\breturned\s+[45][0-9][0-9]\b|^(?:https?://\S+\s+)?[45][0-9][0-9](?:\s|$)`)
})

// isStub tells whether a text, here in lower case too, looks like the answer of a
// service that failed. A cheap look rules out nearly all texts first.
func isStub(s, lower string) bool {
	if strings.IndexByte(s, '4') < 0 && strings.IndexByte(s, '5') < 0 {
		return false
	}
	starts := s[0] == '4' || s[0] == '5' || s[0]|0x20 == 'h'
	return (starts || text.Contains(lower, "returned")) && stub().MatchString(s)
}

// repeats tells whether one character other than a line end stands longestRun
// times in a row.
func repeats(s string) bool {
	if !mayRepeat(s) {
		return false
	}
	var last rune = -1
	n := 0
	for _, c := range s {
		if c != last {
			last, n = c, 0
		}
		if n++; n == longestRun && c != '\n' {
			return true
		}
	}
	return false
}

// mayRepeat is a cheap look ahead of repeats: a run of longestRun characters has
// three equal bytes, or one beyond ASCII, at some multiple of half its length.
func mayRepeat(s string) bool {
	for i := 0; i+longestRun/2 <= len(s); i += longestRun / 2 {
		if c := s[i]; c >= utf8.RuneSelf || c == s[i+1] && c == s[i+2] {
			return true
		}
	}
	return false
}

// sceneWords are names from the generator's own instructions, first those
// without an underscore.
var sceneWords = []string{"scene brief", "situation card", "scenario_dimensions", "world_state", "region_id"}

// namesScene tells whether a text in lower case holds one of them as whole words.
func namesScene(s string) bool {
	words := sceneWords
	if strings.IndexByte(s, '_') < 0 {
		words = words[:2]
	}
	for _, word := range words {
		for from := 0; ; {
			i := text.Index(s[from:], word)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(word)
			before, _ := utf8.DecodeLastRuneInString(s[:start])
			after, _ := utf8.DecodeRuneInString(s[end:])
			if (start == 0 || !text.IsWord(before)) && (end == len(s) || !text.IsWord(after)) {
				return true
			}
			from = start + 1
		}
	}
	return false
}

// showsMarkup tells whether a call that was meant for the harness, or a dumped
// schema of a tool, stands in what can be seen.
func (x *reader) showsMarkup() bool {
	if hasMarkup(x.FinalText()) {
		return true
	}
	for said := range x.Said() {
		if !x.IsFinal(said) && hasMarkup(said) {
			return true
		}
	}
	steps := x.Steps()
	for i := range steps {
		if hasMarkup(textOf(steps[i].Text)) {
			return true
		}
	}
	return false
}

// dumpedSchema is a tool's schema in the open.
var dumpedSchema = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)"name"\s*:\s*"[^"]*".{0,500}?"description"\s*:.{0,500}?"parameters"\s*:`)
})

func hasMarkup(s string) bool {
	if strings.IndexByte(s, '<') >= 0 && (strings.Contains(s, "<tool_call>") || strings.Contains(s, "</tool_call>")) {
		return true
	}
	// Few replies hold a quoted name, so the expression is seldom asked.
	return hasFold(s, `"parameters"`) && dumpedSchema().MatchString(s)
}

// hasFold tells whether s holds a quoted word in any case of its ASCII letters.
func hasFold(s, word string) bool {
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 || len(s)-i < len(word) {
			return false
		}
		if strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
		s = s[i+1:]
	}
}
