// Package world answers an agent's tool calls without a backend: a mock world
// whose records follow from their ids, that remembers what a rollout did to it,
// and that fails on purpose (spec of simulation, section 11).
//
//	catalog := world.NewCatalog(tools, world.Options{Seed: 1})
//	w := catalog.World("entity exists", world.Plan{{Tool: world.AnyTool, Mode: world.Timeout, Rate: 1}})
//	result := w.Call("get_order", `{"order_id":"A1002"}`) // {"status":"timeout", ...}
//
// One world belongs to one rollout. The same calls in the same order give the
// same results for the same seed, wherever and whenever they are made.
package world
