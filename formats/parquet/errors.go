package parquet

import (
	"errors"
	"fmt"
)

var (
	// ErrDamaged is returned for a file that is not as it was written.
	ErrDamaged = errors.New("damaged")
	// ErrVersion is returned for a file that a later version wrote.
	ErrVersion = errors.New("written by another version")
	// ErrTooLong is returned for a row whose texts pass the 2 GiB that a page of
	// Parquet can hold, and for rows of which the longest texts of all row groups
	// do, which the library notes as bounds.
	ErrTooLong = errors.New("texts pass 2 GiB")
)

// GroupError says which part of a file cannot be read.
type GroupError struct {
	File   string
	Group  int    // number of the row group, from 0
	Column string // its path; "" when it is not the fault of one column
	Err    error
}

func (e *GroupError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("%s: row group %d: %v", e.File, e.Group, e.Err)
	}
	return fmt.Sprintf("%s: row group %d, column %s: %v", e.File, e.Group, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *GroupError) Unwrap() error { return e.Err }

// recovered makes an error of a panic: the library panics on some damage that
// its checks let pass.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrDamaged, p)
	}
}
