package selection

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// TestBytesARow holds what stays in memory of a million rows, 8 of a task,
// against what the doc promises.
func TestBytesARow(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows take seconds")
	}
	const rows = 1_000_000
	for _, mode := range []struct {
		mode Mode
		most float64 // bytes a row when it is read, with the tables of tasks and prompts
		plan float64 // and when it is planned
	}{
		{RL, 42, 52},
		{SFT, 46, 49},
		{Pairs, 38, 46},
	} {
		t.Run(string(mode.mode), func(t *testing.T) {
			before := heap()
			a := sketched(t, Options{Mode: mode.mode}, rows)
			read := float64(heap()-before) / rows
			p, err := a.Plan(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			planned := float64(heap()-before) / rows
			t.Logf("%.1f bytes a row read, %.1f planned, %d kept", read, planned, p.Kept())
			if read > mode.most || planned > mode.plan {
				t.Errorf("%.1f bytes a row read, %.1f planned; want at most %v and %v", read, planned, mode.most, mode.plan)
			}
			runtime.KeepAlive(p)
		})
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A plan is not made for someone who does not want it any more.
func TestPlanObeysContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, mode := range []Mode{RL, SFT, Pairs} {
		if _, err := sketched(t, Options{Mode: mode}, 100).Plan(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that the context was cancelled", mode, err)
		}
	}
}
