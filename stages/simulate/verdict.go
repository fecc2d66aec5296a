package simulate

import "strings"

// verdict says whether the conversation is a row.
func (t *talk) verdict() Lost {
	final := t.final()
	switch {
	case final == "" && t.calls == 0:
		return LostEmpty
	case isMarkup(final):
		return LostMarkup
	}
	return ""
}

// final returns the final text: what the agent said last, unless it has called
// a tool since.
func (t *talk) final() string {
	if t.last {
		return t.text
	}
	return ""
}

// finishReason returns why the conversation ended (spec of simulation, section
// 19.1).
func (t *talk) finishReason() string {
	switch {
	case t.truncated:
		return "length"
	case t.finish == "stop" || t.finish == "length" || t.finish == "tool" || t.finish == "error":
		return t.finish
	case !t.last && t.calls > 0:
		return "tool"
	}
	return "stop"
}

// dumpSpan is how near the parts of a schema stand in a dump of it, in bytes.
const dumpSpan = 500

// isMarkup reports whether a text holds the call of a tool as raw tags, or a
// dump of tool schemas (spec of simulation, section 14.2).
func isMarkup(s string) bool {
	if strings.IndexByte(s, '<') >= 0 && anyOf(s, []string{"<tool_call>", "</tool_call>", "<tool_response>", "<function=", "<|tool_call|>"}) {
		return true
	}
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, `"name"`)
		if !ok {
			return false
		}
		near := after[:min(len(after), dumpSpan)]
		if strings.Contains(near, `"description"`) && strings.Contains(near, `"parameters"`) {
			return true
		}
		rest = after
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
