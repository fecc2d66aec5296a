package stream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stream"
)

// Parts arrive in the order of the stream, whoever makes them, in a flow and from a
// channel.
func TestGather(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	for _, workers := range []int{1, 3} {
		var got []int
		sink := stream.Gather(workers,
			func(b *stream.Batch[int]) []int { return slices.Clone(b.Items) },
			func(part []int) { got = append(got, part...) }, stream.Name("numbers"))
		rows := stream.Through(stream.FromSeq(slices.Values(items)), stream.Rebatch[int](7))
		stats, err := stream.Run(t.Context(), stream.To(rows, sink))
		if err != nil || !slices.Equal(got, items) {
			t.Errorf("%d workers: %v, %d items", workers, err, len(got))
		}
		var names []string
		for _, s := range stats.Stages {
			names = append(names, s.Name)
		}
		if !slices.Contains(names, "numbers") || !slices.Contains(names, "merge") {
			t.Errorf("stages are %s", strings.Join(names, ", "))
		}
		got = nil
		in := make(chan stream.Batch[int], 1)
		in <- stream.Batch[int]{Items: items}
		close(in)
		if err := sink.Run(t.Context(), in); err != nil || !slices.Equal(got, items) {
			t.Errorf("%d workers, from a channel: %v, %d items", workers, err, len(got))
		}
	}
}
