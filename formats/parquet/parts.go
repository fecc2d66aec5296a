package parquet

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Part is one file that was written.
type Part struct {
	Path  string
	Rows  int64
	Bytes int64
}

// part is a file that is being written: workers begin row groups of it before
// it is open.
type part struct {
	*parquet.GenericWriter[record]
	out     *files.Output
	inexact rollout.Fields
	sorted  [][]format.SortingColumn // of each row group
	end     *bytes.Buffer            // takes what is written when the file is closed
}

// pageSize is how many bytes of a column make a page, before compression.
const pageSize = 256 << 10

// dictionarySize is up to how many bytes of different texts a column is worth
// a dictionary.
const dictionarySize = 1 << 20

func newPart(c Codec) *part {
	p := &part{}
	p.GenericWriter = parquet.NewGenericWriter[record](output{p}, schema,
		parquet.Compression(codecs[c]),
		parquet.CreatedBy(application, schemaVersion, ""),
		parquet.PageBufferSize(pageSize),
		parquet.DictionaryMaxBytes(dictionarySize),
		parquet.KeyValueMetadata(keyVersion, schemaVersion),
		parquet.KeyValueMetadata(keyHuggingFace, huggingFace()),
		parquet.DataPageStatistics(false)) // which are in the page index
	return p
}

// output is where the library writes to: the file of a part, once it is open.
type output struct{ part *part }

func (o output) Write(p []byte) (int, error) {
	if o.part.end != nil {
		return o.part.end.Write(p)
	}
	return o.part.out.Write(p)
}

// partWriter writes one file after another. None has its final name before all
// are whole.
type partWriter struct {
	path string
	opts *writeOptions

	open  *part
	whole files.Whole
	parts []Part
}

func (w *partWriter) write(g *group) error {
	if w.open == nil {
		if err := w.begin(g.part); err != nil {
			return err
		}
	}
	if _, err := g.encoded.Commit(); err != nil {
		return err
	}
	w.open.inexact |= g.inexact
	w.open.sorted = append(w.open.sorted, g.sorted)
	w.parts[len(w.parts)-1].Rows += g.rows
	if g.endPart {
		return w.end()
	}
	return nil
}

func (w *partWriter) begin(p *part) (err error) {
	path := w.path
	if w.opts.rowsPerFile > 0 {
		dir, base := filepath.Split(path)
		ext := filepath.Ext(base)
		path = dir + fmt.Sprintf("%s-%05d%s", strings.TrimSuffix(base, ext), len(w.parts), ext)
	}
	if p.out, err = files.Create(path, w.opts.replace); err != nil {
		return err
	}
	w.open = p
	w.parts = append(w.parts, Part{Path: path})
	return nil
}

// end writes the footer.
func (w *partWriter) end() error {
	p := w.open
	p.SetKeyValueMetadata(keyInexact, namesOf(p.inexact))
	p.end = &bytes.Buffer{}
	if err := p.Close(); err != nil {
		return err
	}
	if err := writeEnd(p.out, p.end.Bytes(), p.sorted); err != nil {
		return err
	}
	w.parts[len(w.parts)-1].Bytes = p.out.Written
	w.whole.Add(p.out)
	w.open = nil
	return nil
}

// commit gives all files their names. Without rows there is a file without
// rows, or none.
func (w *partWriter) commit() error {
	if len(w.parts) == 0 && !w.opts.noEmpty {
		if err := w.begin(newPart(w.opts.codec)); err != nil {
			return err
		}
	}
	if w.open != nil {
		if err := w.end(); err != nil {
			return err
		}
	}
	return w.whole.Commit()
}

// abort removes what has no final name yet.
func (w *partWriter) abort() {
	if w.open != nil {
		w.open.out.Abort()
	}
	w.whole.Abort()
}
