package stats

import (
	"errors"
	"fmt"
)

// ErrArgument is returned, wrapped, when an argument lies outside what a
// function can answer: a power of 1, an effect of 0, an empty list of training
// seeds. The [ArgumentError] around it names the argument.
var ErrArgument = errors.New("stats: argument out of range")

// ArgumentError names the argument, what it was, and what it should be.
type ArgumentError struct {
	Name string // as in the options, such as "Alpha"
	Got  any
	Want string
}

// Error says what was wrong and what is wanted.
func (e *ArgumentError) Error() string {
	return fmt.Sprintf("stats: %s is %v; want %s", e.Name, e.Got, e.Want)
}

// Unwrap gives [ErrArgument].
func (e *ArgumentError) Unwrap() error { return ErrArgument }

// openUnit checks that x lies strictly between 0 and 1.
func openUnit(name string, x float64) error {
	if x > 0 && x < 1 {
		return nil
	}
	return &ArgumentError{Name: name, Got: x, Want: "a number strictly between 0 and 1"}
}
