package agent

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// Task is what a conversation is about; an agent that draws at random draws
// from it, so that a rollout can be repeated.
type Task struct {
	ID         string // scenario id
	Prompt     string // the first message of the person
	Index      int    // number of the rollout within its task
	Attempt    int    // how often the rollout was begun before and came to nothing
	Seed       int64  // of the simulation
	Privileged string // JSON text of what only the grader may know; "" for nothing
}

// Conversation is what an agent sees before it answers. It is used again when
// the agent has answered: what is kept must be copied.
type Conversation struct {
	Task     Task
	System   string       // the system prompt; "" for none
	Tools    []tools.Tool // not to be changed
	Messages []rollout.Message
	Turn     int // number of the answer, from 0
}

// Reply is an answer: words, calls of tools, or both.
type Reply struct {
	Text  string
	Calls []rollout.ToolCall // with a name and the JSON text of an object as arguments
	// Finish is why the agent stopped: "length" marks an answer that was cut
	// off; "" leaves it to the conversation.
	Finish string
	// Ended says that nobody will speak again, as "user_left".
	Ended string
	// Seeded names the faults that an agent planted on purpose; it is nil from
	// agents that do not.
	Seeded []string
	// Tokens that the answer cost, 0 where nobody counts.
	InputTokens, OutputTokens int64
}

// Agent answers in conversations; it must be safe for concurrent use, and heed
// the context.
type Agent interface {
	// Name says which agent and version it is; rows keep it as model_version.
	Name() string
	// Reply answers once. An error means that there is no answer: the rollout
	// is repeated or lost, and never scored.
	Reply(ctx context.Context, c *Conversation) (Reply, error)
}

// Waiter is an Agent that mostly waits, such as for a process or a network. Its
// calls run many at a time; those of other agents share the processors.
type Waiter interface {
	Agent
	Waits() bool
}

// Waits reports whether an agent mostly waits.
func Waits(a Agent) bool {
	w, ok := a.(Waiter)
	return ok && w.Waits()
}

// Func makes an agent of a function.
func Func(name string, reply func(ctx context.Context, c *Conversation) (Reply, error)) Agent {
	return function{name, reply}
}

type function struct {
	name  string
	reply func(ctx context.Context, c *Conversation) (Reply, error)
}

func (f function) Name() string { return f.name }

func (f function) Reply(ctx context.Context, c *Conversation) (Reply, error) { return f.reply(ctx, c) }
