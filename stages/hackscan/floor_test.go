package hackscan

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rollmill/rollmill/stats"
)

// made is a set of rows by their rewards, tasks and columns alone.
func made(seed uint64, n, taskSize int, binary bool) (*centring, []*feature, []*scratch) {
	src := rand.New(rand.NewPCG(seed, 2))
	of := make([]uint32, n)
	var reward columnBuilder
	columns := make([]columnBuilder, 7)
	for i := range n {
		of[i] = uint32(i / taskSize)
		if taskSize > 1 && i%3 == 0 { // rows of tasks do not stand together
			of[i] = uint32(src.IntN(i/taskSize + 1))
		}
		x := float64(src.IntN(2))
		if !binary {
			x = src.NormFloat64()
		}
		reward.add(i, x)
		columns[0].add(i, float64(src.IntN(2)))    // a bitmap
		columns[1].add(i, one(src.IntN(100) == 0)) // lists
		columns[2].add(i, float64(src.IntN(200)))  // bytes
		columns[3].add(i, float64(src.IntN(70_000)))
		columns[4].add(i, float64(src.IntN(1<<20)))
		columns[5].add(i, src.NormFloat64())
		columns[6].add(i, one(i < n/2)+x) // what is paid
	}
	r := rewardsOf(ref(reward.column()), n)
	g := newGroups(of, (n-1)/taskSize+1, r)
	_, _, spread := g.support(r)
	c := newCentring(g, r, spread)
	workers := []*scratch{newScratch(len(g.size)), newScratch(len(g.size)), newScratch(len(g.size))}
	var features []*feature
	for i := range columns {
		f := &feature{name: string(rune('a' + i)), column: columns[i].column()}
		c.measure(f, workers[0])
		features = append(features, f)
	}
	return c, features, workers
}

func ref[T any](v T) *T { return &v }

// The fast floor is the plain one, whatever forms columns and rewards have.
func TestFloorFastAndPlain(t *testing.T) {
	for _, c := range []struct {
		name     string
		n, size  int
		binary   bool
		shuffles int
		floor    Floor
	}{
		{"words", 40_000, 8, true, 40, Parity},
		{"words, calibrated", 40_000, 8, true, 20, Calibrated},
		{"large tasks", 40_000, 100, true, 20, Parity},
		{"one task", 5_000, 5_000, true, 20, Calibrated},
		{"numbers", 40_000, 8, false, 20, Parity},
		{"numbers, calibrated", 10_000, 8, false, 10, Calibrated},
		{"pairs", 1_000, 2, true, 33, Parity},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, features, workers := made(1, c.n, c.size, c.binary)
			o := Options{Shuffles: c.shuffles, Seed: 5, Floor: c.floor, Seeds: 12, MinRows: 20}
			plain, err := (&floorer{at, &o, workers[:1], true}).maxima(context.Background(), features)
			if err != nil {
				t.Fatal(err)
			}
			fast, err := (&floorer{at, &o, workers, false}).maxima(context.Background(), features)
			if err != nil {
				t.Fatal(err)
			}
			if len(plain) != c.shuffles || len(fast) != c.shuffles {
				t.Fatalf("%d and %d maxima, want %d", len(plain), len(fast), c.shuffles)
			}
			for i := range plain {
				if math.Abs(plain[i]-fast[i]) > 1e-9 || plain[i] == 0 {
					t.Errorf("maximum %d: plain %g, fast %g", i, plain[i], fast[i])
				}
			}
		})
	}
}

// Bits are shuffled as numbers are.
func TestShuffleBitsAndNumbers(t *testing.T) {
	for _, size := range []int{2, 7, 8, 64, 65, 300} {
		c, _, _ := made(3, 2_000, size, true)
		numbers := rewards{n: c.rewards.n, vals: make([]float64, c.rewards.n)}
		for i := range numbers.vals {
			numbers.vals[i] = c.rewards.at(i)
		}
		bits, plain := newShuffler(9, c.groups, c.rewards), newShuffler(9, c.groups, &numbers)
		for range 3 {
			a, b := bits.next(), plain.next()
			for i := range a.n {
				if a.at(i) != b.at(i) {
					t.Fatalf("tasks of %d: row %d is %g in bits and %g in numbers", size, i, a.at(i), b.at(i))
				}
			}
		}
	}
}

// A correlation is that of centred values, by the book.
func TestRhoIsPearsonWithinTasks(t *testing.T) {
	c, features, _ := made(4, 3_000, 6, false)
	for _, f := range features {
		xs, ys, raw, rewards := []float64{}, []float64{}, []float64{}, []float64{}
		sums := make([]float64, len(c.groups.size))
		for i, k := range c.groups.of {
			sums[k] += f.at(i)
		}
		for i, k := range c.groups.of {
			xs = append(xs, f.at(i)-sums[k]/float64(c.groups.size[k]))
			ys = append(ys, c.rewards.at(i)-c.groups.mean[k])
			raw, rewards = append(raw, f.at(i)), append(rewards, c.rewards.at(i))
		}
		if want := stats.Pearson(xs, ys).V; math.Abs(f.rho-want) > 1e-9 {
			t.Errorf("%s: rho %g, want %g", f.name, f.rho, want)
		}
		if want := stats.Pearson(raw, rewards).V; math.Abs(f.pooled-want) > 1e-9 {
			t.Errorf("%s: pooled %g, want %g", f.name, f.pooled, want)
		}
	}
}

func TestFloorStops(t *testing.T) {
	c, features, workers := made(1, 100, 4, true)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&floorer{c, &Options{Shuffles: 5}, workers, false}).maxima(ctx, features); err != context.Canceled {
		t.Errorf("error %v, want that of the context", err)
	}
}

func BenchmarkFloor(b *testing.B) {
	c, features, workers := made(1, 200_000, 8, true)
	for b.Loop() {
		f := &floorer{c, &Options{Shuffles: 100}, workers[:1], false}
		if _, err := f.maxima(context.Background(), features); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200_000/float64(len(features)), "ns/row/feature")
}
