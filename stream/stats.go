package stream

import "time"

// Stats is what a flow has counted, stage by stage in flow order, the ends in
// the order that Run got them. Counting is done per batch.
//
// When a flow has ended, and left nothing running, all that was made is
// accounted for: over the stages, Made is the sum of Dropped, Kept and Held.
type Stats struct {
	Stages  []StageStats
	Elapsed time.Duration // since the start, to the end if it has ended
}

// StageStats is what one stage has counted. Stages that were fused count on
// their own.
type StageStats struct {
	Name    string
	Workers int // goroutines that do its work

	BatchesIn, BatchesOut int64
	ItemsIn, ItemsOut     int64
	RejectsIn, RejectsOut int64
	BytesIn, BytesOut     int64 // 0 where no SizeOf is known

	// Dropped counts the items that a Filter refused or that a Map or a
	// hand-written stage did not give back; also, with rejects, the copies of
	// Tee for a branch that has ended and what waited for a reader that ended
	// early.
	Dropped int64
	// Made counts how many items and rejects came out beyond those that went
	// in: all of a source, the additional ones of FlatMap and Tee. It is
	// negative for GroupBy, where items become one group.
	Made int64
	// Kept counts the items and rejects that a sink took.
	Kept int64

	// Busy is time spent working, WaitIn waiting for input and WaitOut waiting
	// for room behind, each summed over the workers; a wait counts when it is
	// over. For a hand-written stage waits are those in Receive and Send.
	Busy, WaitIn, WaitOut time.Duration

	// Late counts the calls of Each that were given up, and Left those of them
	// that still ran when the stage was left.
	Late, Left int64

	// Ended says that the stage ran to its end by itself.
	Ended bool
}

// Held is the number of items and rejects that a stage took and that are not
// accounted for: neither sent, nor dropped, nor kept. It is 0 for each stage
// that has Ended; in a running flow it is what the stage works on.
func (s StageStats) Held() int64 {
	return s.ItemsIn + s.RejectsIn + s.Made - s.ItemsOut - s.RejectsOut - s.Dropped - s.Kept
}

// Snapshot gives the counts so far. It costs a few loads a stage and may be
// called at any time.
func (r *Running) Snapshot() *Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.over() {
		now = r.mu.ended
	}
	s := &Stats{Elapsed: now.Sub(r.start)}
	for _, n := range r.nodes {
		s.Stages = append(s.Stages, n.stats(s.Elapsed))
	}
	return s
}

// stats gives the counts of a node, at a time since the start of the run. Call
// it with the lock of the run held.
func (n *node) stats(now time.Duration) StageStats {
	in, out := sum(n.in), sum(n.out)
	s := StageStats{
		Name: n.name, Workers: max(1, n.workers),
		BatchesIn: in.batches, BatchesOut: out.batches,
		ItemsIn: in.items, ItemsOut: out.items,
		RejectsIn: in.rejects, RejectsOut: out.rejects,
		BytesIn: in.bytes, BytesOut: out.bytes,
		Dropped: n.dropped.Load(), Made: n.made.Load(),
		Busy:   time.Duration(n.busy.Load()),
		WaitIn: time.Duration(n.waitIn.Load()), WaitOut: time.Duration(n.waitOut.Load()),
		Late: n.late.Load(), Left: n.leftCalls.Load(),
		Ended: n.task.whole,
	}
	if len(n.in) == 0 {
		s.Made = out.items + out.rejects
	}
	if len(n.out) == 0 {
		s.Kept = in.items + in.rejects - s.Dropped
	}
	if !n.timed {
		s.Busy = max(0, n.task.lived(now)-s.WaitIn-s.WaitOut)
	}
	return s
}

// sum is what was sent on the links.
func sum(wires []wire) tally {
	var t tally
	for _, w := range wires {
		p := w.base().sent()
		t = tally{t.batches + p.batches, t.items + p.items, t.rejects + p.rejects, t.bytes + p.bytes}
	}
	return t
}

// lived is how long a task has been running.
func (t *task) lived(now time.Duration) time.Duration {
	began, over := time.Duration(t.began.Load()), time.Duration(t.over.Load())
	if over == 0 {
		over = now
	}
	return over - began
}
