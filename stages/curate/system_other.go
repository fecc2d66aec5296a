//go:build !linux && !darwin

package curate

// freeBytes does not know.
func freeBytes(string) (free int64, system uint64, ok bool) { return 0, 0, false }
