package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// graded is what grade reports, as far as these tests look at it.
type graded struct {
	Written int64 `json:"written"`
	Grading struct {
		Graders []struct {
			Name    string `json:"name"`
			Passed  int64  `json:"passed"`
			Partial int64  `json:"partial"`
			Scored  int64  `json:"scored"`
		} `json:"graders"`
	} `json:"grading"`
}

// The solutions of the example models of GSM8K, graded by the command: number
// and mathematics agree with the authors on every row.
func TestGradeGSM8K(t *testing.T) {
	dir, want := readExpected(t)
	in, out := filepath.Join(dir, "gsm8k", "example_model_solutions.jsonl"), filepath.Join(t.TempDir(), "graded.jsonl")
	right, models := int64(0), []string{}
	for name, accuracy := range want.GSM8K.Accuracy {
		models = append(models, name)
		right += int64(accuracy[0])
	}
	r := report[graded](t, "grade", in, "-o", out, "--with", "numeric", "--marker", "math=math", "--marker", "authors=field:is_correct",
		"--map", "prompt=question,privileged.reference=ground_truth,final_text=.solution,extra.is_correct=.is_correct", "--each", strings.Join(models, ","))
	if r.Written != 5276 || len(r.Grading.Graders) != 3 {
		t.Fatalf("got %+v", r)
	}
	for _, g := range r.Grading.Graders {
		if g.Passed != right || g.Scored != 5276 || g.Partial != 0 {
			t.Errorf("%s: %d passed of %d scored, want %d of 5,276", g.Name, g.Passed, g.Scored, right)
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var row struct {
			Reward  int            `json:"reward"`
			Markers map[string]int `json:"markers"`
			Correct bool           `json:"is_correct"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if authors := row.Markers["authors"]; row.Reward != authors || row.Markers["math"] != authors || row.Correct != (authors == 1) {
			t.Errorf("numeric %d, math %d, authors %d: %.200s", row.Reward, row.Markers["math"], authors, line)
		}
	}
}

// The possible answers of the function-calling benchmark, as rows, against the
// answer file itself.
func TestGradeBFCL(t *testing.T) {
	dir, _ := readExpected(t)
	for file, tasks := range map[string]int64{"simple_python": 400, "parallel_multiple": 200} {
		answers := filepath.Join(dir, "bfcl", "answer.BFCL_v4_"+file+".json")
		in := filepath.Join(t.TempDir(), "calls.jsonl")
		writeCalls(t, answers, in)
		r := report[graded](t, "grade", in, "-o", filepath.Join(t.TempDir(), "graded.jsonl"), "--with", "tool-calls:"+answers)
		if g := r.Grading.Graders[0]; g.Passed != tasks || g.Scored != tasks {
			t.Errorf("%s: %d passed of %d scored, want %d", file, g.Passed, g.Scored, tasks)
		}
	}
}

// writeCalls makes a row of each task, with its calls, of which each argument has
// the first of its possible values.
func writeCalls(t *testing.T, answers, rows string) {
	t.Helper()
	file, err := os.Open(answers)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out bytes.Buffer
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var record struct {
			ID    string                                   `json:"id"`
			Truth []map[string]map[string][]jsontext.Value `json:"ground_truth"`
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		var calls []string
		for _, call := range record.Truth {
			for name, possible := range call {
				arguments := map[string]jsontext.Value{}
				for argument, values := range possible {
					if string(values[0]) != `""` {
						arguments[argument] = firstOf(t, values[0])
					}
				}
				text, err := json.Marshal(map[string]any{"name": name, "arguments": arguments})
				if err != nil {
					t.Fatal(err)
				}
				calls = append(calls, string(text))
			}
		}
		fmt.Fprintf(&out, `{"scenario_id":%q,"messages":[{"role":"assistant","tool_calls":[%s]}]}`+"\n", record.ID, strings.Join(calls, ","))
	}
	if err := os.WriteFile(rows, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// firstOf is a possible value, with the first one of each member of an object.
func firstOf(t *testing.T, value jsontext.Value) jsontext.Value {
	t.Helper()
	var chosen any
	switch value.Kind() {
	case '{':
		var possible map[string][]jsontext.Value
		if err := json.Unmarshal(value, &possible); err != nil {
			t.Fatal(err)
		}
		object := map[string]jsontext.Value{}
		for name, values := range possible {
			object[name] = firstOf(t, values[0])
		}
		chosen = object
	case '[':
		var elements []jsontext.Value
		if err := json.Unmarshal(value, &elements); err != nil {
			t.Fatal(err)
		}
		for i := range elements {
			elements[i] = firstOf(t, elements[i])
		}
		chosen = elements
	default:
		return value
	}
	text, err := json.Marshal(chosen)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
