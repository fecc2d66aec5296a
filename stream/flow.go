package stream

import "context"

// A Source makes a stream. Run sends batches to out until there are no more,
// or until ctx is done, and returns. It never closes out: when Run returns nil,
// everything that it sent counts as the whole stream. The package numbers the
// batches, so Seq may be left at zero.
type Source[T any] interface {
	Run(ctx context.Context, out chan<- Batch[T]) error
}

// A Stage turns one stream into another. Run receives from in until it is
// closed, sends to out and returns. It never closes out, and it must watch ctx
// on both sides: a closed in means that the stream is complete, so in stays
// open, and ctx is done, when the flow fails. [Receive] and [Send] do that.
//
// A stage that returns nil before in is closed wants no more: what feeds it is
// stopped, and what it sent counts as the whole stream. Rejects and marks of
// its batches must ride along; the package numbers the batches that it sends.
type Stage[In, Out any] interface {
	Run(ctx context.Context, in <-chan Batch[In], out chan<- Batch[Out]) error
}

// A Sink is where a stream ends. Run receives from in until it is closed and
// returns. As with [Stage], a closed in means that the stream is complete and
// may be committed; when the flow fails, in stays open and ctx is done.
//
// A sink that returns nil before in is closed wants no more, and what feeds it
// is stopped.
type Sink[T any] interface {
	Run(ctx context.Context, in <-chan Batch[T]) error
}

// SourceFunc lets a function be a [Source].
type SourceFunc[T any] func(ctx context.Context, out chan<- Batch[T]) error

// Run calls f.
func (f SourceFunc[T]) Run(ctx context.Context, out chan<- Batch[T]) error { return f(ctx, out) }

// StageFunc lets a function be a [Stage].
type StageFunc[In, Out any] func(ctx context.Context, in <-chan Batch[In], out chan<- Batch[Out]) error

// Run calls f.
func (f StageFunc[In, Out]) Run(ctx context.Context, in <-chan Batch[In], out chan<- Batch[Out]) error {
	return f(ctx, in, out)
}

// SinkFunc lets a function be a [Sink].
type SinkFunc[T any] func(ctx context.Context, in <-chan Batch[T]) error

// Run calls f.
func (f SinkFunc[T]) Run(ctx context.Context, in <-chan Batch[T]) error { return f(ctx, in) }

// Flow is a stream that does not run yet: what leaves a source or a stage. It
// is a handle, is used exactly once (by [Through], [To], [Merge], [Tee] and so
// on) and runs at most once. Building flows is not safe for concurrent use.
type Flow[T any] struct{ link *link[T] }

// End is a flow that has been ended by a sink, ready for [Run].
type End struct{ node *node }

// From begins a flow at a source. It takes [Name], and [SizeOf] for the counts
// of bytes and the byte cut of [Rebatch] further on. A [Composed] source gives
// its own flow; the options then belong to the last stage of it.
func From[T any](src Source[T], opts ...Option) Flow[T] {
	mustNot(src == nil, "From of a nil source")
	set := configure("From", opts, optName, optSize)
	if c, ok := src.(Composed[T]); ok {
		return dressed(c.Flow(), "From", set)
	}
	n := newNode(set.nameOr(src), src)
	n.handmade = true
	out := newLink[T](n)
	out.size = sizeFor[T](set)
	n.work = func(t *task) error {
		return pump(t, out, func(ctx context.Context, raw chan<- Batch[T]) error { return src.Run(ctx, raw) })
	}
	return Flow[T]{out}
}

// Through sends a flow through a stage. It takes [Name], and [SizeOf] where
// the stage is hand-written and changes the type. A [ComposedStage] gives its
// own flow; the options then belong to the last stage of it.
func Through[In, Out any](flow Flow[In], stage Stage[In, Out], opts ...Option) Flow[Out] {
	mustNot(stage == nil, "Through a nil stage")
	set := configure("Through", opts, optName, optSize)
	if c, ok := stage.(ComposedStage[In, Out]); ok {
		return dressed(c.Apply(flow), "Through", set)
	}
	in := flow.in("Through")
	n := newNode(set.name, nil)
	in.use(n)
	out := newLink[Out](n)
	out.inherit(&in.edge)
	out.size, _ = any(in.size).(Size[Out])
	if ready, ok := stage.(builtin[In, Out]); ok {
		ready.attach(n, in, out)
	} else {
		n.name, n.identity, n.handmade = set.nameOr(stage), stage, true
		out.recount = true // it may have changed the items and not the bytes
		n.work = func(t *task) error {
			return pump(t, out, func(ctx context.Context, raw chan<- Batch[Out]) error { return stage.Run(ctx, in.ch, raw) })
		}
	}
	if set.size != nil {
		out.size, out.recount = sizeFor[Out](set), true
	}
	return Flow[Out]{out}
}

// To ends a flow at a sink. It takes [Name]. A [ComposedSink] gives its own end.
func To[T any](flow Flow[T], sink Sink[T], opts ...Option) End {
	mustNot(sink == nil, "To a nil sink")
	set := configure("To", opts, optName)
	if c, ok := sink.(ComposedSink[T]); ok {
		end := c.End(flow)
		mustNot(end.node == nil, "To a sink whose End is empty")
		if set.name != "" {
			end.node.name = set.name
		}
		return end
	}
	in := flow.in("To")
	n := newNode(set.nameOr(sink), sink)
	n.handmade = true
	in.use(n)
	n.work = func(t *task) error { return sink.Run(t.ctx, in.ch) }
	return End{n}
}

// builtin is a stage of this package: it runs on links, without a pump between.
type builtin[In, Out any] interface {
	attach(n *node, in *link[In], out *link[Out])
}

// dressed gives the flow that a composed part made, with what the settings say
// of its last stage.
func dressed[T any](flow Flow[T], verb string, set settings) Flow[T] {
	l := flow.in(verb)
	if set.name != "" {
		l.from.name = set.name
	}
	if set.size != nil {
		l.size, l.recount = sizeFor[T](set), true
	}
	return flow
}

// in gives the flow's link to a verb that reads it.
func (f Flow[T]) in(verb string) *link[T] {
	mustNot(f.link == nil, verb+" of a Flow that nothing made")
	return f.link
}
