package text_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// vector is an input and output of the reference implementation.
type vector struct {
	ID     string
	Input  []string
	Expect json.RawMessage
}

func vectors(t testing.TB) map[string]vector {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	byID := map[string]vector{}
	for _, v := range file.Vectors {
		byID[v.ID] = v
	}
	return byID
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	check[string](t, all["norm-1"], text.Norm)
	check[[]string](t, all["words-1"], func(s string) []string { return slices.Collect(text.Words(s)) })
	check[[]string](t, all["tokens-1"], func(s string) []string { return slices.Collect(text.Tokens(text.Lower(s))) })
	check[[]string](t, all["tokset-1"], func(s string) []string {
		return slices.Compact(slices.Sorted(text.Words(s)))
	})
	check[bool](t, all["finished-1"], text.LooksFinished)
}

func check[T any](t *testing.T, v vector, of func(string) T) {
	t.Helper()
	var want []T
	if err := json.Unmarshal(v.Expect, &want); err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	if len(want) == 0 || len(want) != len(v.Input) {
		t.Fatalf("%s: %d inputs, %d results", v.ID, len(v.Input), len(want))
	}
	for i, input := range v.Input {
		if diff := cmp.Diff(want[i], of(input), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", v.ID, input, diff)
		}
	}
}

// TestPython holds the primitives against what CPython 3.11 made of texts full
// of sigmas, accents, separators and characters of odd case.
func TestPython(t *testing.T) {
	f, err := os.Open("testdata/python.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var want, got pythonText
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		s := want.Text
		got = pythonText{
			Text: s, Lower: text.Lower(s), Fields: strings.Fields(text.Norm(s)), Words: slices.Collect(text.Words(s)),
			Tokens: slices.Collect(text.Tokens(text.Lower(s))), Lines: slices.Collect(text.Lines(s)), Trimmed: text.Trim(s),
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
		if c := text.CountFields(s); c != len(want.Fields) {
			t.Errorf("CountFields(%q) = %d, want %d", s, c, len(want.Fields))
		}
	}
	if n < 100 {
		t.Fatalf("%d texts; want more", n)
	}
}

type pythonText struct {
	Text, Lower, Trimmed         string
	Fields, Words, Tokens, Lines []string
}
