package main

import (
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/agent"
)

const (
	scriptedName  = "scripted"
	commandPrefix = "cmd:"
)

// newAgent makes the agent that --agent names. end ends what it has started.
func (f *simulateFlags) newAgent() (a agent.Agent, end func(), err error) {
	end = func() {}
	switch {
	case f.agent == scriptedName:
		var behaviors []agent.Behavior
		for _, b := range f.behaviors {
			behaviors = append(behaviors, agent.Behavior(b))
		}
		if a, err = agent.NewScripted(f.rate, behaviors...); err != nil {
			return nil, end, usagef("--agent scripted: %s", strings.TrimPrefix(bare(err), agent.ErrScripted.Error()+": "))
		}
		return a, end, nil
	}
	return nil, end, usagef("--agent %q: want scripted, cmd:PROGRAM ARGS, or a URL such as http://localhost:8000/v1", f.agent)
}

const commandProtocol = ""
