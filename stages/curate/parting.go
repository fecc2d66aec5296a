package curate

import (
	"context"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

// DefaultPartRows is how many rows a part of the spool has unless PartRows says
// otherwise.
const DefaultPartRows = 16384

// partBytes is how many bytes of text, as they were read, a part has at most, but for
// one row.
const partBytes = 128 << 20

// parting stands behind the source. It drops the rows that an earlier run has
// finished, and cuts batches where a part ends; the rest of the pass goes by their
// numbers. A part ends by what rows say, whatever batches they came in: record batches
// end with it.
type parting struct {
	rows  int64        // of a part
	bytes int64        // of the open part
	skip  int64        // rows to drop
	last  rollout.Pos  // of the last of them
	fresh func() *part // makes a part

	mu struct {
		sync.Mutex
		parts []*openPart
	}
}

// openPart is a part that is being made.
type openPart struct {
	*part
	first, end uint64 // the numbers of its batches; the end is MaxUint64 until it is known
}

// Run sends on the rows that are to be read.
func (p *parting) Run(ctx context.Context, in <-chan stream.Batch[rollout.Row], out chan<- stream.Batch[rollout.Row]) error {
	seq := uint64(0)
	for b, err := range stream.Receive(ctx, in) {
		if err != nil {
			return err
		}
		if err := p.drop(&b); err != nil {
			return err
		}
		for more := true; more; seq++ {
			piece := b
			n, size := p.note(seq, b.Items)
			piece.Items, piece.Bytes = b.Items[:n:n], size
			if more = n < len(b.Items); more {
				piece.Mark = nil
			}
			b.Items, b.Rejects = b.Items[n:], nil
			if err := stream.Send(ctx, out, piece); err != nil {
				return err
			}
		}
	}
	if p.skip > 0 {
		return errOtherRows
	}
	return nil
}

// errOtherRows says that a source did not give what it gave before.
var errOtherRows = lost("the inputs are the same and their rows are not; --force begins anew")

// drop takes from a batch the rows that are finished. Its rejects stay: they are
// read again.
func (p *parting) drop(b *stream.Batch[rollout.Row]) error {
	n := min(p.skip, int64(len(b.Items)))
	if n == 0 {
		return nil
	}
	if p.skip -= n; p.skip == 0 && placeless(b.Items[n-1].Pos) != p.last {
		return errOtherRows
	}
	b.Items, b.Bytes = b.Items[n:], 0
	return nil
}

// note adds rows of a batch to the open part, as many as it holds, and returns how
// many these are and their size.
func (p *parting) note(seq uint64, rows []rollout.Row) (n int, size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.mu.parts) - 1
	if last < 0 || p.mu.parts[last].end != math.MaxUint64 {
		p.mu.parts = append(p.mu.parts, &openPart{p.fresh(), seq, math.MaxUint64})
		last++
		p.bytes = 0
	}
	open := p.mu.parts[last]
	for n < len(rows) && open.Rows < p.rows && p.bytes < partBytes {
		bytes := sizeOf(&rows[n])
		size += bytes
		p.bytes += bytes
		open.At.add(rows[n].Pos)
		open.Rows++
		n++
	}
	if open.Rows > 0 && (open.Rows == p.rows || p.bytes >= partBytes) {
		open.end = seq
	}
	return n, size
}

// sizeOf is how many bytes of text a row was made of.
func sizeOf(r *rollout.Row) int64 {
	if n := len(r.Source()); n > 0 {
		return int64(n)
	}
	n := len(r.Prompt) + len(r.FinalText)
	for i := range r.Messages {
		n += len(r.Messages[i].Content)
	}
	return int64(n)
}

// of is the part that a batch belongs to, and whether it ends behind that batch.
func (p *parting) of(seq uint64) (open *part, ends bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := sort.Search(len(p.mu.parts), func(i int) bool { return p.mu.parts[i].end >= seq })
	return p.mu.parts[i].part, p.mu.parts[i].end == seq
}

// ends reports whether a part ends behind a batch.
func (p *parting) ends(seq uint64) bool {
	_, ends := p.of(seq)
	return ends
}

// shift returns the first part, whose file is whole, and forgets it.
func (p *parting) shift() *part {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.mu.parts[0].part
	p.mu.parts = slices.Delete(p.mu.parts, 0, 1)
	return first
}

// left is how many rows are in parts that have no file.
func (p *parting) left() (rows int64) {
	for _, open := range p.mu.parts {
		rows += open.Rows
	}
	return rows
}

// graded picks the tally of a grader.
func (p *parting) graded(n int) func(seq uint64) *grade.Tally {
	return func(seq uint64) *grade.Tally {
		open, _ := p.of(seq)
		return open.Graded[n]
	}
}

// compared picks the tally of the comparison.
func (p *parting) compared(seq uint64) *decontaminate.Tally {
	open, _ := p.of(seq)
	return open.Compared
}

// finishPart notes that the file of a part is whole: from here on a run that is cut off
// does not make it again.
func (l *line) finishPart(p *parting) func(file arrowipc.Part, sum [16]byte) error {
	return func(file arrowipc.Part, sum [16]byte) error {
		one := p.shift()
		if one.Rows != file.Rows {
			return lost("%d of a part were read, %d are in the spool", one.Rows, file.Rows)
		}
		if err := l.unchanged(); err != nil {
			return err
		}
		one.First, one.Bytes, one.Sum = l.spool.rows(), file.Bytes, sumText(sum)
		if err := l.writeNote(one, l.spool.note(l.spool.parts())); err != nil {
			return err
		}
		l.spool.add(one)
		return nil
	}
}
