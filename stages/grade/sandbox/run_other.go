//go:build !linux && !darwin

package sandbox

import (
	"context"
	"errors"
)

// Main does nothing: this system has no way to confine a command.
func Main() { installed = true }

// installed is set by Main.
var installed bool

func (b *Box) probe(context.Context) error {
	return errors.New("needs Linux, or macOS for the weak level")
}

func (b *Box) run(context.Context, Command) (Result, error) { return Result{}, ErrIsolation }
