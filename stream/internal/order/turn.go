package order

import "context"

// Turn is a lock that may be held while its holder waits for something else,
// and that others stop waiting for when their context is done.
type Turn chan struct{}

// NewTurn makes a Turn that nobody holds.
func NewTurn() Turn { return make(Turn, 1) }

// Take waits for the turn. It returns the cause of ctx if that is done first.
func (t Turn) Take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Leave gives the turn to the next.
func (t Turn) Leave() { <-t }
