package mathequal_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// A gathered is a case of the outside world: what someone reported of a grader.
type gathered struct {
	ID    string
	Input struct {
		Op    string
		Pairs [][2]string
		Texts []string
		Text  string
		Than  string `json:"compare_with"`
	}
	Expected struct {
		Equal   any
		Values  []string
		Value   string
		MustNot []string `json:"must_not"`
	}
}

var modes = []mathequal.Mode{mathequal.MathVerify, mathequal.Strict}

func equal(t *testing.T, answer, reference string, o mathequal.Options) bool {
	t.Helper()
	v, err := mathequal.Equal(answer, reference, o)
	if err != nil {
		t.Errorf("%q against %q: %v", answer, reference, err)
	}
	return v.Equal
}

func TestGatheredCases(t *testing.T) {
	all := readLines[gathered](t, "testdata/cases.jsonl")
	if len(all) != 13 {
		t.Errorf("%d cases", len(all))
	}
	for _, mode := range modes {
		o := mathequal.Options{Mode: mode}
		for _, c := range all {
			t.Run(c.ID+" "+mode.String(), func(t *testing.T) { checkGathered(t, c, o) })
		}
	}
}

func checkGathered(t *testing.T, c gathered, o mathequal.Options) {
	texts, values := c.Input.Texts, c.Expected.Values
	switch c.Input.Op {
	case "math_equal":
		for i, want := range c.Expected.Equal.([]any) {
			p := c.Input.Pairs[i]
			if got := equal(t, p[0], p[1], o); got != want {
				t.Errorf("%q against %q: %v", p[0], p[1], got)
			}
		}
		return
	case "extract_boxed", "extract_gsm8k":
		texts, values = []string{c.Input.Text}, []string{c.Expected.Value}
	case "extract_last_number", "extract_boxed_number":
	default:
		t.Fatalf("unknown operation %q", c.Input.Op)
	}
	for i, text := range texts {
		got, _ := mathequal.Final(text, o)
		if slices.Contains(c.Expected.MustNot, got.Text) {
			t.Errorf("%q: %q", text, got.Text)
		}
		plain := strings.NewReplacer("{,}", "", ",", "").Replace(got.Text)
		if plain != values[i] || !equal(t, got.Text, values[i], o) {
			t.Errorf("%q: %q, want %q", text, got.Text, values[i])
		}
		if c.Input.Than != "" && !equal(t, got.Text, c.Input.Than, o) {
			t.Errorf("%q is not %q", got.Text, c.Input.Than)
		}
	}
}
