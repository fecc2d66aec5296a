package stream

import (
	"reflect"

	"github.com/sourcegraph/conc/panics"
)

// caught turns a recovered panic into an error.
func caught(r *panics.Recovered) error {
	return &PanicError{Value: r.Value, Stack: r.Stack}
}

// catch is deferred by loops over items: a panic becomes an error that names
// the item at which the loop stood.
func catch[T any](items []T, item *int, err *error) {
	if v := recover(); v != nil {
		r := panics.NewRecovered(1, v)
		*err = failedAt(items, *item, caught(&r))
	}
}

// guard calls fn and turns a panic into an error.
func guard(fn func() error) (err error) {
	if r := panics.Try(func() { err = fn() }); r != nil {
		return caught(r)
	}
	return err
}

// failedAt is the error of one item of a batch, or of all with -1.
func failedAt[T any](items []T, item int, err error) error {
	e := &StageError{Item: item, Err: err}
	if item >= 0 && item < len(items) {
		e.Pos = posOf(&items[item])
	}
	return e
}

// failed makes an error name the stage, and the batch if it does not name one.
func (n *node) failed(seq int64, err error) error {
	se, ok := err.(*StageError)
	switch {
	case ok && se.Stage != "":
		return se
	case ok:
		return &StageError{Stage: n.name, Seq: seq, Item: se.Item, Pos: se.Pos, Err: se.Err}
	}
	return &StageError{Stage: n.name, Seq: seq, Item: -1, Err: err}
}

// locate makes err name the stage. What a hand-written stage works on is known
// if it uses Receive.
func (t *task) locate(err error) error {
	seq := int64(-1)
	if t.hand != nil && t.hand.node.Load() != nil {
		seq = t.hand.seq.Load()
	}
	return t.nodes[0].failed(seq, err)
}

// posOf is the position of an item, or zero.
func posOf[T any](item *T) Pos {
	p, ok := any(item).(Positioned)
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Pointer, reflect.Interface:
		p, ok = any(*item).(Positioned)
	}
	if !ok {
		return Pos{}
	}
	return p.Position()
}
