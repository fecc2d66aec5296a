package parquet

import (
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
