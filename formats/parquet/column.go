package parquet

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// column is a column of a row group, decoded: the levels of all its values and
// those that are not null. All of it is the memory of the pages, which are never
// given back to the library, as far as a page is not joined with another.
type column struct {
	rep, def []byte
	pages    []textPage // those with values that were not taken
	ints     []int64
	floats   []float64
	count    int // of the values that are not null

	at    int // next level
	value int // next value
	first int // value that pages begin with
}

// readColumn reads a column whose values have the definition level full.
func readColumn(chunk parquet.ColumnChunk, full byte, rows int64) (c *column, err error) {
	defer recovered(&err)
	pages := chunk.Pages()
	defer pages.Close()
	c = &column{}
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := c.add(page, full, int(rows)); err != nil {
			return nil, err
		}
	}
	records := len(c.def)
	if len(c.rep) > 0 {
		records = bytes.Count(c.rep, []byte{0})
	}
	if int64(records) != rows || len(c.rep) > 0 && len(c.rep) != len(c.def) {
		return nil, fmt.Errorf("%w: it has %d rows, want %d", ErrDamaged, records, rows)
	}
	return c, nil
}

func (c *column) add(page parquet.Page, full byte, rows int) error {
	def := page.DefinitionLevels()
	present := bytes.Count(def, []byte{full})
	c.def = join(c.def, def, rows)
	c.rep = join(c.rep, page.RepetitionLevels(), rows)
	found := 0
	switch data := page.Data(); page.Type().Kind() {
	case parquet.Int64:
		found = len(data.Int64())
		c.ints = join(c.ints, data.Int64(), rows)
	case parquet.Double:
		found = len(data.Double())
		c.floats = join(c.floats, data.Double(), rows)
	default:
		texts, err := textsOf(page)
		if err != nil {
			return err
		}
		if found = texts.len(); found > 0 {
			c.pages = append(c.pages, texts)
		}
	}
	c.count += found
	if found != present {
		return fmt.Errorf("%w: a page has %d values, want %d", ErrDamaged, found, present)
	}
	return nil
}

// join gives what was read of a column and a page more, of which the first need
// not be copied. The column is likely to have that many values.
func join[T any](have, page []T, likely int) []T {
	if len(have) == 0 {
		return page[:len(page):len(page)]
	}
	if len(have)+len(page) > cap(have) {
		have = slices.Grow(have, max(len(page), likely-len(have)))
	}
	return append(have, page...)
}

// next takes a level.
func (c *column) next() (def byte) {
	def = c.def[c.at]
	c.at++
	return def
}

// text takes a text, or notes its absence.
func (c *column) text(full byte) (text string, ok bool) {
	if c.next() != full {
		return "", false
	}
	if c.value-c.first == c.pages[0].len() {
		c.pages, c.first = c.pages[1:], c.value
	}
	text = c.pages[0].text(c.value - c.first)
	c.value++
	return text, true
}

func (c *column) float(full byte) (x float64, ok bool) {
	if c.next() != full {
		return 0, false
	}
	c.value++
	return c.floats[c.value-1], true
}

func (c *column) integer(full byte) (i int64, ok bool) {
	if c.next() != full {
		return 0, false
	}
	c.value++
	return c.ints[c.value-1], true
}

// more reports whether the list that is being read at the repetition level rep
// goes on.
func (c *column) more(rep byte) bool { return c.at < len(c.rep) && c.rep[c.at] >= rep }

func (c *column) done() bool { return c.at == len(c.def) && c.value == c.count }
