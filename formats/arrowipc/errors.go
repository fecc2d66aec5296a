package arrowipc

import (
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/formats/files"
)

// DamageError says where the data of a file contradict themselves, or are not
// those that were written. It comes within a [files.InputError].
type DamageError struct {
	Batch  int    // number of the record batch, from 1; 0 before the first
	Column string // name of the column; "" when it is not one
	Err    error
}

// Error names the record batch, the column and what is wrong.
func (e *DamageError) Error() string {
	where := ""
	if e.Batch > 0 {
		where = fmt.Sprintf("record batch %d, ", e.Batch)
	}
	if e.Column != "" {
		where += fmt.Sprintf("column %q, ", e.Column)
	}
	if where == "" {
		return e.Err.Error()
	}
	return where[:len(where)-2] + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *DamageError) Unwrap() error { return e.Err }

// SchemaError says which column cannot be read for what it is. It comes within a
// [files.InputError].
type SchemaError struct {
	Column string
	Found  string // the type of the column
	Want   string // the types that would do
}

// Error names the column, what was found and what is wanted.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("column %q is %s; want %s", e.Column, e.Found, e.Want)
}

var (
	// ErrNotArrow is returned for an input that is no Arrow IPC file or stream.
	ErrNotArrow = errors.New("is no Arrow IPC file or stream")
	// ErrTorn is returned for a file or stream whose end is missing.
	ErrTorn = errors.New("its end is missing")
	// ErrVersion is returned for rows of a version that this package does not know.
	ErrVersion = errors.New("holds rows of another version")
)

const (
	hintRestore = "restore the file, or make it anew from its source"
	hintColumns = "rename or convert the column, or name a dialect with --dialect or --map"
)

// damaged is an error about the data of an input.
func damaged(path string, batch int, column string, err error) error {
	if ie, ok := errors.AsType[*files.InputError](err); ok {
		return ie // it names the file already
	}
	return &files.InputError{Path: path, Err: &DamageError{batch, column, err}, Hint: hintRestore}
}

// caught turns a panic of a reader that met damaged data into an error. Deferred
// where arrow-go is called with data from outside.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("damaged data: %v", p)
	}
}
