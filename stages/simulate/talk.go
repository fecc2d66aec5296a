package simulate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
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

// say puts words of the agent down.
func (t *talk) say(r *agent.Reply) {
	t.conv.Messages = append(t.conv.Messages, rollout.Message{Role: rollout.RoleAssistant, Content: r.Text})
	t.heard = 0
	t.step()
	t.steps = rollout.AppendText(append(t.steps, `{"text":`...), r.Text)
	t.facts(r)
	t.steps = append(t.steps, '}')
	t.text, t.last = r.Text, true
}

// hear puts words of the person down.
func (t *talk) hear(line string) {
	if t.heard == 0 {
		t.heard = len(t.steps)
	}
	t.conv.Messages = append(t.conv.Messages, rollout.Message{Role: rollout.RoleUser, Content: line})
	t.step()
	t.steps = append(rollout.AppendText(append(t.steps, `{"user":`...), line), '}')
	t.said++
}

// goesOn decides whether the agent answers once more when it has spoken, and
// lets the person say something first.
func (t *talk) goesOn(ctx context.Context, more *[]string, room bool) (bool, error) {
	switch {
	case t.ended != "" || !room:
		return false, nil
	case t.calls == 0 && !t.preamble && len(t.plan.Tools) > 0 && isPreamble(t.text):
		t.preamble = true
		return true, nil
	case len(*more) > 0:
		t.hear((*more)[0])
		*more = (*more)[1:]
		return true, nil
	case t.plan.User == nil:
		return false, nil
	}
	line, left, err := t.plan.User.Next(ctx, &t.conv, t.said)
	if err != nil {
		return false, fmt.Errorf("simulate: %s: %w", t.plan.User.Name(), err)
	}
	if left {
		t.ended = "user_left"
	}
	if line == "" {
		return false, nil
	}
	t.hear(line)
	return true, nil
}

// answered returns the steps without lines of the person that nobody answered.
func (t *talk) answered() []byte {
	if t.heard > 0 {
		return t.steps[:t.heard]
	}
	return t.steps
}

// step begins a step.
func (t *talk) step() {
	if len(t.steps) > 1 {
		t.steps = append(t.steps, ',')
	}
}

// facts puts down what is known of an answer, in its first step.
func (t *talk) facts(r *agent.Reply) {
	if r.Finish == "length" {
		t.steps = append(t.steps, `,"truncated":true`...)
	}
	if r.InputTokens > 0 || r.OutputTokens > 0 {
		t.steps = append(t.steps, `,"input_tokens":`...)
		t.steps = append(t.steps, rollout.Integer(r.InputTokens).Text...)
		t.steps = append(t.steps, `,"output_tokens":`...)
		t.steps = append(t.steps, rollout.Integer(r.OutputTokens).Text...)
	}
}

// call puts an answer down that calls tools, and lets them answer.
func (t *talk) call(ctx context.Context, r *agent.Reply) error {
	m := rollout.Message{Role: rollout.RoleAssistant, Content: r.Text, ToolCalls: r.Calls}
	if r.Text == "" {
		m.NoContent = rollout.Null
	}
	t.conv.Messages = append(t.conv.Messages, m)
	t.heard = 0
	for i := range r.Calls {
		c := &r.Calls[i]
		t.complete(c, i)
		arguments, state := c.ArgumentsObject()
		if state == rollout.ArgumentsInvalid {
			arguments = "{}"
		}
		result, err := t.result(ctx, c.Name, arguments)
		if err != nil {
			return err
		}
		t.conv.Messages = append(t.conv.Messages, rollout.Message{
			Role: rollout.RoleTool, Name: c.Name, ToolCallID: c.ID, Content: result,
		})
		t.step()
		t.steps = rollout.AppendText(append(t.steps, `{"tool":`...), c.Name)
		t.steps = append(append(t.steps, `,"arguments":`...), arguments...)
		t.steps = append(append(t.steps, `,"result":`...), result...)
		if i == 0 {
			if r.Text != "" {
				t.steps = rollout.AppendText(append(t.steps, `,"text":`...), r.Text)
			}
			t.facts(r)
		}
		t.steps = append(t.steps, '}')
	}
	t.calls += len(r.Calls)
	t.last = false
	return nil
}

// complete gives a call what the conversation needs of it: valid text, a type,
// and an id of its own.
func (t *talk) complete(c *rollout.ToolCall, i int) {
	if !utf8.ValidString(c.Name) || !utf8.ValidString(c.Arguments) || !utf8.ValidString(c.ID) {
		c.Name, c.Arguments, c.ID = valid(c.Name), valid(c.Arguments), valid(c.ID)
	}
	if c.Type == "" {
		c.Type = "function"
	}
	if c.ID == "" {
		c.ID = "call_" + strconv.Itoa(t.calls+i)
	}
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// result lets a tool answer a call: the person, the function behind it, or the
// world, whose faults come before both. It is JSON text.
func (t *talk) result(ctx context.Context, name, arguments string) (string, error) {
	at := t.place(name)
	if at < 0 {
		t.unknown = append(t.unknown, name)
		t.failing = true
		return t.world.Call(name, arguments), nil
	}
	tool := &t.plan.Tools[at]
	n := &t.counts[at]
	if n.calls++; n.calls == 1 {
		t.used = append(t.used, at)
	}
	if tool.Human {
		return t.ask(ctx, tool, arguments)
	}
	before := t.world.Faults()
	var result string
	if fault, failed := "", false; tool.Callable() {
		if fault, failed = t.world.Fault(name, arguments); failed {
			result = fault
		} else {
			result = execute(ctx, tool, arguments)
		}
	} else {
		result = t.world.Call(name, arguments)
	}
	status := statusOf(result)
	switch faulted := t.world.Faults() > before; {
	case faulted:
		n.faulted++
		t.failing = true
	case status == "" || status == "ok" || status == "created" || status == "deleted":
		n.succeeded++
	default:
		t.failing = true
	}
	return result, nil
}

// place returns the place of a tool in the plan, -1 when there is none of that
// name.
func (t *talk) place(name string) int {
	for i := range t.plan.Tools {
		if t.plan.Tools[i].Name == name {
			return i
		}
	}
	return -1
}

// noReply is what a tool that asks people gets when nobody says anything.
const noReply = "(no reply yet)"

// ask lets the person answer a tool.
func (t *talk) ask(ctx context.Context, tool *tools.Tool, arguments string) (string, error) {
	line := ""
	if t.plan.User != nil {
		var err error
		if line, err = t.plan.User.Answer(ctx, &t.conv, tool.Name, arguments); err != nil {
			return "", fmt.Errorf("simulate: %s: %w", t.plan.User.Name(), err)
		}
	}
	if line == "" {
		line = noReply
	}
	t.said++
	var o object
	o.text("answer", line)
	return o.close(), nil
}

// execute runs the function of a tool. What it returns is JSON text; an error
// is a result that says so.
func execute(ctx context.Context, tool *tools.Tool, arguments string) string {
	result, err := tool.Call(ctx, arguments)
	if err == nil && jsontext.Value(result).IsValid() {
		return result
	}
	var o object
	o.text("status", "error")
	if err == nil {
		o.text("reason", "the tool answered with no JSON")
	} else {
		o.text("reason", err.Error())
	}
	return o.close()
}

// statusOf returns the status with which the result of the world begins, "" for
// another result.
func statusOf(result string) string {
	rest, ok := strings.CutPrefix(result, `{"status":"`)
	if !ok {
		return ""
	}
	status, _, _ := strings.Cut(rest, `"`)
	return status
}

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
