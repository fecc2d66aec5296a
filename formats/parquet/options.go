package parquet

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
	dialect   dialect.Dialect
	dialectOK bool
	first     uint32
	held      int64 // bytes of row groups; 0: by the number of workers
}

func defaultReadOptions() readOptions {
	return readOptions{fields: rollout.AllFields, workers: runtime.GOMAXPROCS(0), batchRows: 1024}
}

// Fields names the fields that are decoded; the others are lost. Of files that
// this package wrote only their columns are read. Default: all.
func Fields(f rollout.Fields) Option { return func(o *readOptions) { o.fields = f } }

// Workers sets how many workers decode. At least 1; default: GOMAXPROCS.
func Workers(n int) Option {
	atLeastOne("Workers", n)
	return func(o *readOptions) { o.workers = n }
}

// BatchRows bounds the rows of a batch. At least 1; default: 1,024.
func BatchRows(n int) Option {
	atLeastOne("BatchRows", n)
	return func(o *readOptions) { o.batchRows = n }
}

// Dialect sets the dialect of all files of another schema, nil for row v1 and
// its legacy shapes. By default it is recognised, for each file by itself.
func Dialect(d dialect.Dialect) Option {
	return func(o *readOptions) { o.dialect, o.dialectOK = d, true }
}

// FirstInput is the number of the first input, for flows that read files of
// several formats. Default: 0.
func FirstInput(n uint32) Option { return func(o *readOptions) { o.first = n } }

func atLeastOne(option string, n int) {
	if n < 1 {
		panic("parquet: " + option + " wants at least 1")
	}
}
