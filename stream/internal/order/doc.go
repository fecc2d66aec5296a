// Package order keeps things in order while several goroutines work on them:
// a [Sequencer] lets results out by number, a [Window] bounds how far work may
// run ahead of the oldest piece that is not finished, and a [Turn] is a lock
// that can be waited for with a context. None of them starts a goroutine, and
// none holds a mutex while it waits.
package order
