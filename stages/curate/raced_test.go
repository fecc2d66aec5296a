//go:build race

package curate

// raced says that the race detector is at work, under which all takes much longer.
const raced = true
