package stream_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/stream"
)

// The smallest flow: numbers, squared by two workers, printed in order.
func Example() {
	numbers := stream.FromSlice([]int{1, 2, 3, 4})
	squares := stream.Through(numbers, stream.MapItems(2, func(_ context.Context, i int) (int, error) {
		return i * i, nil
	}))
	show := stream.SinkFunc[int](func(ctx context.Context, in <-chan stream.Batch[int]) error {
		for b, err := range stream.Receive(ctx, in) {
			if err != nil {
				return err
			}
			fmt.Println(b.Items)
		}
		return nil
	})
	stats, err := stream.Run(context.Background(), stream.To(squares, show))
	fmt.Println(stats.Stages[1].Name, stats.Stages[1].ItemsOut, err)
	// Output:
	// [1 4 9 16]
	// map 4 <nil>
}

// A service that has its own channels plugs a flow in between.
func Example_embedding() {
	requests := make(chan string)
	lengths := stream.Through(stream.FromChan(requests), stream.Each(func(ctx context.Context, s string) (int, error) {
		return len(s), ctx.Err() // a call to somewhere else
	}, stream.InFlight(8)))

	batches, end := stream.Chan(context.Background(), lengths)
	go func() {
		defer close(requests)
		for _, s := range []string{"a", "bb", "ccc"} {
			requests <- s
		}
	}()
	for b := range batches {
		for _, n := range b.Items {
			fmt.Println(n)
		}
	}
	if err := end(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1
	// 2
	// 3
}

// All ranges over the items of a flow. An item that was refused comes as a
// RejectError and does not stop it.
func ExampleFlow_All() {
	words := stream.FromSlice(strings.Fields("1 2 three 4"))
	numbers := stream.Through(words, stream.MapItems(1, func(_ context.Context, s string) (int, error) {
		i, err := strconv.Atoi(s)
		if err != nil {
			return 0, &stream.RejectError{Reject: stream.Reject{Stage: "parse", Code: "not_a_number", Detail: s}}
		}
		return i, nil
	}))
	for i, err := range numbers.All(context.Background()) {
		var reject *stream.RejectError
		switch {
		case errors.As(err, &reject):
			fmt.Println("rejected:", reject.Reject.Detail)
		case err != nil:
			fmt.Println("failed:", err)
		default:
			fmt.Println(i)
		}
	}
	// Output:
	// 1
	// 2
	// 4
	// rejected: three
}

// Map works on whole batches and may change the type.
func ExampleMap() {
	words := stream.FromSlice([]string{"to", "be", "or"}, stream.Items(2))
	lengths := stream.Map(1, func(_ context.Context, b stream.Batch[string]) (stream.Batch[int], error) {
		out := make([]int, len(b.Items))
		for i, w := range b.Items {
			out[i] = len(w)
		}
		return stream.Carry(b, out), nil
	})
	items, _, err := stream.Collect(context.Background(), stream.Through(words, lengths))
	fmt.Println(items, err)
	// Output: [2 2 2] <nil>
}

// GroupBy joins consecutive items of one key, across batches.
func ExampleGroupBy() {
	words := stream.FromSlice(strings.Fields("apple ant bee bear cat"), stream.Items(2))
	groups := stream.Through(words, stream.GroupBy(func(w *string) byte { return (*w)[0] }))
	for g, err := range groups.All(context.Background()) {
		fmt.Printf("%c %v %v\n", g.Key, g.Items, err)
	}
	// Output:
	// a [apple ant] <nil>
	// b [bee bear] <nil>
	// c [cat] <nil>
}

// Tee sends one flow to two ends.
func ExampleTee() {
	branches := stream.Tee(stream.FromSlice([]int{1, 2, 3, 4}), 2)
	sum := func(total *int) stream.Sink[int] {
		return stream.SinkFunc[int](func(ctx context.Context, in <-chan stream.Batch[int]) error {
			for b, err := range stream.Receive(ctx, in) {
				if err != nil {
					return err
				}
				for _, i := range b.Items {
					*total += i
				}
			}
			return nil
		})
	}
	var all, even int
	_, err := stream.Run(context.Background(),
		stream.To(branches[0], sum(&all)),
		stream.To(stream.Through(branches[1], stream.Filter(func(i *int) bool { return *i%2 == 0 })), sum(&even)))
	fmt.Println(all, even, err)
	// Output: 10 6 <nil>
}
