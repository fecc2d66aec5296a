// Package stream moves typed batches from sources through stages to sinks,
// with bounded memory, in order, and accounts for every item.
//
//	rows := stream.From(jsonl.Open("rollouts.jsonl.zst"))        // Flow[Row]
//	rows = stream.Through(rows, stream.Map(8, scan))             // on eight cores
//	rows = stream.Through(rows, stream.Each(judge, stream.InFlight(64)))
//	stats, err := stream.Run(ctx, stream.To(rows, parquet.Create("rollouts.parquet")))
//
// A [Flow] describes a stream; nothing runs before [Run] or [Start]. All
// goroutines and channels of a program that uses the package live in it.
//
// # Vocabulary
//
// Batch: what travels. A hand-over of a batch of 1,024 costs about 1 ns an
// item, where an item on a channel of its own costs hundreds. A batch travels
// on when no item is left in it, so that its rejects and its mark arrive.
//
// Hand-over: whoever sends a batch never touches it again; whoever gets one
// may change it at will, except behind [Tee], where branches share the items.
//
// Ordered: batches leave a stage in the order in which they came, numbered
// 0, 1, 2, ... by Seq, whatever the number of workers. Unordered: they leave as
// they are ready, numbered anew. Only [Unordered] and [MergeReady] do that.
//
// Reject: what could not become an item, such as a line that is not JSON. It
// rides along in its batch to the sink and is never lost. To refuse an item is
// no error; an error stops the whole flow.
//
// Mark: where the sources stood after a batch: everything up to it has left,
// with this batch or before. Behind [Rebatch] and [GroupBy], which cut across
// batches, items beyond the mark may have left too; who resumes from it skips,
// by their [Pos], those that it has. Unordered flows carry no marks, and
// neither do those from slices, iterators and channels of items.
//
// Complete: a stage sees its input closed only when the stream is complete.
// When the flow fails or is stopped, its context is done and the input stays
// open. So a sink that commits when its input is closed never commits a part.
//
// # Profiles
//
// Goroutines carry the name of their stage as a label ([StageLabel]), so that a
// CPU profile tells what each stage costs, where Busy of [StageStats] is time on
// the clock, which grows when others want the cores too.
//
// # Errors
//
// The first error stops the flow: the contexts of all stages are done, all
// goroutines end, and [Run] returns a [StageError] that names stage, batch and
// item. A call of [Each] that takes too long need not stop it: see [GiveUp]. A panic in user code is such an error. Code that goes on for a second
// after its context was done is left behind, and Run returns [ErrStuck]. Only
// mistakes in the program itself, such as a nil function, panic at once.
package stream
