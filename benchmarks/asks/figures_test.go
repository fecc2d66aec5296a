package asks_test

import (
	"testing"

	"github.com/rollmill/rollmill/benchmarks/asks"
)

// Every call of the fewest rows does here what it did there.
func TestCalls(t *testing.T) {
	dir := t.TempDir()
	list := asks.FiguresOf(2_000)
	if len(list) != 7 {
		t.Errorf("%d figures", len(list))
	}
	for _, f := range list {
		t.Run(f.Call, func(t *testing.T) {
			if err := f.Make(dir); err != nil {
				t.Fatal(err)
			}
			if err := f.Run(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Each call was recorded at three sizes, and more rows took longer.
func TestFigures(t *testing.T) {
	for _, f := range asks.Figures {
		larger, err := asks.Named(f.Call, f.Rows*10)
		if f.Rows < 200_000 && (err != nil || larger.Seconds <= f.Seconds || larger.MB < f.MB/2) {
			t.Errorf("%s of %d rows: %+v, %v", f.Call, f.Rows, larger, err)
		}
	}
}
