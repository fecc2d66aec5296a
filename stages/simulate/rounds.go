package simulate

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

func (s *Source) rounds(ctx context.Context, out chan<- stream.Batch[rollout.Row]) error {
	return nil
}
