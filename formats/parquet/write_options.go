package parquet

import (
	"runtime"

	"github.com/rollmill/rollmill/stream"
)

// WriteOption changes how files are written; see the functions that return one.
type WriteOption func(*writeOptions)

type writeOptions struct {
	workers     int
	rowsPerFile int64
	codec       Codec
	replace     bool
	keptOnly    bool
	noEmpty     bool
	rejects     func([]stream.Reject) error
}

func defaultWriteOptions() writeOptions {
	return writeOptions{
		workers: runtime.GOMAXPROCS(0),
		rejects: func([]stream.Reject) error { return nil },
	}
}

// WriteWorkers sets how many workers encode and compress. At least 1; default:
// GOMAXPROCS. The bytes written do not depend on it.
func WriteWorkers(n int) WriteOption {
	atLeastOne("WriteWorkers", n)
	return func(o *writeOptions) { o.workers = n }
}

// Compression sets how pages are compressed. Default: Zstd.
func Compression(c Codec) WriteOption {
	if c > None {
		panic("parquet: Compression of no codec")
	}
	return func(o *writeOptions) { o.codec = c }
}

// RowsPerFile starts a new file after every n rows: out-00000.parquet,
// out-00001.parquet and so on. At least 1; default: one file of the given name.
func RowsPerFile(n int64) WriteOption {
	if n < 1 {
		panic("parquet: RowsPerFile wants at least 1")
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

// Rejects hands the rejects that reach the writer to take, in order, from one
// goroutine; an error of take stops the flow. Default: they are counted and go
// no further.
func Rejects(take func([]stream.Reject) error) WriteOption {
	if take == nil {
		panic("parquet: Rejects to a nil function")
	}
	return func(o *writeOptions) { o.rejects = take }
}
