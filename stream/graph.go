package stream

import (
	"context"
	"fmt"
	"reflect"
	"sync/atomic"
)

// node is one place of the graph: a source, a stage or a sink.
type node struct {
	name     string
	identity any // the value that a caller gave, to find it in two places
	in, out  []wire
	err      error             // what is wrong with it, found while building
	started  bool              // it ran, or runs
	work     func(*task) error // how it runs on its own
	step     *step             // how it runs fused with its neighbours; nil if it cannot
	inOrder  bool              // it reads its inputs one after the other
	handmade bool              // a caller wrote it
	task     *task             // what runs it; set at the start
	labels   context.Context   // of its goroutines in profiles

	workers               int          // goroutines that do its work, if more than 1
	waitIn, waitOut, busy atomic.Int64 // ns
	dropped, made         atomic.Int64 // items; see StageStats
	late, leftCalls       atomic.Int64 // calls that were given up; see StageStats
	timed                 bool         // busy is measured around the work; else it is the time not spent waiting
}

func newNode(name string, identity any) *node {
	return &node{name: name, identity: identity}
}

// gather gives the nodes that the ends need, inputs before their readers, the
// ends in the order given.
func gather(ends []End) []*node {
	var nodes []*node
	seen := map[*node]bool{}
	var visit func(*node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, w := range n.in {
			visit(w.base().from)
		}
		nodes = append(nodes, n)
	}
	for _, e := range ends {
		visit(e.node)
	}
	return nodes
}

// check finds what is wrong with a graph before anything starts.
func check(ends []End, nodes []*node) error {
	if len(ends) == 0 {
		return ErrNoEnds
	}
	given := map[*node]bool{}
	for _, e := range ends {
		if given[e.node] {
			return fmt.Errorf("%w: the end at %q", ErrUsedTwice, e.node.name)
		}
		given[e.node] = true
	}
	present := map[*node]bool{}
	for _, n := range nodes {
		present[n] = true
	}
	values := map[any]bool{}
	for _, n := range nodes {
		if err := n.check(present, values); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) check(present map[*node]bool, values map[any]bool) error {
	if n.started {
		return fmt.Errorf("%w: %q", ErrStarted, n.name)
	}
	if n.err != nil {
		return fmt.Errorf("%w: %q", n.err, n.name)
	}
	for _, w := range n.out {
		switch e := w.base(); {
		case e.uses > 1:
			return fmt.Errorf("%w: what leaves %q", ErrUsedTwice, n.name)
		case e.uses == 0:
			return fmt.Errorf("%w: what leaves %q", ErrNotEnded, n.name)
		case !present[e.to]:
			return fmt.Errorf("%w: what goes from %q to %q is not part of this run", ErrNotEnded, n.name, e.to.name)
		}
	}
	if stateful(n.identity) {
		if values[n.identity] {
			return fmt.Errorf("%w: %q", ErrReused, n.name)
		}
		values[n.identity] = true
	}
	if n.inOrder && n.joinsBranches() {
		return fmt.Errorf("%w: %q", ErrDeadlock, n.name)
	}
	return nil
}

// stateful reports whether v may hold state that two places would share.
func stateful(v any) bool {
	t := reflect.TypeOf(v)
	return t != nil && t.Kind() == reflect.Pointer && t.Elem().Size() > 0
}

// joinsBranches reports whether two inputs of n come from one place.
func (n *node) joinsBranches() bool {
	seen := map[*node]int{} // node to the input that it feeds, from 1
	var meets func(*node, int) bool
	meets = func(m *node, input int) bool {
		if was := seen[m]; was != 0 {
			return was != input
		}
		seen[m] = input
		for _, w := range m.in {
			if meets(w.base().from, input) {
				return true
			}
		}
		return false
	}
	for i, w := range n.in {
		if meets(w.base().from, i+1) {
			return true
		}
	}
	return false
}

// label gives nodes of one name different ones: map, map 2, map 3.
func label(nodes []*node) {
	count := map[string]int{}
	for _, n := range nodes {
		count[n.name]++
		if k := count[n.name]; k > 1 {
			n.name = fmt.Sprintf("%s %d", n.name, k)
		}
	}
}

// settle notes, when everybody has ended, what a hand-written stage dropped
// and made: nobody knows before.
func (n *node) settle() {
	if !n.handmade || len(n.in) == 0 || len(n.out) == 0 || !n.task.whole {
		return
	}
	in, out := sum(n.in), sum(n.out)
	switch held := in.items + in.rejects - out.items - out.rejects - n.dropped.Load(); {
	case held > 0:
		n.dropped.Add(held)
	case held < 0:
		n.made.Add(-held)
	}
}
