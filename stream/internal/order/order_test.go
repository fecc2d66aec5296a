package order_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stream/internal/order"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSequencerLetsOutInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 50).Draw(rt, "n")
		seqs := make([]uint64, n)
		for i := range seqs {
			seqs[i] = uint64(i)
		}
		var s order.Sequencer[uint64]
		var got []uint64
		for _, seq := range rapid.Permutation(seqs).Draw(rt, "order") {
			if err := s.Put(seq, seq, func(v uint64) error { got = append(got, v); return nil }); err != nil {
				rt.Fatal(err)
			}
		}
		if !slices.Equal(got, seqs) {
			rt.Fatalf("got %v", got)
		}
	})
}

func TestSequencerEmitsOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s order.Sequencer[int]
		var got []int
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				time.Sleep(time.Duration(i*7%20) * time.Second)
				if err := s.Put(uint64(i), i, func(v int) error {
					got = append(got, v) // a race if two emit
					time.Sleep(3 * time.Second)
					return nil
				}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(got) != 20 || !slices.IsSorted(got) {
			t.Errorf("got %v", got)
		}
	})
}

func TestSequencerStopsAtAnError(t *testing.T) {
	var s order.Sequencer[int]
	boom := errors.New("boom")
	var got []int
	emit := func(v int) error {
		got = append(got, v)
		if v == 1 {
			return boom
		}
		return nil
	}
	for _, seq := range []int{2, 1} {
		if err := s.Put(uint64(seq), seq, emit); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Put(0, 0, emit); !errors.Is(err, boom) {
		t.Errorf("got %v, want %v", err, boom)
	}
	if err := s.Put(3, 3, emit); err != nil || !slices.Equal(got, []int{0, 1}) {
		t.Errorf("%v; emitted %v, want [0 1]", err, got)
	}
}

func TestTurn(t *testing.T) {
	turn := order.NewTurn()
	if err := turn.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := turn.Take(ctx); !errors.Is(err, why) {
		t.Errorf("got %v, want %v", err, why)
	}
	turn.Leave()
	if err := turn.Take(t.Context()); err != nil {
		t.Error(err)
	}
}

// begun reports whether an item may begin now.
func begun(w *order.Window, item uint64) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // of fake time
	defer cancel()
	return w.Begin(ctx, item) == nil
}

func taken(w *order.Window, items int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return w.Take(ctx, items) == nil
}

func TestWindowFollowsTheOldestItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := order.NewWindow(3)
		for item := range uint64(3) {
			if !begun(w, item) {
				t.Fatalf("item %d may not begin", item)
			}
		}
		w.Finish(1)
		w.Finish(2)
		if begun(w, 3) {
			t.Error("item 3 began although item 0 is not finished")
		}
		w.Finish(0)
		if !begun(w, 5) || begun(w, 6) {
			t.Error("after 0, 1 and 2 the window is not 3, 4 and 5")
		}
	})
}

func TestWindowTakesOneGroupAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := order.NewWindow(10)
		// The first counts nothing; 6 and 6 behind it fill the window.
		if !taken(w, 100) || !taken(w, 6) || !taken(w, 6) || taken(w, 1) {
			t.Fatal("want room for 100, 6 and 6")
		}
		w.Leave() // 6 is first now, 6 behind it
		for n := range 5 {
			if got := taken(w, 0); got != (n < 4) {
				t.Errorf("empty group %d taken: %t, want room for four", n, got)
			}
		}
	})
}

func TestWindowWakesTheOneThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := order.NewWindow(1)
		if err := w.Begin(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Minute, func() { w.Finish(0) })
		start := time.Now()
		if err := w.Begin(t.Context(), 1); err != nil || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
