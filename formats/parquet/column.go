package parquet

import (
	"bytes"
	"fmt"
	"io"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// column is a column of a row group, decoded: the levels of all its values and
// those that are not null. Its texts point into the pages, which are never
// given back to the library.
type column struct {
	rep, def []byte
	texts    []string
	ints     []int64
	floats   []float64

	at    int // next level
	value int // next value
}

// readColumn reads a column whose values have the definition level full.
func readColumn(chunk parquet.ColumnChunk, full byte, rows int64) (c *column, err error) {
	defer recovered(&err)
	pages := chunk.Pages()
	defer pages.Close()
	c = &column{}
	var words dictionary
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := c.add(page, full, &words); err != nil {
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

func (c *column) add(page parquet.Page, full byte, words *dictionary) error {
	def := page.DefinitionLevels()
	present := bytes.Count(def, []byte{full})
	c.def = append(c.def, def...)
	c.rep = append(c.rep, page.RepetitionLevels()...)
	found := 0
	switch data := page.Data(); {
	case page.Dictionary() != nil:
		places := data.Int32()
		found = len(places)
		words.of(page.Dictionary())
		for _, n := range places {
			c.texts = append(c.texts, words.texts[n])
		}
	case page.Type().Kind() == parquet.Int64:
		found = len(data.Int64())
		c.ints = append(c.ints, data.Int64()...)
	case page.Type().Kind() == parquet.Double:
		found = len(data.Double())
		c.floats = append(c.floats, data.Double()...)
	default:
		text, ends := data.ByteArray()
		found = max(len(ends)-1, 0)
		for i := range found {
			c.texts = append(c.texts, view(text[ends[i]:ends[i+1]]))
		}
	}
	if found != present {
		return fmt.Errorf("%w: a page has %d values, want %d", ErrDamaged, found, present)
	}
	return nil
}

// dictionary is the texts of a column chunk's dictionary.
type dictionary struct {
	from  parquet.Dictionary
	texts []string
}

func (d *dictionary) of(from parquet.Dictionary) {
	if d.from == from {
		return
	}
	d.from, d.texts = from, make([]string, from.Len())
	for i := range d.texts {
		d.texts[i] = view(from.Index(int32(i)).ByteArray())
	}
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
	c.value++
	return c.texts[c.value-1], true
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

func (c *column) done() bool {
	return c.at == len(c.def) && c.value == len(c.texts)+len(c.ints)+len(c.floats)
}

// view returns b as a string without copying it. b is never changed again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
