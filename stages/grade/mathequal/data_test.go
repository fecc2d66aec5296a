package mathequal_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// data reads a file of other people's data, which is not part of the repository.
func data(t *testing.T, parts ...string) []byte {
	t.Helper()
	dir := os.Getenv("ROLLMILL_DATA")
	if dir == "" {
		dir = "../../../../shared/data"
	}
	raw, err := os.ReadFile(filepath.Join(append([]string{dir}, parts...)...))
	if err != nil {
		t.Skipf("set ROLLMILL_DATA: %v", err)
	}
	return raw
}

func TestMathCases(t *testing.T) {
	var cases []struct{ Source, Output, Target, Expected string }
	if err := json.Unmarshal(data(t, "math_cases", "math_cases.open.json"), &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		v, err := mathequal.Match(c.Output, c.Target, mathequal.Options{Mode: mathequal.Strict})
		if err != nil || v.Equal != (c.Expected == "C") {
			t.Errorf("%s: %q against %q: %+v (%v, %v), %v", c.Source, c.Output, c.Target, v, v.Place, v.By, err)
		}
	}
	if len(cases) != 17 {
		t.Errorf("%d cases", len(cases))
	}
}

// TestSchoolMath grades all solutions of models to grade-school problems against
// the true answers; the labels that come with them say the same of every one.
func TestSchoolMath(t *testing.T) {
	type solution struct {
		Solution  string
		IsCorrect bool `json:"is_correct"`
	}
	lines := bufio.NewScanner(bytes.NewReader(data(t, "gsm8k", "example_model_solutions.jsonl")))
	lines.Buffer(nil, 1<<20)
	graded := 0
	for lines.Scan() {
		var row map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		var truth string
		if err := json.Unmarshal(row["ground_truth"], &truth); err != nil {
			t.Fatal(err)
		}
		for _, mode := range modes {
			o := mathequal.Options{Mode: mode}
			reference, ok := mathequal.Final(truth, o)
			if !ok || reference.Place != mathequal.Marker {
				t.Fatalf("no answer in %q", truth)
			}
			m, err := mathequal.NewMatcher(reference.Text, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, raw := range row {
				var s solution
				if !strings.HasPrefix(string(raw), "{") || json.Unmarshal(raw, &s) != nil {
					continue
				}
				graded++
				v, err := m.Reply(s.Solution)
				if err != nil || v.Equal != s.IsCorrect {
					t.Errorf("%v: %q against %q: %+v at %v, %v", mode, s.Solution, reference.Text, v, v.Place, err)
				}
			}
		}
	}
	if graded != 2*5276 {
		t.Errorf("%d solutions graded", graded)
	}
}
