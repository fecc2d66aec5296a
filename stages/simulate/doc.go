// Package simulate turns tools and a system prompt into rollouts: it plans
// situations, writes what people say in them, lets an agent answer against a
// world that fails on purpose, and gives rows whose faults are known (spec of
// simulation). It is a source of rows; nothing waits for the whole.
//
//	s, err := simulate.New(simulate.Config{Tools: tools, Agent: scripted, Mode: simulate.RL, Budget: 1000})
//	rows := stream.From[rollout.Row](s)
//	... // send them on, and run the flow
//	fmt.Println(s.Report().Stopped)
//
// Every draw follows from the seed and from what it is about, so the same
// configuration gives the same rows on any number of workers. Below it, package
// grid plans situations, writer writes messages, world answers calls, and agent
// holds what is tested.
package simulate
