package mathequal_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// readLines decodes a file of one JSON value a line.
func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for line := range strings.Lines(string(raw)) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// A vector is a verdict that the reference implementation was seen to give.
type vector struct {
	Candidate, Gold, Class, Section string
	Equal                           *int // nil: cannot be judged
}

func TestVectors(t *testing.T) {
	agreed, total := map[string]int{}, map[string]int{}
	for _, v := range readLines[vector](t, "testdata/vectors.jsonl") {
		total[v.Class]++
		// The vectors were measured with thinking left in the text.
		got, err := mathequal.Match(v.Candidate, v.Gold, mathequal.Options{KeepThinking: true})
		ok := err == nil && v.Equal != nil && got.Equal == (*v.Equal == 1)
		if v.Equal == nil {
			ok = errors.Is(err, mathequal.ErrNotMath)
		}
		if ok {
			agreed[v.Class]++
			continue
		}
		t.Errorf("%s (%s): %q against %q: got %+v (by %v, at %v), %v", v.Class, v.Section, v.Candidate, v.Gold, got, got.By, got.Place, err)
	}
	if total["must"] != 255 || total["should"] != 49 || total["may"] != 2 {
		t.Errorf("vectors a class: %v", total)
	}
	t.Logf("agreed: %v of %v", agreed, total)
}
