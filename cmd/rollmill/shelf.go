package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// shelf takes rows in the order of the inputs and gives them back in that of a
// plan: their lines stand in a temporary file, and where each is in memory, 12
// bytes a row.
type shelf struct {
	file    *os.File
	starts  []int64 // of the line of each rank, plus 1; 0 is none
	sizes   []uint32
	size    int64
	shelved int
}

func newShelf(folder string, rows int) (*shelf, error) {
	file, err := os.CreateTemp(folder, "rollmill-*.shelf")
	if err != nil {
		return nil, &files.OutputError{Path: "a temporary file", Err: err, Hint: "name another folder with --tmp"}
	}
	os.Remove(file.Name()) // nobody else opens it; where that cannot be done before it is closed, remove does it
	return &shelf{file: file, starts: make([]int64, rows), sizes: make([]uint32, rows)}, nil
}

// remove deletes the file.
func (s *shelf) remove() {
	s.file.Close()
	os.Remove(s.file.Name())
}

// lot is the kept rows of a batch: their lines, each with its end, and ranks.
type lot struct {
	text  []byte
	ranks []int
	ends  []int
}

// fill ends a flow at the shelf. Rejects go to their file.
func (s *shelf) fill(rows stream.Flow[rollout.Row], workers int, plan *selection.Plan, rejects *jsonl.RejectFile) stream.End {
	lots := stream.Through(rows, stream.Map(workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[lot], error) {
		l, err := lotOf(b.Items, plan)
		return stream.Carry(b, []lot{l}), err
	}), stream.Name(rowsStage))
	return stream.To(lots, stream.SinkFunc[lot](func(ctx context.Context, in <-chan stream.Batch[lot]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			if err := rejects.Add(b.Rejects); err != nil {
				return err
			}
			for i := range b.Items {
				if err := s.put(&b.Items[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}), stream.Name("shelve"))
}

// lotOf picks the kept rows of a batch and finishes them.
func lotOf(rows []rollout.Row, plan *selection.Plan) (l lot, err error) {
	for i := range rows {
		pick, err := plan.Of(rows[i].Pos)
		if err != nil {
			return l, changedInput(err)
		}
		if pick.Gate != selection.Kept {
			continue
		}
		row := rows[i]
		plan.Finish(&row, pick)
		l.text = row.AppendLine(l.text)
		l.ranks, l.ends = append(l.ranks, pick.Rank), append(l.ends, len(l.text))
	}
	return l, nil
}

// put puts a lot on the shelf.
func (s *shelf) put(l *lot) error {
	start := 0
	for i, end := range l.ends {
		rank := l.ranks[i]
		if s.starts[rank] != 0 {
			return changedInput(selection.ErrInputChanged)
		}
		s.starts[rank], s.sizes[rank] = s.size+int64(start)+1, uint32(end-start)
		s.shelved++
		start = end
	}
	s.size += int64(len(l.text))
	if _, err := s.file.Write(l.text); err != nil {
		return &files.OutputError{Path: s.file.Name(), Err: err, Hint: "name another folder with --tmp"}
	}
	return nil
}

// full tells whether every row came.
func (s *shelf) full() error {
	if s.shelved != len(s.starts) {
		return changedInput(fmt.Errorf("%w: %d of %d kept rows are there", selection.ErrInputChanged, s.shelved, len(s.starts)))
	}
	return nil
}

const (
	lotRows = 512     // rows of a lot that is taken from the shelf; even, so that a pair stays together
	lotSize = 1 << 20 // bytes of one, unless a single line is longer
)

// rows begins a flow with the rows of the shelf in their order: as text that is
// carried along where that is enough, else decoded. In pairs, two make one.
func (s *shelf) rows(workers int, pairs, asText bool) stream.Flow[rollout.Row] {
	lots := stream.From(stream.SourceFunc[lot](s.run), stream.Name("shelf"))
	fields := rollout.AllFields
	switch {
	case pairs:
		fields = selection.PairFields
	case asText:
		fields = 0
	}
	return stream.Through(lots, stream.Map(workers, func(_ context.Context, b stream.Batch[lot]) (stream.Batch[rollout.Row], error) {
		var rows []rollout.Row
		decoder := rollout.NewDecoder(fields)
		for i := range b.Items {
			for start, l := 0, &b.Items[i]; len(l.ends) > 0; start, l.ends = l.ends[0], l.ends[1:] {
				rows = append(rows, rollout.Row{})
				if err := decoder.Decode(l.text[start:l.ends[0]:l.ends[0]], &rows[len(rows)-1]); err != nil {
					return stream.Batch[rollout.Row]{}, fmt.Errorf("read a row from %s again: %w", s.file.Name(), err)
				}
			}
		}
		if pairs {
			rows = selection.PairsOf(rows)
		}
		return stream.Carry(b, rows), nil
	}), stream.Name(rowsStage))
}

// run sends what is on the shelf, lot by lot.
func (s *shelf) run(ctx context.Context, out chan<- stream.Batch[lot]) error {
	for rank := 0; rank < len(s.starts); {
		l := lot{}
		size, end := 0, rank
		for end < len(s.starts) && (end-rank < 2 || end-rank < lotRows && (size < lotSize || (end-rank)%2 == 1)) {
			size += int(s.sizes[end])
			l.ends = append(l.ends, size)
			end++
		}
		l.text = make([]byte, size)
		if err := s.read(l.text, rank, end); err != nil {
			return &files.InputError{Path: s.file.Name(), Err: err, Hint: "name another folder with --tmp"}
		}
		if err := stream.Send(ctx, out, stream.Batch[lot]{Items: []lot{l}}); err != nil {
			return err
		}
		rank = end
	}
	return nil
}

// read reads the lines of ranks; those that stand side by side in one go.
func (s *shelf) read(into []byte, rank, end int) error {
	for at := 0; rank < end; {
		size, next := int(s.sizes[rank]), rank+1
		for next < end && s.starts[next] == s.starts[rank]+int64(size) {
			size += int(s.sizes[next])
			next++
		}
		if _, err := s.file.ReadAt(into[at:at+size], s.starts[rank]-1); err != nil {
			return err
		}
		at, rank = at+size, next
	}
	return nil
}
