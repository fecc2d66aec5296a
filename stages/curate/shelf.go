package curate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// lot are rows as bytes, each with its end, and the ranks of the rows.
type lot struct {
	text  []byte
	ranks []int
	ends  []int
}

// add adds a row.
func (l *lot) add(r *rollout.Row, rank int) {
	l.text = r.AppendPacked(l.text)
	l.ranks, l.ends = append(l.ranks, rank), append(l.ends, len(l.text))
}

// rows makes rows of a lot, which point into its text.
func (l *lot) rows() ([]rollout.Row, error) {
	rows, start := make([]rollout.Row, len(l.ends)), 0
	var u rollout.Unpacker
	for i, end := range l.ends {
		if err := u.Unpack(l.text[start:end:end], &rows[i]); err != nil {
			return nil, fmt.Errorf("curate: read a kept row again: %w", err)
		}
		start = end
	}
	return rows, nil
}

// shelf takes rows in the order in which they come and gives them back in that of
// their ranks: they stand in a file, and where each is in memory, 12 bytes a row.
type shelf struct {
	file    *os.File
	starts  []int64 // of the row of each rank
	sizes   []uint32
	size    int64
	shelved int

	mu    sync.Mutex
	spare [][]byte // texts of lots that were put, for others to fill
}

// lot returns an empty lot.
func (s *shelf) lot() (l lot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.spare); n > 0 {
		l.text, s.spare = s.spare[n-1][:0], s.spare[:n-1]
	}
	return l
}

func (s *shelf) give(text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, text)
}

func newShelf(folder string, rows int) (*shelf, error) {
	file, err := os.Create(filepath.Join(folder, "kept.rows"))
	if err != nil {
		return nil, &files.OutputError{Path: folder, Err: err}
	}
	return &shelf{file: file, starts: make([]int64, rows), sizes: make([]uint32, rows)}, nil
}

// close removes the file.
func (s *shelf) close() error { return errors.Join(s.file.Close(), os.Remove(s.file.Name())) }

// put puts a lot on the shelf. Its text is not to be used any more.
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
	s.give(l.text)
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
		for from := 0; rank < end; {
			first := rank
			next := s.starts[rank]
			for ; rank < end && s.starts[rank] == next; rank++ { // rows of a task stand side by side
				next += int64(s.sizes[rank])
			}
			to := from + int(next-s.starts[first])
			if _, err := s.file.ReadAt(l.text[from:to], s.starts[first]); err != nil {
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
