package sandbox

import (
	"context"
	"fmt"
)

// Box runs commands at one level within one set of limits. Any number of
// commands can run in it at once.
type Box struct {
	level  Level
	limits Limits
}

// New returns a box after it has tried that the system allows the level. It
// returns ErrNotInstalled when the program did not call Main, and wraps
// ErrIsolation when the level does not hold here, ErrLimits for limits that
// are not positive.
func New(ctx context.Context, level Level, limits Limits) (*Box, error) {
	if err := limits.check(); err != nil {
		return nil, err
	}
	if !installed {
		return nil, ErrNotInstalled
	}
	b := &Box{level: level, limits: limits}
	if err := b.probe(ctx); err != nil {
		return nil, fmt.Errorf("%w %q: %w", ErrIsolation, level, err)
	}
	return b, nil
}

// Level returns the level that holds for all that the box runs.
func (b *Box) Level() Level { return b.level }

// Limits returns the limits that hold for all that the box runs.
func (b *Box) Limits() Limits { return b.limits }

// Run runs a command to its end. However the command ends, that is a Result;
// an error means that nothing can be said about it: it wraps ErrCommand,
// ErrStart, or the context's error when that ended the run.
func (b *Box) Run(ctx context.Context, c Command) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	return b.run(ctx, c)
}
