package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// soughtText is a text of a flat column that may hold what was sought.
type soughtText struct {
	row  int64
	text string
}

// seek reads a flat column of JSON objects, of which only those are wanted that
// may have a member of one of the names. Pages are searched as a whole, and go
// back to the library: what is found is a copy.
func seek(chunk parquet.ColumnChunk, names []string, rows int64) (found []soughtText, err error) {
	defer recovered(&err)
	pages := chunk.Pages()
	defer pages.Close()
	first := int64(0)
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if found, err = seekPage(found, page, names, first); err != nil {
			return nil, err
		}
		first += page.NumValues()
		parquet.Release(page)
	}
	if first != rows {
		return nil, fmt.Errorf("%w: it has %d rows, want %d", ErrDamaged, first, rows)
	}
	return found, nil
}

// seekPage adds what is found in a page that begins with the row first.
func seekPage(found []soughtText, page parquet.Page, names []string, first int64) ([]soughtText, error) {
	def := page.DefinitionLevels()
	t, err := textsOf(page)
	if err != nil {
		return nil, err
	}
	if present := bytes.Count(def, []byte{flatValue}); t.len() != present {
		return nil, fmt.Errorf("%w: a page has %d values, want %d", ErrDamaged, t.len(), present)
	}
	hits := t.search(names)
	if len(hits) == 0 {
		return found, nil
	}
	value := 0
	for row, level := range def {
		if level != flatValue {
			continue
		}
		if hits[0] == value {
			found = append(found, soughtText{first + int64(row), strings.Clone(t.text(value))})
			if hits = hits[1:]; len(hits) == 0 {
				break
			}
		}
		value++
	}
	return found, nil
}

// search returns which values of a page may have a member of one of the names,
// in order.
func (t *textPage) search(names []string) (hits []int) {
	if t.places != nil { // whose texts lie in another order; we write none
		for i := range t.places {
			hits = append(hits, i)
		}
		return hits
	}
	for _, name := range names {
		member := []byte(name + `":`)
		for from := 0; ; {
			n := bytes.Index(t.all[from:], member)
			if n < 0 {
				break
			}
			next := sort.Search(len(t.ends), func(i int) bool { return int(t.ends[i]) > from+n })
			if next == len(t.ends) {
				break // behind the last text
			}
			if next > 0 {
				hits = append(hits, next-1)
			}
			from = int(t.ends[next])
		}
	}
	slices.Sort(hits)
	return slices.Compact(hits)
}
