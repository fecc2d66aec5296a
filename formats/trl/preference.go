package trl

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// AppendPreference appends two rollouts of one prompt as DPOTrainer takes them: as
// prompt the messages that both share, as chosen and rejected the reply in which
// they first differ. What follows is cut: behind another reply it is another
// conversation. Where a tool answered differently first, so that no one reply is to
// be compared, chosen and rejected are all that follows the prompt from the last
// shared reply on. The error wraps [ErrShape]: one has no reply, or a call with
// arguments that are no object.
func AppendPreference(dst []byte, chosen, rejected *rollout.Row) ([]byte, error) {
	c, err := linesOf(chosen)
	if err != nil {
		return dst, err
	}
	r, err := linesOf(rejected)
	if err != nil {
		return dst, err
	}
	from, whole := c.fork(r)
	other := from
	if from < 0 { // the prompts are not written alike
		from, other, whole = c.reply(), r.reply(), true
	}
	var o rollout.Object
	o.RawBytes("prompt", joined(c.json[:from]))
	o.RawBytes("chosen", c.from(from, whole))
	o.RawBytes("rejected", r.from(other, whole))
	addTools(&o, chosen)
	o.RawBytes("chosen_score", number(chosen.Reward.Num))
	o.RawBytes("rejected_score", number(rejected.Reward.Num))
	o.RawBytes("margin", number(stats.Round(chosen.Reward.Num-rejected.Reward.Num, 6)))
	return o.AppendTo(dst), nil
}

// script is a conversation, message by message.
type script struct {
	json    [][]byte
	alike   [][]byte // the same without the ids of calls, which say nothing
	replies []bool   // it is one of the agent
}

// linesOf is the conversation of a row up to its last reply.
func linesOf(r *rollout.Row) (s script, err error) {
	messages := spoken(r)
	for i := range messages {
		one, err := appendMessage(nil, &messages[i])
		if err != nil {
			return s, err
		}
		bare, _ := appendMessage(nil, anonymous(messages[i])) // as well formed as the other
		s.json, s.alike = append(s.json, one), append(s.alike, bare)
		s.replies = append(s.replies, messages[i].Role == rollout.RoleAssistant)
	}
	end := len(s.json)
	for end > 0 && !s.replies[end-1] {
		end--
	}
	if end == 0 {
		return s, unfit("nobody replies in it")
	}
	s.json, s.alike, s.replies = s.json[:end], s.alike[:end], s.replies[:end]
	return s, nil
}

// anonymous is a message without the ids of calls.
func anonymous(m rollout.Message) *rollout.Message {
	m.ToolCallID, m.ToolCalls = "", slices.Clone(m.ToolCalls)
	for i := range m.ToolCalls {
		m.ToolCalls[i].ID = ""
	}
	return &m
}

// fork is the message from which on two conversations are to be compared, a reply
// in both; -1 when there is none. whole tells that this reply is the same in both.
func (s *script) fork(o script) (from int, whole bool) {
	for from < len(s.json) && from < len(o.json) && bytes.Equal(s.alike[from], o.alike[from]) {
		from++
	}
	for ; from >= 0; from-- {
		if from < len(s.json) && from < len(o.json) && s.replies[from] && o.replies[from] {
			return from, whole
		}
		whole = true
	}
	return -1, true
}

// reply is the first reply.
func (s *script) reply() int {
	for i, is := range s.replies {
		if is {
			return i
		}
	}
	return len(s.json)
}

// from is one message as a list, or all from it on.
func (s *script) from(i int, whole bool) []byte {
	if whole {
		return joined(s.json[i:])
	}
	return joined(s.json[i : i+1])
}

func joined(list [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(list, []byte{','})...), ']')
}

func number(x float64) []byte { return fmt.Appendf(nil, "%v", x) }
