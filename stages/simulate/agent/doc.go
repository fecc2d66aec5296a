// Package agent is what a simulation tests: something that answers in a
// conversation, with words or with calls of tools. A Go function is an agent,
// and so is a program that speaks JSON lines; Scripted is one that misbehaves
// on purpose and says so, to try the rest of the line on.
//
//	a := agent.Func("mine", func(ctx context.Context, c *agent.Conversation) (agent.Reply, error) {
//		return agent.Reply{Text: "I cannot do that."}, nil
//	})
package agent
