package stream_test

import (
	"bytes"
	"context"
	"regexp"
	"runtime/pprof"
	"slices"
	"sync"
	"testing"

	"github.com/rollmill/rollmill/stream"
)

// labelled are the stages that goroutines say they work for at this moment.
func labelled(t *testing.T) (stages []string) {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Error(err)
	}
	for _, m := range regexp.MustCompile(`labels: {"job":"nightly", "stage":"([^"]*)"}`).FindAllStringSubmatch(b.String(), -1) {
		stages = append(stages, m[1])
	}
	return stages
}

func TestGoroutinesSayForWhichStageTheyWork(t *testing.T) {
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("job", "nightly"))
	var mu sync.Mutex
	missing := map[string]bool{}
	see := func(stage string) {
		mu.Lock()
		defer mu.Unlock()
		if !slices.Contains(labelled(t), stage) {
			missing[stage] = true
		}
	}
	look := func(stage string) stream.Stage[int, int] {
		return stream.Map(2, func(_ context.Context, b stream.Batch[int]) (stream.Batch[int], error) {
			see(stage)
			return b, nil
		}, stream.Name(stage))
	}
	rows := stream.From[int](stream.SourceFunc[int](func(ctx context.Context, out chan<- stream.Batch[int]) error {
		see("first")
		return stream.Send(ctx, out, stream.Batch[int]{Items: []int{1, 2, 3}})
	}), stream.Name("first"))
	rows = stream.Through(stream.Through(rows, look("second")), look("third")) // fused
	rows = stream.Through(rows, stream.Each(func(_ context.Context, i int) (int, error) {
		see("fourth")
		return i, nil
	}), stream.Name("fourth"))
	end := stream.SinkFunc[int](func(ctx context.Context, in <-chan stream.Batch[int]) error {
		for _, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			see("last")
		}
		return nil
	})
	if _, err := stream.Run(ctx, stream.To(rows, end, stream.Name("last"))); err != nil {
		t.Fatal(err)
	}
	if len(missing) > 0 {
		t.Errorf("no goroutine worked for %v", missing)
	}
}
