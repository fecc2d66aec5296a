package simulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/stages/simulate/agent"
)

// keyOf names an answer by what it was asked for.
func keyOf(c *agent.Conversation) xxh3.Uint128 {
	t := &c.Task
	return xxh3.HashString128(fmt.Sprintf("%d\x00%s\x00%s\x00%d\x00%d\x00%d", t.Seed, t.ID, t.Prompt, t.Index, t.Attempt, c.Turn))
}

// agent returns an agent that asks a only for what the journal does not know.
func (j *journal) agent(a agent.Agent) agent.Agent { return &remembering{a, j} }

type remembering struct {
	agent.Agent
	journal *journal
}

// Waits says what the agent says.
func (r *remembering) Waits() bool { return agent.Waits(r.Agent) }

func (r *remembering) Reply(ctx context.Context, c *agent.Conversation) (agent.Reply, error) {
	key := keyOf(c)
	e, ok, err := r.journal.find(key)
	switch {
	case err != nil:
		return agent.Reply{}, err
	case ok && e.Timeout:
		return agent.Reply{}, fmt.Errorf("%s: %w", e.Error, context.DeadlineExceeded)
	case ok && e.Error != "":
		return agent.Reply{}, errors.New(e.Error)
	case ok:
		return agent.ParseReply(e.Reply)
	}
	reply, failure := r.ask(ctx, c)
	if failure != nil && ctx.Err() != nil && context.Cause(ctx) != errLate {
		return agent.Reply{}, failure // the run was stopped: this says nothing of the agent
	}
	e = entry{Key: formatKey(key), Task: c.Task.ID, Index: c.Task.Index, Attempt: c.Task.Attempt, Turn: c.Turn}
	if failure != nil {
		text := failure.Error()
		e.Error, e.Timeout = text[:min(len(text), maxErrorText)], errors.Is(failure, context.DeadlineExceeded)
	} else if e.Reply, err = agent.AppendReply(nil, &reply); err != nil {
		return agent.Reply{}, err
	}
	if err := r.journal.keep(e); err != nil {
		return agent.Reply{}, err
	}
	return reply, failure
}

// ask asks the agent. A panic of it is an error of it.
func (r *remembering) ask(ctx context.Context, c *agent.Conversation) (reply agent.Reply, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return r.Agent.Reply(ctx, c)
}
