package parquet

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/rollmill/rollmill/formats/rollout"
)

// order notes whether the rows of a group come sorted by task, and within a task
// by index, ascending and none of them null.
type order struct {
	rows     int
	task     string
	index    int64
	unsorted bool // by task
	mixed    bool // by index within a task
}

func (o *order) add(r *rollout.Row) {
	if o.unsorted {
		return
	}
	index, ok := r.Index.Int()
	ok = ok && r.Has(rollout.FieldIndex)
	o.unsorted = !r.Has(rollout.FieldTaskID) || o.rows > 0 && r.TaskID < o.task
	o.mixed = o.mixed || !ok || o.rows > 0 && r.TaskID == o.task && index < o.index
	o.rows++
	o.task, o.index = r.TaskID, index
}

// columns are those by which the rows are sorted, none when they are not.
func (o *order) columns() []format.SortingColumn {
	switch {
	case o.rows == 0 || o.unsorted:
		return nil
	case o.mixed:
		return []format.SortingColumn{{ColumnIdx: colTaskID}}
	}
	return []format.SortingColumn{{ColumnIdx: colTaskID}, {ColumnIdx: colIndex}}
}

// tailSize is how many bytes behind the footer say how long it is and end the
// file.
const tailSize = 4 + len("PAR1")

// writeSorted writes the end of a file to w, with the sorting columns of its row
// groups in the footer. The library takes them for all groups of a file alone,
// and before there are any.
func writeSorted(w io.Writer, end []byte, groups [][]format.SortingColumn) error {
	tail := end[len(end)-tailSize:]
	at := len(end) - tailSize - int(binary.LittleEndian.Uint32(tail))
	protocol := &thrift.CompactProtocol{}
	var meta format.FileMetaData
	if err := thrift.Unmarshal(protocol, end[at:len(end)-tailSize], &meta); err != nil {
		return err
	}
	for i := range meta.RowGroups {
		meta.RowGroups[i].SortingColumns = groups[i]
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
