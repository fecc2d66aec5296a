package arrowipc

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/files"
)

// Part is one file that was written.
type Part struct {
	Path  string
	Rows  int64
	Bytes int64
}

// partPath returns the name of part n of an output: out-00002.arrow.
func partPath(path string, n int) string {
	dir, base := filepath.Split(path)
	stem, ending := base, ""
	if dot := strings.IndexByte(base[min(1, len(base)):], '.'); dot >= 0 {
		stem, ending = base[:dot+1], base[dot+1:]
	}
	return dir + fmt.Sprintf("%s-%05d%s", stem, n, ending)
}

// partWriter writes packets to one file after another. None has its final name
// before all are whole.
type partWriter struct {
	path    string
	stream  bool
	many    bool
	replace bool
	noEmpty bool
	spool   *Spool // files get their names as they end; nil: together

	sum    xxh3.Hasher // of the open file, if it is one of a spool
	open   *files.Output
	footer message.Footer // of the open file
	whole  files.Whole
	parts  []Part
}

func (w *partWriter) write(p *packet) error {
	if w.open == nil {
		if err := w.begin(); err != nil {
			return err
		}
	}
	w.footer.Batches = append(w.footer.Batches, message.Block{
		Offset: w.open.Written, Head: int64(len(p.head)), Body: int64(len(p.body)),
	})
	for _, b := range [][]byte{p.head, p.body} {
		if err := w.put(b); err != nil {
			return err
		}
	}
	w.parts[len(w.parts)-1].Rows += p.rows
	if p.endFile {
		return w.end()
	}
	return nil
}

// begin starts a file.
func (w *partWriter) begin() (err error) {
	path := w.path
	switch {
	case w.spool != nil:
		path = w.spool.Name(len(w.parts))
	case w.many:
		path = partPath(w.path, len(w.parts))
	}
	if w.open, err = files.Create(path, w.replace); err != nil {
		return err
	}
	w.open.Unsynced = w.spool != nil
	w.sum.Reset()
	w.parts = append(w.parts, Part{Path: path})
	var b []byte
	if !w.stream {
		b = append(b, message.Magic...)
		b = append(b, 0, 0)
	}
	o := preamble()
	b = append(b, o.schema...)
	block := o.block
	block.Offset = int64(len(b))
	w.footer = message.Footer{Dictionaries: []message.Block{block}}
	return w.put(append(b, o.dictionary...))
}

// put writes to the open file.
func (w *partWriter) put(b []byte) error {
	if w.spool != nil {
		_, _ = w.sum.Write(b) // it takes everything
	}
	_, err := w.open.Write(b)
	return err
}

// end makes a file whole.
func (w *partWriter) end() error {
	b := message.AppendEnd(nil)
	if !w.stream {
		b = message.AppendFooter(b, preamble().schemaMeta, &w.footer)
	}
	if err := w.put(b); err != nil {
		return err
	}
	part, done := &w.parts[len(w.parts)-1], w.open
	part.Bytes = done.Written
	w.open = nil
	if w.spool == nil {
		w.whole.Add(done)
		return nil
	}
	if err := done.Commit(); err != nil {
		return err
	}
	return w.spool.Take(*part, w.sum.Sum128().Bytes())
}

// commit gives all files their names. Without rows there is a file without
// rows, or none.
func (w *partWriter) commit() error {
	if len(w.parts) == 0 && !w.noEmpty {
		if err := w.begin(); err != nil {
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
		w.open.Abort()
	}
	w.whole.Abort()
}
