package agent

import (
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// Protocol describes what a program of [Command] reads and writes.
const Protocol = `A program that is an agent reads one JSON object a line from its standard input, and
answers each with one JSON object on one line of its standard output. It must flush
what it writes, ends when its input ends, and may write what it likes to its standard
error. Several copies run at a time; each gets one question at a time.

The question:
  {"id": 7,                       number of the question, for the answer
   "task": {"id": "sc-896494de2f", "index": 0, "attempt": 0, "seed": 1,
            "prompt": "Where is order A1001?"},
   "turn": 0,                     number of the answer within the conversation
   "system": "Help customers.",   left out when there is none
   "tools": [{"type": "function", "function": {"name", "description", "parameters"}}],
   "messages": [{"role": "user", "content": "Where is order A1001?"}, ...]}
Messages have the shape of OpenAI's chat completions: calls stand in tool_calls, with
their arguments as text, and a message of the role tool answers each.

The answer, with words, calls, or both:
  {"id": 7, "text": "I look it up.",
   "calls": [{"name": "get_order", "arguments": {"order_id": "A1001"}}]}
and optionally
   "finish": "length"             the answer was cut off
   "ended": "user_left"           nobody will speak again
   "seeded": ["hedging"]          faults that were planted on purpose
   "input_tokens": 120, "output_tokens": 11
or, when there is no answer,
  {"id": 7, "error": "the model is overloaded"}

Calls are answered and the conversation comes back with another turn; words alone end
it, unless the person answers. An error, an answer that is no such object, the end of
the program and no answer in time all make the rollout begin again, up to as many times
as its task has rollouts; then it counts as lost. A program that fails so is killed and
started anew.
`

// appendQuestion appends a question of the protocol with the end of its line.
func appendQuestion(dst []byte, id int64, c *Conversation) []byte {
	dst = strconv.AppendInt(append(dst, `{"id":`...), id, 10)
	dst = rollout.AppendText(append(dst, `,"task":{"id":`...), c.Task.ID)
	dst = strconv.AppendInt(append(dst, `,"index":`...), int64(c.Task.Index), 10)
	dst = strconv.AppendInt(append(dst, `,"attempt":`...), int64(c.Task.Attempt), 10)
	dst = strconv.AppendInt(append(dst, `,"seed":`...), c.Task.Seed, 10)
	dst = rollout.AppendText(append(dst, `,"prompt":`...), c.Task.Prompt)
	dst = strconv.AppendInt(append(dst, `},"turn":`...), int64(c.Turn), 10)
	if c.System != "" {
		dst = rollout.AppendText(append(dst, `,"system":`...), c.System)
	}
	dst = append(append(dst, `,"tools":`...), tools.Schemas(c.Tools)...)
	dst = rollout.AppendMessages(append(dst, `,"messages":`...), c.Messages)
	return append(dst, '}', '\n')
}
