package parquet

import (
	"context"

	"golang.org/x/sync/semaphore"

	"github.com/rollmill/rollmill/formats/rollout"
)

// heldGroup is what the columns of a row group of ours are at most, or little more, when
// they are unpacked.
const heldGroup = groupBytes + groupBytes/4

// heldBytes is how much a flow of so many workers holds: a row group each, and two at the
// least, so that one is read while batches are made of another.
func heldBytes(workers int) int64 { return int64(max(workers, 2)) * heldGroup }

// budget bounds the row groups of ours that a flow holds between file and batches, of
// which each pins its memory until its last batch has left. What is larger than all of
// it is held alone.
type budget struct {
	all  int64
	left *semaphore.Weighted
}

func newBudget(all int64) *budget { return &budget{all, semaphore.NewWeighted(all)} }

// take waits until there is room for so many bytes, and says how many to give back.
func (b *budget) take(ctx context.Context, size int64) (taken int64, err error) {
	taken = min(size, b.all)
	if b.left.Acquire(ctx, taken) != nil {
		return 0, context.Cause(ctx)
	}
	return taken, nil
}

func (b *budget) give(taken int64) { b.left.Release(taken) }

// size is what the columns of the wanted fields are when they are unpacked, by what the
// file says of each: more than most is most of one.
func (p *piece) size(want rollout.Fields, most int64) (bytes int64) {
	for i, c := range p.in.file.Metadata().RowGroups[p.group].Columns {
		if want&columnFields[i] != 0 {
			bytes += min(c.MetaData.TotalUncompressedSize, most)
		}
	}
	return bytes
}
