package stats_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

// TestWideSeeds pins what CPython gives where the vectors do not reach: seeds of
// two words, negative ones, more than 32 bits at once, long texts.
func TestWideSeeds(t *testing.T) {
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"sign of the seed", stats.NewMersenneTwister(-1).Bits(32), stats.NewMersenneTwister(1).Bits(32)},
		{"two words", stats.NewMersenneTwister(1 << 40).Bits(32), 445128065},
		{"smallest seed", stats.NewMersenneTwister(math.MinInt64).Bits(64), 7266025828921626888},
		{"40 bits", stats.NewMersenneTwister(5).Bits(40), 281848216645},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	rng := stats.NewMersenneTwister(5)
	rng.Bits(40)
	rng.Bits(40)
	if got := rng.Below(1 << 40); got != 549512532852 {
		t.Errorf("Below(2^40) = %d, want 549512532852", got)
	}
	if got := stats.NewMersenneTwisterString(strings.Repeat("a", 200)).Float64(); got != 0.07279687109241983 {
		t.Errorf("seeded by a long text: %v, want 0.07279687109241983", got)
	}
}

func TestBits(t *testing.T) {
	for k := 1; k <= 64; k++ {
		rng, words := stats.NewMersenneTwister(9), stats.NewMersenneTwister(9)
		want := uint64(words.Uint32())
		if k <= 32 {
			want >>= 32 - k
		} else {
			want |= uint64(words.Uint32()>>(64-k)) << 32
		}
		if got := rng.Bits(k); got != want {
			t.Errorf("Bits(%d) = %d, want %d", k, got, want)
		}
	}
}

func TestGeneratorProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Int64().Draw(t, "seed")
		rng := stats.NewMersenneTwister(seed)
		n := rapid.IntRange(1, 400).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		sample := rng.Sample(n, k)
		sorted := slices.Sorted(slices.Values(sample))
		if len(slices.Compact(sorted)) != k || k > 0 && (sorted[0] < 0 || sorted[len(sorted)-1] >= n) {
			t.Fatalf("sample of %d out of %d: %v", k, n, sample)
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		for i, x := range slices.Sorted(slices.Values(order)) {
			if i != x {
				t.Fatalf("shuffle lost %d", i)
			}
		}
		limit := rapid.IntRange(1, math.MaxInt).Draw(t, "limit")
		if x := rng.Below(limit); x < 0 || x >= limit {
			t.Fatalf("Below(%d) = %d", limit, x)
		}
		if u := rng.Uniform(-2, 3); u < -2 || u >= 3 {
			t.Fatalf("Uniform(-2, 3) = %v", u)
		}
	})
}

func TestGeneratorMisuse(t *testing.T) {
	for name, misuse := range map[string]func(){
		"Below(0)":     func() { stats.NewMersenneTwister(0).Below(0) },
		"Sample(3, 4)": func() { stats.NewMersenneTwister(0).Sample(3, 4) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			misuse()
		})
	}
}
