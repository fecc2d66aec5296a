package jsonl

import "runtime"

// WriteOption changes how files are written; see the functions that return one.
type WriteOption func(*writeOptions)

type writeOptions struct {
	workers     int
	rowsPerFile int64
	frameSize   int
	replace     bool
	keptOnly    bool
	noEmpty     bool
	quarantine  string
	inputName   func(input uint32) string
}

func defaultWriteOptions() writeOptions {
	return writeOptions{workers: runtime.GOMAXPROCS(0), frameSize: 1 << 20}
}

// WriteWorkers sets how many workers encode and compress. At least 1; default:
// GOMAXPROCS. The bytes written do not depend on it.
func WriteWorkers(n int) WriteOption {
	atLeastOne("WriteWorkers", n)
	return func(o *writeOptions) { o.workers = n }
}

// RowsPerFile starts a new file after every n rows: out-00000.jsonl,
// out-00001.jsonl and so on. At least 1; default: one file of the given name.
func RowsPerFile(n int64) WriteOption {
	if n < 1 {
		panic("jsonl: RowsPerFile wants at least 1")
	}
	return func(o *writeOptions) { o.rowsPerFile = n }
}

// Replace lets the output take the place of a file that is there. Default: that
// is an error.
func Replace() WriteOption { return func(o *writeOptions) { o.replace = true } }

// KeptOnly writes only rows that ended at no gate, and counts the others by
// gate. Default: all rows.
func KeptOnly() WriteOption { return func(o *writeOptions) { o.keptOnly = true } }

// NoEmpty writes no file when there are no rows. Default: a file without rows.
func NoEmpty() WriteOption { return func(o *writeOptions) { o.noEmpty = true } }

// Quarantine writes the rejects to a file of their own, which appears only if
// there are any; name gives the name of an input by its number. Default:
// rejects are counted and not written.
func Quarantine(path string, name func(input uint32) string) WriteOption {
	if name == nil {
		panic("jsonl: Quarantine wants a function that names inputs")
	}
	return func(o *writeOptions) { o.quarantine, o.inputName = path, name }
}
