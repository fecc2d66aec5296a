package stream

import "fmt"

// Batch is a run of consecutive items of one stream: the unit on every channel.
//
// Ownership is by hand-over. Whoever sends a batch must not touch it, its
// slices included, afterwards; whoever received it may change it at will.
type Batch[T any] struct {
	Seq     uint64   // 0, 1, 2, ... without gaps on every edge
	Items   []T      // may be empty: a batch is sent on even when no item is left in it
	Rejects []Reject // what could not become an item; rides along untouched to the sink
	Mark    Mark     // where the sources stood after this batch; nil on unordered flows
	Bytes   int64    // of Items, as SizeOf or the source counted them when they were made; 0 if nobody did
}

// Pos says where an item came from. The reader sets it and nobody changes it:
// every "first seen", permutation and plan order uses it, and shards merge by it.
type Pos struct {
	Input  uint32 // number of the input, from 0
	Part   uint32 // which row of a record that holds several, from 0
	Record int64  // number of the record in its input, from 1; the line number in line formats
	Offset int64  // byte offset of the record in its decompressed input
}

// Compare orders positions by input, record and part. It returns -1, 0 or 1.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.Input != q.Input:
		return cmpOrder(p.Input < q.Input)
	case p.Record != q.Record:
		return cmpOrder(p.Record < q.Record)
	case p.Part != q.Part:
		return cmpOrder(p.Part < q.Part)
	}
	return 0
}

func cmpOrder(less bool) int {
	if less {
		return -1
	}
	return 1
}

// String gives the position as input:record, with the part behind it when it is not the first.
func (p Pos) String() string {
	if p.Part > 0 {
		return fmt.Sprintf("%d:%d.%d", p.Input, p.Record, p.Part)
	}
	return fmt.Sprintf("%d:%d", p.Input, p.Record)
}

// Reject is what could not become an item: a line that is not JSON, a record
// that no dialect can read. It travels with its batch so that the sink writes
// it in order and every input record is accounted for.
type Reject struct {
	Pos    Pos
	Stage  string // who refused it
	Code   string // why, as a short fixed word: bad_json, bad_utf8, not_an_object
	Detail string // why, for a person: what was found and what is wanted
	Raw    []byte // the record as it was read; immutable
}

// Mark says where the sources of a flow stood after a batch, one entry an
// input that has begun, ordered by input. A sink that stored everything up to
// a batch may store its mark, and a source may continue from there.
type Mark []InputMark

// InputMark is the place in one input up to which everything was handed on.
type InputMark struct {
	Input  uint32
	Record int64 // records handed on so far
	Offset int64 // byte offset behind them in the decompressed input
	Done   bool  // the input has ended
}

// Size is the number of an item's bytes as its source counts them, for the
// byte cut of batches and for the counts of Snapshot.
type Size[T any] func(*T) int
