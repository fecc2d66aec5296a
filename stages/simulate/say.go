package simulate

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/agent"
)

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
