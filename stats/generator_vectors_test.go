package stats_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/stats"
)

// TestGeneratorVectors holds the generator against what CPython draws: whole
// words, doubles, shuffles of several lists in turn, choices and samples (spec
// of gates, section 1.9).
func TestGeneratorVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/generator.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID    string
			Input struct {
				Seed                 int64
				Count, Population, K int
				Lengths              []int
			}
			Expect json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != 10 {
		t.Fatalf("%d vectors, want 10", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		rng, in := stats.NewMersenneTwister(v.Input.Seed), v.Input
		var got any
		switch kind := strings.Split(v.ID, "-")[1]; kind {
		case "bits":
			got = times(in.Count, func() uint64 { return rng.Bits(32) })
		case "random":
			got = times(in.Count, rng.Float64)
		case "choice":
			var picks []int
			for _, n := range in.Lengths {
				picks = append(picks, rng.Below(n))
			}
			got = picks
		case "sample":
			got = rng.Sample(in.Population, in.K)
		case "shuffle":
			var lists [][]int
			for _, n := range in.Lengths {
				list := make([]int, n)
				for i := range list {
					list[i] = i
				}
				rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
				lists = append(lists, list)
			}
			got = lists
		default:
			t.Fatalf("%s: what is %s?", v.ID, kind)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var want, have any
		if json.Unmarshal(v.Expect, &want) != nil || json.Unmarshal(text, &have) != nil {
			t.Fatalf("%s: not JSON", v.ID)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", v.ID, diff)
		}
	}
}

func times[T any](n int, draw func() T) (drawn []T) {
	for range n {
		drawn = append(drawn, draw())
	}
	return drawn
}
