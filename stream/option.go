package stream

import (
	"fmt"
	"slices"
	"strings"
)

// DefaultInFlight is how many calls [Each] keeps in flight unless [InFlight] says otherwise.
const DefaultInFlight = 16

// DefaultItems is how many items [FromSlice], [FromSeq] and [FromChan] put in
// a batch unless [Items] says otherwise.
const DefaultItems = 1024

// DefaultBytes is the byte cut of [FromSlice], [FromSeq] and [FromChan] when
// the size of an item is known and [Bytes] does not say otherwise: 1 MiB.
const DefaultBytes = 1 << 20

// Option is a setting of a source, stage or sink. Which settings a verb takes
// stands in its comment; another one is a mistake in the program and panics.
type Option struct {
	word string
	set  func(*settings)
}

const (
	optName      = "Name"
	optSize      = "SizeOf"
	optItems     = "Items"
	optBytes     = "Bytes"
	optWorkers   = "Workers"
	optInFlight  = "InFlight"
	optWindow    = "Window"
	optUnordered = "Unordered"
	optGiveUp    = "GiveUp"
)

// Name names the stage in errors and counts. The default is the verb, or the
// type of a hand-written one; a name that is taken gets a number.
func Name(name string) Option {
	return Option{optName, func(s *settings) { s.name = name }}
}

// SizeOf says how many bytes an item counts. Stages that keep the type pass it
// on; one that changes the type takes its own, else bytes are unknown behind it.
func SizeOf[T any](size Size[T]) Option {
	mustNot(size == nil, "SizeOf of a nil function")
	return Option{optSize, func(s *settings) { s.size = size }}
}

// Items cuts batches at n items, n >= 1. The default is [DefaultItems].
func Items(n int) Option {
	mustAtLeastOne("Items", n)
	return Option{optItems, func(s *settings) { s.items = n }}
}

// Bytes cuts batches before they pass n bytes, n >= 1, as [SizeOf] counts
// them; an item that is larger travels alone.
func Bytes(n int) Option {
	mustAtLeastOne("Bytes", n)
	return Option{optBytes, func(s *settings) { s.bytes = n }}
}

// Workers sets how many batches a stage works on at a time, n >= 1. The
// default of stages that take it is what the Map or Filter beside them has,
// else 1.
func Workers(n int) Option {
	mustAtLeastOne("Workers", n)
	return Option{optWorkers, func(s *settings) { s.workers = n }}
}

// InFlight sets how many calls [Each] keeps in flight, n >= 1. The default is
// [DefaultInFlight].
func InFlight(n int) Option {
	mustAtLeastOne("InFlight", n)
	return Option{optInFlight, func(s *settings) { s.inFlight = n }}
}

// Window sets the ordered window of [Each], n >= 1: no call begins n or more
// items behind the oldest one that is not finished. The default is 16 times
// [InFlight]. Order costs no time as long as the window is InFlight times the
// slowest call over the average one: with one call in a hundred that takes a
// hundred times longer that is 50 times InFlight.
func Window(n int) Option {
	mustAtLeastOne("Window", n)
	return Option{optWindow, func(s *settings) { s.window = n }}
}

// Unordered lets batches leave a stage as they are ready. Marks end there: an
// unordered flow cannot be resumed.
func Unordered() Option {
	return Option{optUnordered, func(s *settings) { s.unordered = true }}
}

type settings struct {
	name      string
	size      any // a Size[T]
	items     int
	bytes     int
	workers   int
	inFlight  int
	window    int
	unordered bool
	giveUp    any // a *giveUp[In, Out]
}

// configure applies opts for a verb that takes the options named in takes.
func configure(verb string, opts []Option, takes ...string) settings {
	var s settings
	for _, o := range opts {
		mustNot(o.set == nil, verb+" with an empty Option")
		mustNot(!slices.Contains(takes, o.word), verb+" does not take "+o.word)
		o.set(&s)
	}
	return s
}

// nameOr is the name asked for, else one made from the type of v.
func (s settings) nameOr(v any) string {
	if s.name != "" {
		return s.name
	}
	name := strings.TrimLeft(fmt.Sprintf("%T", v), "*")
	if cut := strings.IndexByte(name, '['); cut >= 0 {
		name = name[:cut]
	}
	switch name {
	case "stream.SourceFunc":
		return "source"
	case "stream.StageFunc":
		return "stage"
	case "stream.SinkFunc":
		return "sink"
	}
	return name
}

// sizeFor is the size function that the settings hold for items of type T.
func sizeFor[T any](s settings) Size[T] {
	if s.size == nil {
		return nil
	}
	size, ok := s.size.(Size[T])
	mustNot(!ok, fmt.Sprintf("SizeOf %T on a flow of %T", s.size, *new(T)))
	return size
}

// mustNot panics when the program is wrong.
func mustNot(wrong bool, what string) {
	if wrong {
		panic("stream: " + what)
	}
}

func mustAtLeastOne(what string, n int) {
	if n < 1 {
		panic(fmt.Sprintf("stream: %s(%d): want at least 1", what, n))
	}
}
