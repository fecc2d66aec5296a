package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// expected are the figures that an independent program found in the data.
type expected struct {
	TauBench  figures            `json:"taubench"`
	InterCode map[string]figures `json:"intercode"`
	GSM8K     struct {
		Rows     int64                `json:"rows"`
		Accuracy map[string][]float64 `json:"accuracy"`        // by solution: how many are right, and the share
		AnyOf4   float64              `json:"any_of_4"`        // share of the questions that one of the four solves
		SolvedBy map[string]int64     `json:"solved_by_count"` // questions by how many of the four solve them
	} `json:"gsm8k_solutions"`
	HumanEval figures            `json:"humaneval_codegen16b"`
	Inspect   map[string]samples `json:"inspect_logs"`
}

type figures struct {
	Rows      int64 `json:"rows"`
	Groups    int64 `json:"groups"`
	Successes int64 `json:"successes"`
	RewardOne int64 `json:"success_reward_eq_1"`

	PassAt1 float64 `json:"pass@1"`
	PassAt2 float64 `json:"pass@2"`
	PassAt3 float64 `json:"pass@3"`
	PassAt4 float64 `json:"pass@4"`
	Pow1    float64 `json:"pass^1"`
	Pow2    float64 `json:"pass^2"`
	Pow3    float64 `json:"pass^3"`
	Pow4    float64 `json:"pass^4"`
}

// at are pass@k and pass^k.
func (f *figures) at(k int) (at, pow float64) {
	return [...]float64{f.PassAt1, f.PassAt2, f.PassAt3, f.PassAt4}[k-1], [...]float64{f.Pow1, f.Pow2, f.Pow3, f.Pow4}[k-1]
}

type samples struct {
	Samples int64 `json:"samples"`
}

