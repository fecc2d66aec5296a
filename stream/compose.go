package stream

import "context"

// Composed is a [Source] that is itself made of a flow, for example a reader
// of blocks followed by a decoding [Map]. [From] splices that flow in, so that
// its last Maps fuse with those that follow. Run may be [Feed].
type Composed[T any] interface {
	Source[T]
	Flow() Flow[T]
}

// ComposedStage is a [Stage] made of several. [Through] splices them in. Run
// may be [Pipe].
type ComposedStage[In, Out any] interface {
	Stage[In, Out]
	Apply(Flow[In]) Flow[Out]
}

// ComposedSink is a [Sink] with stages before it, for example an encoding
// [Map] and a writer. [To] splices them in. Run may be [Drain].
type ComposedSink[T any] interface {
	Sink[T]
	End(Flow[T]) End
}

// Feed runs a flow and sends what leaves it to out: the Run of a [Composed]
// source that somebody calls by hand.
func Feed[T any](ctx context.Context, flow Flow[T], out chan<- Batch[T]) error {
	_, err := Run(ctx, feed("Feed", flow, out))
	return err
}

// Pipe runs what apply builds between two channels: the Run of a
// [ComposedStage] that somebody calls by hand.
func Pipe[In, Out any](ctx context.Context, in <-chan Batch[In], out chan<- Batch[Out], apply func(Flow[In]) Flow[Out]) error {
	return Feed(ctx, apply(FromBatches(in)), out)
}

// Drain runs a flow that comes from a channel to the end that it gets: the
// Run of a [ComposedSink] that somebody calls by hand.
func Drain[T any](ctx context.Context, in <-chan Batch[T], end func(Flow[T]) End) error {
	_, err := Run(ctx, end(FromBatches(in)))
	return err
}

// standalone is the Run of a ready-made stage that somebody calls by hand.
func standalone[In, Out any](ctx context.Context, s Stage[In, Out], in <-chan Batch[In], out chan<- Batch[Out]) error {
	return Pipe(ctx, in, out, func(f Flow[In]) Flow[Out] { return Through(f, s) })
}
