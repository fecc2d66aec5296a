package jsonl

import (
	"runtime"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Option changes how files are read; see the functions that return one.
type Option func(*readOptions)

type readOptions struct {
	fields    rollout.Fields
	workers   int
	batchRows int
	blockSize int
	maxRecord int
	strict    bool
	dialect   dialect.Dialect
	dialectOK bool
	first     uint32
}

func defaultReadOptions() readOptions {
	return readOptions{
		fields:    rollout.AllFields,
		workers:   runtime.GOMAXPROCS(0),
		batchRows: 1024,
		blockSize: 1 << 20,
		maxRecord: 64 << 20,
	}
}

// Fields names the fields that are decoded. The others are carried as text
// when rows are written as JSONL again, and are lost in any other form, for
// which FieldExtra and all fields are needed. Default: all.
func Fields(f rollout.Fields) Option { return func(o *readOptions) { o.fields = f } }

// Workers sets how many workers decode. At least 1; default: GOMAXPROCS.
func Workers(n int) Option {
	atLeastOne("Workers", n)
	return func(o *readOptions) { o.workers = n }
}

// BatchRows bounds the records of a batch. At least 1; default: 1,024.
func BatchRows(n int) Option {
	atLeastOne("BatchRows", n)
	return func(o *readOptions) { o.batchRows = n }
}

// BlockSize bounds the bytes of a batch, unless a single record is longer. At
// least 1; default: 1 MiB.
func BlockSize(n int) Option {
	atLeastOne("BlockSize", n)
	return func(o *readOptions) { o.blockSize = n }
}

// MaxRecord is how long a record may be, in bytes. A longer one is refused as
// too_long and not kept in memory. At least 1; default: 64 MiB.
func MaxRecord(n int) Option {
	atLeastOne("MaxRecord", n)
	return func(o *readOptions) { o.maxRecord = n }
}

// Strict makes the first record that cannot become a row an error that stops
// the flow, a *RecordError. By default such records travel on as rejects.
func Strict() Option { return func(o *readOptions) { o.strict = true } }

// Dialect sets the dialect of all inputs, nil for row v1 and its legacy
// shapes. By default it is recognised, for each input by itself.
func Dialect(d dialect.Dialect) Option {
	return func(o *readOptions) { o.dialect, o.dialectOK = d, true }
}

// FirstInput is the number of the first input, for flows that read files of
// several formats. Default: 0.
func FirstInput(n uint32) Option { return func(o *readOptions) { o.first = n } }

func atLeastOne(option string, n int) {
	if n < 1 {
		panic("jsonl: " + option + " wants at least 1")
	}
}
