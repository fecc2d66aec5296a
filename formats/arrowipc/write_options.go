package arrowipc

import (
	"math"
	"runtime"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/stream"
)

// WriteOption changes how rows are written; see the functions that return one.
type WriteOption func(*writeOptions)

type writeOptions struct {
	workers     int
	rowsPerFile int64
	cut         cut
	compression Compression
	form        form
	replace     bool
	keptOnly    bool
	noEmpty     bool
	rejects     func([]stream.Reject) error
	spool       *Spool
}

func defaultWriteOptions() writeOptions {
	return writeOptions{
		workers: runtime.GOMAXPROCS(0), cut: cut{rows: 4096, bytes: 16 << 20}, compression: LZ4,
		rejects: func([]stream.Reject) error { return nil },
	}
}

// Compression is how the bodies of record batches are compressed.
type Compression uint8

const (
	None Compression = iota // readers can map the file into memory
	LZ4                     // fast to write and to read
	Zstd                    // about a third smaller than LZ4, and half as fast to write
)

// String returns the name of the compression.
func (c Compression) String() string { return message.Codec(c).String() }

// Compress sets the compression. Default: LZ4.
func Compress(c Compression) WriteOption {
	if c > Zstd {
		panic("arrowipc: Compress of no compression")
	}
	return func(o *writeOptions) { o.compression = c }
}

// form is which of its two formats IPC has.
type form uint8

const (
	formOfName form = iota
	fileForm
	streamForm
)

// AsStream writes the stream format, which has no footer. Default: only for
// names that end in .arrows, and for "-".
func AsStream() WriteOption { return func(o *writeOptions) { o.form = streamForm } }

// AsFile writes the file format, whatever the name is.
func AsFile() WriteOption { return func(o *writeOptions) { o.form = fileForm } }

// WriteWorkers sets how many workers encode and compress. At least 1; default:
// GOMAXPROCS. The bytes written do not depend on it.
func WriteWorkers(n int) WriteOption {
	atLeastOne("WriteWorkers", n)
	return func(o *writeOptions) { o.workers = n }
}

// RecordRows bounds the rows of a record batch. At least 1; default: 4,096.
func RecordRows(n int) WriteOption {
	atLeastOne("RecordRows", n)
	return func(o *writeOptions) { o.cut.rows = n }
}

// RecordBytes bounds the text of a record batch, in bytes: one ends before the
// row that would pass it. A row that is larger stands alone. From 1 to 256 MiB,
// which keeps every column far from the 2 GiB that it may have; default: 16 MiB.
func RecordBytes(n int) WriteOption {
	atLeastOne("RecordBytes", n)
	if n > math.MaxInt32/8 {
		panic("arrowipc: RecordBytes wants at most 256 MiB")
	}
	return func(o *writeOptions) { o.cut.bytes = n }
}

// RowsPerFile starts a new file after every n rows: out-00000.arrow,
// out-00001.arrow and so on. At least 1; default: one file of the given name.
func RowsPerFile(n int64) WriteOption {
	if n < 1 {
		panic("arrowipc: RowsPerFile wants at least 1")
	}
	return func(o *writeOptions) { o.rowsPerFile = n }
}

// Spool cuts an output into files by the batches of the flow. Each gets its name as
// soon as it is whole, so that a run that is cut off leaves those that were finished;
// when their bytes reach the disk is left to the system.
type Spool struct {
	Name func(file int) string               // the path of the file of a number, from 0 on
	Ends func(seq uint64) bool               // reports whether a file ends behind the batch of a number
	Take func(file Part, sum [16]byte) error // hears of each file that has its name, in order, from one goroutine; sum is the XXH3 of its bytes
}

// ToSpool writes to the files of a spool, none if there is no row. The path of the
// writer does not matter, and [RowsPerFile] is not for it.
func ToSpool(s Spool) WriteOption {
	if s.Name == nil || s.Ends == nil || s.Take == nil {
		panic("arrowipc: ToSpool wants all functions of a Spool")
	}
	return func(o *writeOptions) { o.spool = &s }
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
		panic("arrowipc: Rejects to a nil function")
	}
	return func(o *writeOptions) { o.rejects = take }
}
