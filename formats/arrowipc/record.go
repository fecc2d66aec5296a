package arrowipc

import (
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/stream"
)

// record is a record batch of an input, as far as it was read. Whoever needs
// its columns first makes them, for all that need them.
type record struct {
	plan   *plan
	path   string // of the input, for errors
	number int    // of the batch in the input, from 1

	meta   *message.Batch
	checks *message.Checks // nil when the writer gave none
	spans  []span
	wanted []bool
	body   body
	bytes  int // of the body that were read
	dicts  dictionaries
	arena  *arena     // of a frame
	pos    stream.Pos // of the first row

	once  sync.Once
	table *table
	err   error
}

// table are the columns of a record batch.
type table struct {
	plan   *plan
	rows   int
	arrays []arrow.Array // nil for those that are not wanted
	batch  *batch        // the same as views, when the plan is direct
}

// outline reads the metadata of the record batch.
func (r *record) outline(h *message.Head) (err error) {
	if r.meta, err = h.Batch(); err != nil {
		return err
	}
	if r.checks, err = h.Checks(r.meta, r.plan.sum); err != nil {
		return err
	}
	if r.spans, err = spansOf(r.plan.fields, r.meta); err != nil {
		return err
	}
	if err := r.checkRows(); err != nil {
		return err
	}
	r.wanted, err = r.plan.columnsOf(r.checks)
	return err
}

// checkRows holds the number of rows against all columns, those too that are not
// read: where none is, nothing else would tell a wrong number.
func (r *record) checkRows() error {
	if r.meta.Rows > maxValues || len(r.spans) == 0 && r.meta.Rows > 0 {
		return fmt.Errorf("%w: %d rows", message.ErrDamaged, r.meta.Rows)
	}
	for i, s := range r.spans {
		if n := r.meta.Nodes[s.node].Length; n != r.meta.Rows {
			return within(r.plan.fields[i].Name, fmt.Errorf("has %d values, the record batch %d rows", n, r.meta.Rows))
		}
	}
	return nil
}

// parts returns the parts of the body that are to be read.
func (r *record) parts() []region {
	var parts []region
	for i, wanted := range r.wanted {
		if wanted {
			from, to := r.spans[i].region(r.meta)
			parts = append(parts, region{from, to})
		}
	}
	return merged(parts)
}

// load returns the columns of the record batch.
func (r *record) load() (*table, error) {
	r.once.Do(func() {
		r.table, r.err = r.read()
		r.body = nil // who has the columns needs the rest no more
	})
	return r.table, r.err
}

func (r *record) read() (*table, error) {
	t := &table{plan: r.plan, rows: int(r.meta.Rows), arrays: make([]arrow.Array, len(r.spans))}
	for i := range r.spans {
		if !r.wanted[i] {
			continue
		}
		a, err := r.column(i)
		if err != nil {
			return nil, err
		}
		t.arrays[i] = a
	}
	if r.plan.direct {
		if err := t.view(r.checks == nil); err != nil {
			return nil, damaged(r.path, r.number, "", err)
		}
	}
	return t, nil
}

// column makes a column from the part of the body that was read.
func (r *record) column(i int) (arrow.Array, error) {
	name := r.plan.fields[i].Name
	l := loader{meta: r.meta, body: r.body, dicts: r.dicts, arena: r.arena}
	a, err := l.load(r.plan.fields[i].Type, []int{i}, r.spans[i])
	if err != nil {
		return nil, damaged(r.path, r.number, name, err)
	}
	if r.checks != nil && !r.checks.Column(i, sumOf(a.Data())) {
		return nil, damaged(r.path, r.number, name, message.ErrChecksum)
	}
	settle(a)
	return a, nil
}

// view looks at the columns as those of our schema. doubt says that their texts
// may be anything.
func (t *table) view(doubt bool) (err error) {
	defer caught(&err)
	t.batch = newBatch(t.plan.fields, t.arrays, t.rows)
	if doubt {
		t.batch.doubt()
	}
	return nil
}
