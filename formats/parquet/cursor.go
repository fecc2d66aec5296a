package parquet

import (
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/sourcegraph/conc/iter"
)

// Bounds of a piece of another schema.
const (
	pieceRows  = 1 << 10
	pieceBytes = 4 << 20
)

// cursors read the columns of a row group of another schema side by side.
type cursors struct {
	in        *input
	group     int
	tree      *node
	cols      []*cursor
	pieceRows int64 // rows that are likely to be pieceBytes
}

func openGroup(in *input, group int) (_ *cursors, err error) {
	defer recovered(&err)
	g := in.file.RowGroups()[group]
	c := &cursors{in: in, group: group, tree: treeOf(in.file.Schema()), pieceRows: pieceRows}
	if size := in.file.Metadata().RowGroups[group].TotalByteSize; size > 0 {
		c.pieceRows = max(1, min(pieceRows, g.NumRows()*pieceBytes/size))
	}
	for i, chunk := range g.ColumnChunks() {
		path := in.file.Schema().Columns()[i]
		leaf, _ := in.file.Schema().Lookup(path...)
		c.cols = append(c.cols, &cursor{pages: chunk.Pages(), path: path, repeated: leaf.MaxRepetitionLevel > 0})
	}
	return c, nil
}

func (c *cursors) close() {
	for _, col := range c.cols {
		col.pages.Close()
	}
}

// take reads the values of the next rows, several columns at a time.
func (c *cursors) take(rows int64, workers int) (*rowValues, error) {
	v := &rowValues{tree: c.tree, rows: rows, cols: make([][]parquet.Value, len(c.cols))}
	errs := make([]error, len(c.cols))
	iter.Iterator[*cursor]{MaxGoroutines: workers}.ForEachIdx(c.cols, func(i int, col **cursor) {
		v.cols[i], errs[i] = (*col).take(rows)
	})
	for i, err := range errs {
		if err != nil {
			return nil, &GroupError{File: c.in.name, Group: c.group, Column: strings.Join(c.cols[i].path, "."), Err: err}
		}
	}
	v.rewind()
	return v, nil
}

// cursor reads the values of a column, with their levels.
type cursor struct {
	path     []string
	repeated bool
	pages    parquet.Pages
	values   parquet.ValueReader // of the page being read
	buf      []parquet.Value     // read and not yet taken
	ended    bool
}

func (c *cursor) take(rows int64) (taken []parquet.Value, err error) {
	defer recovered(&err)
	begun := int64(0)
	for {
		for i, v := range c.buf {
			if v.RepetitionLevel() == 0 {
				if begun == rows {
					c.buf = c.buf[i:]
					return taken, nil
				}
				begun++
			}
			taken = append(taken, v)
		}
		c.buf = nil
		if begun == rows && (!c.repeated || c.ended) {
			return taken, nil
		}
		if c.ended {
			return nil, io.ErrUnexpectedEOF
		}
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
}

func (c *cursor) fill() error {
	if c.values == nil {
		page, err := c.pages.ReadPage()
		if err == io.EOF {
			c.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		c.values = page.Values()
	}
	buf := make([]parquet.Value, pieceRows)
	n, err := c.values.ReadValues(buf)
	c.buf = buf[:n]
	if err == io.EOF {
		c.values, err = nil, nil
	}
	return err
}
