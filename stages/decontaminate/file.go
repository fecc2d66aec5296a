package decontaminate

import (
	"bufio"
	"fmt"
	"io"

	"github.com/rollmill/rollmill/formats/files"
)

// A file of an index is a magic word, the version, a header of JSON with the
// configuration and the sets, the arrays of the index, each behind its length, and
// a checksum of all that. Numbers are little-endian. The same index gives the same
// bytes.
const (
	fileMagic   = "rollmill index\r\n"
	fileVersion = 1
)

// header is what can be read of an index without the rest.
type header struct {
	Config Config    `json:"config"`
	Sets   []setInfo `json:"sets"`
}

// Save writes the index to a file, which appears when it is whole. A file that is
// there is an error unless replace is set. The error is a *files.OutputError.
func (x *Index) Save(path string, replace bool) error {
	out, err := files.Create(path, replace)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(out, 1<<20)
	if err := x.Write(buf); err != nil {
		out.Abort()
		return err
	}
	if err := buf.Flush(); err != nil {
		out.Abort()
		return err
	}
	return out.Commit()
}

// Load reads an index from a file, which may be compressed. The error is a
// *files.InputError; of a file that is no index, of another version or damaged it
// matches [ErrNotIndex], [ErrVersion] or [ErrDamaged].
func Load(path string) (*Index, error) {
	in, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	x, err := Read(in)
	if err != nil {
		if _, ok := err.(*files.InputError); ok {
			return nil, err
		}
		return nil, &files.InputError{Path: path, Err: err, Hint: "build it again with rollmill index"}
	}
	return x, nil
}

// IsIndex reports whether a file begins as one of an index does.
func IsIndex(path string) bool {
	in, err := files.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	head, _, err := in.Head()
	return err == nil && len(head) >= len(fileMagic) && string(head[:len(fileMagic)]) == fileMagic
}

// Read reads an index that [Index.Write] wrote.
func Read(r io.Reader) (*Index, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("decontaminate: %w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}
