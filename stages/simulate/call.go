package simulate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

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
	var o rollout.Object
	o.Text("answer", line)
	return o.String(), nil
}

// execute runs the function of a tool. What it returns is JSON text; an error
// is a result that says so.
func execute(ctx context.Context, tool *tools.Tool, arguments string) string {
	result, err := tool.Call(ctx, arguments)
	if err == nil && jsontext.Value(result).IsValid() {
		return result
	}
	var o rollout.Object
	o.Text("status", "error")
	if err == nil {
		o.Text("reason", "the tool answered with no JSON")
	} else {
		o.Text("reason", err.Error())
	}
	return o.String()
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
