package jsonl

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rollmill/rollmill/formats/files"
)

// Part is one file that was written.
type Part struct {
	Path  string
	Rows  int64
	Bytes int64 // as the file has them, compressed
}

// PartPath returns the name of part n of an output that RowsPerFile splits:
// out-00002.jsonl.zst for part 2 of out.jsonl.zst.
func PartPath(path string, n int) string {
	dir, base := filepath.Split(path)
	stem, ending := base, ""
	if dot := strings.IndexByte(base[min(1, len(base)):], '.'); dot >= 0 {
		stem, ending = base[:dot+1], base[dot+1:]
	}
	return dir + fmt.Sprintf("%s-%05d%s", stem, n, ending)
}

// partWriter writes frames to one file after another. None has its final name
// before all are whole.
type partWriter struct {
	path    string
	packed  files.Compression
	many    bool
	replace bool
	noEmpty bool

	open  *files.Output
	whole files.Whole
	parts []Part
}

func (w *partWriter) write(f *frame) error {
	if w.open == nil {
		if err := w.next(); err != nil {
			return err
		}
	}
	if _, err := w.open.Write(f.text); err != nil {
		return err
	}
	part := &w.parts[len(w.parts)-1]
	part.Rows += f.rows
	part.Bytes += int64(len(f.text))
	if f.endFile {
		return w.close()
	}
	return nil
}

// close stores the open file, which holds no descriptor from then on.
func (w *partWriter) close() error {
	done := w.open
	w.whole.Add(done)
	w.open = nil
	return done.Finish()
}

func (w *partWriter) next() error {
	path := w.path
	if w.many {
		path = PartPath(w.path, len(w.parts))
	}
	out, err := files.Create(path, w.replace)
	if err != nil {
		return err
	}
	w.open = out
	w.parts = append(w.parts, Part{Path: path})
	return nil
}

// commit gives all files their names. Without rows there is a file without
// rows, or none.
func (w *partWriter) commit() error {
	if len(w.parts) == 0 && !w.noEmpty {
		if err := w.write(&frame{text: w.packed.AppendFrame(nil, nil)}); err != nil {
			return err
		}
	}
	if w.open != nil {
		if err := w.close(); err != nil {
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
