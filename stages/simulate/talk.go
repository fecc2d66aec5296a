package simulate

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/world"
)

// Lost is why a rollout is no row: the machinery failed, or what came back is
// nothing that could be judged.
type Lost string

// The reasons for which a rollout is run again, or lost.
const (
	LostError   Lost = "agent_error"
	LostTimeout Lost = "timeout"
	LostEmpty   Lost = "empty_reply"
	LostMarkup  Lost = "tool_markup" // calls of tools as text, or a dump of their schemas
)

// LostReasons returns the reasons.
func LostReasons() []Lost { return []Lost{LostError, LostTimeout, LostEmpty, LostMarkup} }

// talk is one conversation, and the room for the next.
type talk struct {
	plan   *plan
	world  *world.World
	reader behaviour.Reader

	task  *task
	conv  agent.Conversation
	steps []byte // JSON text, without its last bracket
	heard int    // where lines of the person begin that nobody has answered; 0 for none
	said  int    // lines of the person
	spoke int    // answers of the agent

	text      string // what the agent said last
	last      bool   // it stands behind the last step that called a tool
	preamble  bool   // the agent was let go on behind one
	calls     int
	truncated bool
	failing   bool // some call came to nothing
	finish    string
	ended     string
	seeded    []string
	input     int64
	output    int64
	counts    []callCount // by tool of the plan
	used      []int       // places of the tools that were called, in order of their first call
	unknown   []string    // names of called tools that there are not
}

// callCount counts the calls of a tool.
type callCount struct{ calls, succeeded, faulted int }

func newTalk(p *plan) *talk {
	return &talk{plan: p, world: p.catalog.World("", nil), counts: make([]callCount, len(p.Tools))}
}

// begin makes the talk ready for a rollout.
func (t *talk) begin(of *task, index, attempt int) {
	t.world.Reset(of.state, of.plan)
	clear(t.counts)
	t.task, t.steps, t.heard, t.said, t.spoke = of, append(t.steps[:0], '['), 0, 1, 0
	t.text, t.last, t.preamble, t.calls, t.truncated, t.failing = "", false, false, 0, false, false
	t.finish, t.ended, t.seeded, t.input, t.output = "", "", nil, 0, 0
	t.used, t.unknown = t.used[:0], t.unknown[:0]
	c := &t.conv
	c.Task = agent.Task{
		ID: of.id, Prompt: of.prompt, Index: index, Attempt: attempt, Seed: t.plan.Seed + int64(of.run), Privileged: of.privileged,
	}
	c.System, c.Tools, c.Turn = t.plan.System, t.plan.Tools, 0
	c.Messages = append(c.Messages[:0], rollout.Message{Role: rollout.RoleUser, Content: of.opening})
}

// run holds the conversation (spec of simulation, section 13.1). lost says why
// nothing can be made of it, and cause what the agent said of that; err is an
// error of the run.
func (t *talk) run(ctx context.Context) (lost Lost, cause, err error) {
	more := t.task.more
	limit := t.plan.MaxTurns
	for ; t.conv.Turn < limit; t.conv.Turn++ {
		reply, err := t.answer(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return "", nil, context.Cause(ctx)
		case errors.Is(err, ErrCheckpoint):
			return "", nil, err
		case errors.Is(err, context.DeadlineExceeded):
			return LostTimeout, err, nil
		case err != nil:
			return LostError, err, nil
		}
		t.note(&reply)
		switch {
		case len(reply.Calls) > 0:
			if err := t.call(ctx, &reply); err != nil {
				return "", nil, err
			}
			if t.conv.Turn+1 == limit && limit == t.plan.MaxTurns {
				limit++ // so that the agent can say what came of it
			}
			continue
		case blank(reply.Text):
			continue // once more, while there are turns
		case t.last && reply.Text == t.text && t.said >= 2:
			return t.verdict(), nil, nil
		}
		t.say(&reply)
		goes, err := t.goesOn(ctx, &more, t.conv.Turn+1 < limit)
		if err != nil {
			return "", nil, err
		}
		if !goes {
			break
		}
	}
	return t.verdict(), nil, nil
}

// errLate is why the context of an answer is done that took too long.
var errLate = errors.New("simulate: no answer in time")

// answer asks the agent. A panic of it is an error of it.
func (t *talk) answer(ctx context.Context) (reply agent.Reply, err error) {
	if t.plan.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, t.plan.Timeout, errLate)
		defer stop()
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	t.spoke++
	return t.plan.Agent.Reply(ctx, &t.conv)
}

// note keeps what an answer says about itself.
func (t *talk) note(r *agent.Reply) {
	if !utf8.ValidString(r.Text) {
		r.Text = valid(r.Text)
	}
	t.truncated = t.truncated || r.Finish == "length"
	if r.Finish != "" {
		t.finish = r.Finish
	}
	if r.Ended != "" {
		t.ended = r.Ended
	}
	if r.Seeded != nil {
		t.seeded = append(t.seeded, r.Seeded...)
		if t.seeded == nil {
			t.seeded = r.Seeded
		}
	}
	t.input += r.InputTokens
	t.output += r.OutputTokens
}
