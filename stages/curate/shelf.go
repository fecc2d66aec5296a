package curate

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// lot are the lines of rows, each with its end, and the ranks of the rows.
type lot struct {
	text  []byte
	ranks []int
	ends  []int
}

// add adds a row.
func (l *lot) add(r *rollout.Row, rank int) {
	l.text = append(r.AppendJSON(l.text), '\n')
	l.ranks, l.ends = append(l.ranks, rank), append(l.ends, len(l.text))
}

// shelf takes rows in the order in which they come and gives them back in that of
// their ranks: their lines stand in a file, and where each is in memory, 12 bytes a
// row.
type shelf struct {
	file    *os.File
	starts  []int64 // of the line of each rank
	sizes   []uint32
	size    int64
	shelved int
}

func newShelf(folder string, rows int) (*shelf, error) {
	file, err := os.Create(filepath.Join(folder, "kept.jsonl"))
	if err != nil {
		return nil, &files.OutputError{Path: folder, Err: err}
	}
	return &shelf{file: file, starts: make([]int64, rows), sizes: make([]uint32, rows)}, nil
}

// close removes the file.
func (s *shelf) close() error { return errors.Join(s.file.Close(), os.Remove(s.file.Name())) }

// put puts the lines of a lot on the shelf.
func (s *shelf) put(l *lot) error {
	start := 0
	for i, end := range l.ends {
		s.starts[l.ranks[i]], s.sizes[l.ranks[i]] = s.size+int64(start), uint32(end-start)
		start = end
	}
	s.shelved += len(l.ends)
	s.size += int64(len(l.text))
	if _, err := s.file.Write(l.text); err != nil {
		return &files.OutputError{Path: s.file.Name(), Err: err, Hint: "make room, or name another folder with --tmp"}
	}
	return nil
}

const (
	takenRows = 512     // rows that are taken from the shelf at a time; even, so that a pair stays together
	takenSize = 1 << 20 // and their bytes, unless two are longer
)

// run sends what is on the shelf in the order of the ranks.
func (s *shelf) run(ctx context.Context, out chan<- stream.Batch[lot]) error {
	for rank := 0; rank < len(s.starts); {
		l, end := lot{}, rank
		for size := 0; end < len(s.starts) && (end-rank < takenRows && size < takenSize || (end-rank)%2 == 1); end++ {
			size += int(s.sizes[end])
			l.ends = append(l.ends, size)
		}
		l.text = make([]byte, l.ends[len(l.ends)-1])
		for from := 0; rank < end; rank++ {
			to := from + int(s.sizes[rank])
			if _, err := s.file.ReadAt(l.text[from:to], s.starts[rank]); err != nil {
				return &files.InputError{Path: s.file.Name(), Err: err}
			}
			from = to
		}
		if err := stream.Send(ctx, out, stream.Batch[lot]{Items: []lot{l}}); err != nil {
			return err
		}
	}
	return nil
}
