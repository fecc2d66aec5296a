package message

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/zeebo/xxh3"
)

// Keys of the custom metadata of our messages.
const (
	keyChecks = "rollmill_checks"
	keyNote   = "rollmill_note"
)

// ErrChecksum is returned where the bytes are not those that were written.
var ErrChecksum = errors.New("the checksum is wrong: the bytes are not those that were written")

// SchemaSum is the checksum of the metadata of a schema message, padding left
// out, which the checksums of its batches depend on.
func SchemaSum(meta []byte) uint64 { return xxh3.Hash(bytes.TrimRight(meta, "\x00")) }

// Checks are the checksums of a record batch: one of each column, and one of
// those, the number of rows, the note and the schema.
type Checks struct {
	Note    string // what the writer says of the batch
	whole   uint64
	columns []uint64
}

// NewChecks makes the checksums of a batch from those of its columns.
func NewChecks(schemaSum uint64, rows int64, note string, columns []uint64) *Checks {
	c := &Checks{Note: note, columns: columns}
	c.whole = c.sum(schemaSum, rows)
	return c
}

func (c *Checks) sum(schemaSum uint64, rows int64) uint64 {
	out := make([]byte, 0, 32+8*len(c.columns)+len(c.Note))
	out = binary.LittleEndian.AppendUint64(out, schemaSum)
	out = binary.LittleEndian.AppendUint64(out, uint64(rows))
	for _, s := range c.columns {
		out = binary.LittleEndian.AppendUint64(out, s)
	}
	return xxh3.Hash(append(out, c.Note...))
}

// Metadata returns the checksums as custom metadata of a message.
func (c *Checks) Metadata() arrow.Metadata {
	sums := binary.LittleEndian.AppendUint64(nil, c.whole)
	for _, s := range c.columns {
		sums = binary.LittleEndian.AppendUint64(sums, s)
	}
	return arrow.NewMetadata([]string{keyChecks, keyNote}, []string{base64.RawStdEncoding.EncodeToString(sums), c.Note})
}

// Checks returns the checksums that came with a batch, nil when it is not one of
// ours. It is ErrChecksum when they are there and do not fit.
func (h *Head) Checks(b *Batch, schemaSum uint64) (*Checks, error) {
	text, ok := h.pairs[keyChecks]
	if !ok {
		return nil, nil
	}
	sums, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(sums) < 8 || len(sums)%8 != 0 {
		return nil, ErrChecksum
	}
	c := &Checks{whole: binary.LittleEndian.Uint64(sums)}
	c.Note, ok = h.pairs[keyNote]
	for sums = sums[8:]; len(sums) > 0; sums = sums[8:] {
		c.columns = append(c.columns, binary.LittleEndian.Uint64(sums))
	}
	if !ok || c.sum(schemaSum, b.Rows) != c.whole {
		return nil, ErrChecksum
	}
	return c, nil
}

// Sum returns the checksum of column i, 0 where there is none.
func (c *Checks) Sum(i int) uint64 {
	if i >= len(c.columns) {
		return 0
	}
	return c.columns[i]
}

// Column reports whether sum is the checksum of column i.
func (c *Checks) Column(i int, sum uint64) bool { return i < len(c.columns) && c.columns[i] == sum }
