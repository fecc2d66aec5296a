package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/backends/httpagent"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

const (
	scriptedName  = "scripted"
	commandPrefix = "cmd:"
	keyVariable   = "ROLLMILL_API_KEY"
)

// newAgent makes the agent that --agent names. end ends what it has started.
func (f *simulateFlags) newAgent(list []tools.Tool) (a agent.Agent, end func(), err error) {
	switch {
	case f.agent == scriptedName:
		a, err = f.scripted()
		return a, func() {}, err
	case strings.HasPrefix(f.agent, commandPrefix):
		words, err := splitWords(strings.TrimPrefix(f.agent, commandPrefix))
		if err != nil || len(words) == 0 {
			return nil, nil, usagef("--agent %s: want a program and its arguments, with quotes that close", f.agent)
		}
		c, err := agent.NewCommand(words[0], words[1:]...)
		if err != nil {
			return nil, nil, usagef("--agent %s: %s", f.agent, strings.TrimPrefix(err.Error(), agent.ErrCommand.Error()+": "))
		}
		return c, func() { _ = c.Close() }, nil
	case strings.HasPrefix(f.agent, "http://"), strings.HasPrefix(f.agent, "https://"):
		return f.server(list)
	}
	return nil, nil, usagef("--agent %s: want scripted, cmd:PROGRAM ARGS, or a URL such as http://localhost:8000/v1", f.agent)
}

func (f *simulateFlags) scripted() (agent.Agent, error) {
	var behaviors []agent.Behavior
	for _, b := range f.behaviors {
		behaviors = append(behaviors, agent.Behavior(b))
	}
	a, err := agent.NewScripted(f.rate, behaviors...)
	if err != nil {
		return nil, usagef("--agent scripted: %s", strings.TrimPrefix(err.Error(), agent.ErrScripted.Error()+": "))
	}
	return a, nil
}

func (f *simulateFlags) server(list []tools.Tool) (a agent.Agent, end func(), err error) {
	c, err := httpagent.New(httpagent.Config{URL: f.agent, Model: f.model, Key: os.Getenv(keyVariable)})
	if err != nil {
		return nil, nil, usagef("--agent %s: %s", f.agent, strings.TrimPrefix(err.Error(), httpagent.ErrConfig.Error()+": "))
	}
	name := f.model
	if u, err := url.Parse(f.agent); name == "" && err == nil {
		name = u.Host
	}
	return newServer(c, name, list), c.Close, nil
}

func newServer(c *httpagent.Client, name string, list []tools.Tool) *server {
	s := &server{client: c, name: name}
	list = slices.Clone(list)
	for i := range list {
		list[i].Human = false // a word of ours that servers do not know
	}
	if len(list) > 0 {
		s.tools = tools.Schemas(list)
	}
	return s
}

// server is an agent that is a server of chat completions.
type server struct {
	client *httpagent.Client
	name   string
	tools  string
}

func (s *server) Name() string { return s.name }

func (s *server) Waits() bool { return true }

func (s *server) Reply(ctx context.Context, c *agent.Conversation) (agent.Reply, error) {
	r := httpagent.Request{
		Messages: c.Messages, Tools: s.tools,
		Draw: fmt.Sprintf("%d %s %d %d %d", c.Task.Seed, c.Task.ID, c.Task.Index, c.Task.Attempt, c.Turn),
	}
	if c.System != "" {
		r.Messages = append([]rollout.Message{{Role: rollout.RoleSystem, Content: c.System}}, c.Messages...)
	}
	reply, err := s.client.Complete(ctx, r)
	if err != nil {
		return agent.Reply{}, err
	}
	out := agent.Reply{Text: reply.Text, Calls: reply.Calls, InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens}
	if reply.Finish == "length" {
		out.Finish = reply.Finish
	}
	return out, nil
}

// splitWords splits a command line into words as a shell does: at spaces, but
// not within quotes, of which single ones hold everything as it is.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	quote, within := rune(0), false
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, within = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, within = r, true
		case r == ' ' || r == '\t':
			if within {
				words = append(words, word.String())
			}
			word.Reset()
			within = false
		default:
			word.WriteRune(r)
			within = true
		}
	}
	if quote != 0 || escaped {
		return nil, fmt.Errorf("a quote does not close")
	}
	if within {
		words = append(words, word.String())
	}
	return words, nil
}
