package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// longestBound is up to how many bytes a least or greatest value of a column is
// worth its place in the footer. Nobody prunes by longer ones, and the library
// notes them whole; in the page index it cuts them.
const longestBound = 64

// tailSize is how many bytes behind the footer say how long it is and end the
// file.
const tailSize = 4 + len("PAR1")

// writeEnd writes the end of a file to w: what the library wrote, with a footer
// of our own. Each row group has its sorting columns, which the library takes for
// all groups of a file alone, and before there are any. Long bounds are left out.
func writeEnd(w io.Writer, end []byte, sorted [][]format.SortingColumn) error {
	if len(end) > math.MaxInt32 {
		return fmt.Errorf("parquet: the footer: %w", ErrTooLong)
	}
	tail := end[len(end)-tailSize:]
	at := len(end) - tailSize - int(binary.LittleEndian.Uint32(tail))
	protocol := &thrift.CompactProtocol{}
	var meta format.FileMetaData
	if err := thrift.Unmarshal(protocol, end[at:len(end)-tailSize], &meta); err != nil {
		return err
	}
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		g.SortingColumns = sorted[i]
		for j := range g.Columns {
			if s := &g.Columns[j].MetaData.Statistics; max(len(s.MinValue), len(s.MaxValue)) > longestBound {
				s.MinValue, s.MaxValue = nil, nil
			}
		}
	}
	footer, err := thrift.Marshal(protocol, &meta)
	if err != nil {
		return err
	}
	out := bytes.NewBuffer(end[:at:at])
	out.Write(footer)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	out.Write(tail[4:])
	_, err = w.Write(out.Bytes())
	return err
}
