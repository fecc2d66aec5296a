package stream

import (
	"context"
	"runtime/pprof"
)

// StageLabel is the key under which a CPU profile of a flow tells the stage that
// each of its samples worked for: go tool pprof -tagfocus stage=grade. Labels of
// the context that a flow was started with stand beside it.
const StageLabel = "stage"

// profiled makes the labels of the nodes, once they have their names.
func profiled(ctx context.Context, nodes []*node) {
	for _, n := range nodes {
		n.labels = pprof.WithLabels(ctx, pprof.Labels(StageLabel, n.name))
	}
}

// profile says that the goroutine that calls it works for the node from now on,
// and so do those that it starts. It costs a store.
func (n *node) profile() { pprof.SetGoroutineLabels(n.labels) }