// readExpected gives the folder of the data and what is expected of it, or skips
// the test.
func readExpected(t *testing.T) (dir string, want expected) {
	t.Helper()
	dir = os.Getenv("ROLLMILL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	text, err := os.ReadFile(filepath.Join(dir, "EXPECTED.json"))
	if os.IsNotExist(err) {
		t.Skipf("the data of others is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return dir, want
}

// rollmill runs the command and returns what it printed.
func rollmill(t *testing.T, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("rollmill", args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("rollmill %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// report runs a command with --json and decodes what it printed.
func report[T any](t *testing.T, args ...string) (r T) {
	t.Helper()
	if err := json.Unmarshal([]byte(rollmill(t, append(args, "--json")...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// Everything that the program reads elsewhere goes through head, schema,
// validate and convert, and no row is lost or made up.
func TestRealData(t *testing.T) {
	dir, want := readExpected(t)
	gsm8k, right := []string{"--map", "prompt=question,privileged.reference=ground_truth,final_text=.solution,reward=.is_correct", "--each"}, int64(0)
	var solutions []string
	for name, accuracy := range want.GSM8K.Accuracy {
		solutions = append(solutions, name)
		right += int64(accuracy[0])
	}
	slices.Sort(solutions)
	gsm8k = append(gsm8k, strings.Join(solutions, ","))
	logged := int64(0)
	for _, log := range want.Inspect {
		logged += log.Samples
	}
	bash, vicuna := want.InterCode["bash gpt-4 (4 files)"], want.InterCode["bash vicuna fs_1+fs_4"]
	sql, python := want.InterCode["sql gpt-4 1 turn"], want.InterCode["python gpt-4 7 turns"]
	const human = 15 // rows of the one file of which nothing is expected

	for _, c := range []struct {
		name    string
		inputs  string
		flags   []string
		dialect string
		files   int
		rows    int64
		tasks   int64 // -1: not known
		right   int64 // rows whose reward is exactly 1; -1: not known
	}{
		{"gsm8k", "gsm8k/example_model_solutions.jsonl", gsm8k, "map", 1, want.GSM8K.Rows * int64(len(solutions)), want.GSM8K.Rows, right},
		{"taubench", "taubench/gpt-4o-airline.first10tasks.json", nil, "tau-bench", 1, want.TauBench.Rows, want.TauBench.Groups, want.TauBench.Successes},
		{"intercode bash", "intercode/bash_gpt-4", nil, "intercode", 4, bash.Rows, bash.Rows, bash.RewardOne},
		{"intercode vicuna", "intercode/bash_vicuna_partial", nil, "intercode", 2, vicuna.Rows, vicuna.Rows, vicuna.RewardOne},
		{"intercode sql", "intercode/ic_sql_multiturn_gpt-4*.json", nil, "intercode", 1, sql.Rows, sql.Rows, sql.RewardOne},
		{"intercode python", "intercode/ic_python_multiturn_gpt-4_7_turns.json", nil, "intercode", 1, python.Rows, python.Rows, python.RewardOne},
		{"intercode all", "intercode", nil, "intercode", 9, bash.Rows + vicuna.Rows + sql.Rows + python.Rows + human, -1, -1},
		{"swe_agent", "swe_agent", nil, "", 4, 4, 4, 0},
		{"inspect", "inspect_logs", nil, "inspect", 4, logged, -1, -1},
		{"humaneval", "humaneval_codegen16b", nil, "humaneval", 1, want.HumanEval.Rows, want.HumanEval.Groups, want.HumanEval.Successes},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := filepath.Join(dir, filepath.FromSlash(c.inputs))
			args := append([]string{in}, c.flags...)

			first := rollmill(t, append([]string{"head", "-n", "3"}, args...)...)
			if n := strings.Count(first, "\n  reward "); n != int(min(3, c.rows)) || strings.ContainsRune(first, '\x1b') {
				t.Errorf("head shows %d rows:\n%s", n, first)
			}
			all := rollmill(t, append([]string{"head", "-n", "100000", "--json"}, args...)...)
			if n := strings.Count(all, "\n"); int64(n) != c.rows {
				t.Errorf("head shows %d rows of %d", n, c.rows)
			}

			schema := report[schemaReport](t, append([]string{"schema"}, args...)...)
			if schema.Rows != c.rows || len(schema.Inputs) != c.files || schema.Members[0].Rows != c.rows || len(schema.Rejects) > 0 {
				t.Errorf("schema: %+v", schema)
			}

			validity := report[validityReport](t, append([]string{"validate"}, args...)...)
			if !validity.OK || validity.Rows != c.rows || validity.Scored+validity.Unscored != c.rows || c.tasks >= 0 && validity.Tasks != c.tasks {
				t.Errorf("validate: %+v", validity)
			}
			for _, in := range validity.Inputs {
				if c.dialect != "" && in.Dialect != c.dialect {
					t.Errorf("%s is %s", in.Path, in.Dialect)
				}
			}

			out := filepath.Join(t.TempDir(), "out.jsonl")
			converted := report[summary](t, append([]string{"convert", "-o", out}, args...)...)
			if converted.In != c.rows || converted.Written != c.rows || converted.Quarantined != 0 {
				t.Errorf("convert: %+v", converted)
			}
			checkConverted(t, out, all, c.right)
		})
	}
}

// checkConverted checks a converted file: it holds the rows that head shows, and
// converting it again changes nothing.
func checkConverted(t *testing.T, path, want string, right int64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Error("convert and head --json give other rows")
	}
	again := path + ".again.jsonl.zst"
	rollmill(t, "convert", path, "-o", again)
	if back := rollmill(t, "head", "-n", "100000", "--json", again); back != want {
		t.Error("converting once more changes the rows")
	}
	ones := int64(0)
	for line := range bytes.Lines(text) {
		var row struct {
			Reward *float64 `json:"reward"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Reward != nil && *row.Reward == 1 {
			ones++
		}
	}
	if right >= 0 && ones != right {
		t.Errorf("%d rows have reward 1, want %d", ones, right)
	}
}
