package probes

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// Scorer scores a row; a pass is 1. It is called by several goroutines at once.
// An error, and a score that is no finite number, is no score.
type Scorer func(ctx context.Context, row *rollout.Row) (score float64, err error)

// Errors of wrong arguments.
var (
	ErrProbe  = errors.New("probes: there is no such probe")
	ErrFlag   = errors.New("probes: the flag must be above 0 and at most 1")
	ErrSample = errors.New("probes: the sample must be at least 1")
)

// Defaults of the options (spec of gates, section 9).
const (
	DefaultFlag     = 0.10
	DefaultSample   = 40
	DefaultInFlight = 8
)

// settings are what both kinds of probes are told.
type settings struct {
	flag             float64
	sample, inFlight int
}

func settle(flag float64, sample, inFlight int) (settings, error) {
	s := settings{flag, sample, inFlight}
	if s.flag == 0 {
		s.flag = DefaultFlag
	}
	if s.sample == 0 {
		s.sample = DefaultSample
	}
	if s.inFlight == 0 {
		s.inFlight = DefaultInFlight
	}
	switch {
	case !(s.flag > 0 && s.flag <= 1):
		return s, fmt.Errorf("%w: %g", ErrFlag, flag)
	case s.sample < 1:
		return s, fmt.Errorf("%w: %d", ErrSample, sample)
	}
	s.inFlight = max(1, s.inFlight)
	return s, nil
}

// draw takes a seeded sample of rows, all of them where there are no more.
func (s settings) draw(rows []rollout.Row, seed int64) []rollout.Row {
	if len(rows) <= s.sample {
		return rows
	}
	picked := make([]rollout.Row, 0, s.sample)
	for _, i := range stats.NewMersenneTwister(seed).Sample(len(rows), s.sample) {
		picked = append(picked, rows[i])
	}
	return picked
}

// score scores rows, in their order. The error is that of the context.
func (s settings) score(ctx context.Context, rows []rollout.Row, scorer Scorer) ([]stats.Null[float64], error) {
	flow := stream.Through(stream.FromSlice(rows), stream.Each(func(ctx context.Context, r rollout.Row) (stats.Null[float64], error) {
		score, err := scorer(ctx, &r)
		if ctx.Err() != nil {
			return stats.Null[float64]{}, context.Cause(ctx)
		}
		return stats.Null[float64]{V: score, Valid: err == nil && score-score == 0}, nil
	}, stream.InFlight(s.inFlight)))
	scores, _, err := stream.Collect(ctx, flow)
	return scores, err
}
