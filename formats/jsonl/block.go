package jsonl

import (
	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/stream"
)

// block is a run of whole records of one input, as they were read. Its data is
// immutable and never reused, since rows point into it.
type block struct {
	data    []byte
	records []record // where the records are; nil: one a line
	first   int64    // number of the first record
	offset  int64    // of data in the decompressed input
	at      *place
	long    []longRecord
	end     stream.InputMark // where the input stands behind the block
}

// record is one record of a block that is not cut at newlines.
type record struct {
	start, end int
	key        string // member of a keyed object, or of a zip
	data       []byte // instead of start and end, when the record stands alone
}

// longRecord is a record over the limit. It was passed over.
type longRecord struct {
	number, offset, size int64
	head                 []byte
}

// place is what all blocks of an input share.
type place struct {
	input   uint32
	name    string
	dialect dialect.Dialect // nil: row v1 and its legacy shapes
	header  []byte          // of the container

	blockSize int // most bytes of a block
	blockNow  int // bytes of the next one
}

// firstBlock is how large the first block of an input is. Later ones double up
// to the full size, so that small files stay cheap.
const firstBlock = 64 << 10

func (p *place) grow() int {
	p.blockNow = min(max(2*p.blockNow, firstBlock), p.blockSize)
	return p.blockNow
}

// cutter hands out the blocks of one input.
type cutter interface {
	// next returns the next block, and io.EOF after the last.
	next() (block, error)
}
