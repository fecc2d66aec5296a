package main

import (
	"errors"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// curated is what curate reports, as far as these tests look at it.
type curated struct {
	Counts struct {
		In      int64 `json:"in"`
		Rows    int64 `json:"rows"`
		Kept    int64 `json:"kept"`
		Dropped int64 `json:"dropped"`
		Gates   []struct {
			Gate string `json:"gate"`
			Rows int64  `json:"rows"`
		} `json:"gates"`
	} `json:"counts"`
	Graders []struct {
		Passed int64 `json:"passed"`
		Failed int64 `json:"failed"`
	} `json:"graders"`
	Pass []struct {
		K        int     `json:"k"`
		PassAt1  float64 `json:"pass_at_1"`
		PassAtK  float64 `json:"pass_at_k"`
		PassPowK float64 `json:"pass_pow_k"`
	} `json:"pass"`
	Contamination struct {
		Flagged int64 `json:"flagged"`
	} `json:"contamination"`
}

func (c *curated) ended(gate string) int64 {
	for _, g := range c.Counts.Gates {
		if g.Gate == gate {
			return g.Rows
		}
	}
	return 0
}

// The whole line on the solutions of the example models of GSM8K. Each of them
// holds a question of the test set; what is kept when the training set is the
// evaluation set adds up.
func TestCurateGSM8K(t *testing.T) {
	dir, want := readExpected(t)
	gsm8k := func(name string) string { return filepath.Join(dir, "gsm8k", name) }
	right, models := int64(0), []string{}
	for name, accuracy := range want.GSM8K.Accuracy {
		models = append(models, name)
		right += int64(accuracy[0])
	}
	slices.Sort(models)
	args := func(against, out string) []string {
		return []string{
			"curate", gsm8k("example_model_solutions.jsonl"), "--against", gsm8k(against), "--with", "numeric", "--no-tools", "--quiet",
			"--map", "prompt=question,privileged.reference=ground_truth,final_text=.solution", "--each", strings.Join(models, ","), "-o", out,
		}
	}
	r := report[curated](t, args("train.jsonl", filepath.Join(t.TempDir(), "out"))...)
	c := &r.Counts
	if c.In != 5276 || c.Rows != 5276 || c.Kept+c.Dropped != c.In || c.Kept == 0 {
		t.Errorf("counts: %+v", c)
	}
	if len(r.Graders) != 1 || r.Graders[0].Passed != right || r.Graders[0].Passed+r.Graders[0].Failed != 5276 {
		t.Errorf("graded: %+v, want %d passed", r.Graders, right)
	}
	if p := r.Pass[0]; p.K != 4 || math.Abs(p.PassAt1-float64(right)/5276) > 1e-6 || math.Abs(p.PassAtK-want.GSM8K.AnyOf4) > 1e-6 {
		t.Errorf("pass: %+v, want pass@4 %v", r.Pass, want.GSM8K.AnyOf4)
	}
	if r.Contamination.Flagged != r.ended("decontaminate") {
		t.Errorf("contamination: %+v", r.Contamination)
	}

	if p := r.Pass[0]; math.Abs(p.PassPowK-float64(want.GSM8K.SolvedBy["4"])/1319) > 1e-6 {
		t.Errorf("pass^4 %v, want %d of 1,319", p.PassPowK, want.GSM8K.SolvedBy["4"])
	}

	out := filepath.Join(t.TempDir(), "out")
	text, code := rollmillFails(t, append(args("test.jsonl", out), "--json")...)
	if !exists(filepath.Join(out, "report.html")) || !exists(filepath.Join(out, "rows.arrow")) {
		t.Error("against the test set: no report, or no rows")
	}
	if code != exitNothingKept || !strings.Contains(text, "nothing was kept of 5,276 rows: decontaminate took the last 5,276") {
		t.Errorf("against the test set: exit code %d, %s", code, text)
	}
}

// The whole line on tau-bench: the figures are those of the independent program, the
// rows of the tasks that some rollouts solve are kept, but those that break off at a
// tool or at a user who waits, and the training file holds conversations.
func TestCurateTauBench(t *testing.T) {
	dir, want := readExpected(t)
	in, out := filepath.Join(dir, "taubench", "gpt-4o-airline.first10tasks.json"), filepath.Join(t.TempDir(), "out")
	r := report[curated](t, "curate", in, "--k", "1,2,3,4", "--shape", "messages", "-o", out, "--quiet")
	for _, p := range r.Pass {
		at, pow := want.TauBench.at(p.K)
		if math.Abs(p.PassAt1-want.TauBench.PassAt1) > 1e-6 || math.Abs(p.PassAtK-at) > 1e-6 || math.Abs(p.PassPowK-pow) > 1e-6 {
			t.Errorf("%+v, want pass@%d %v and pass^%d %v", p, p.K, at, p.K, pow)
		}
	}
	c := &r.Counts
	if len(r.Pass) != 4 || c.In != want.TauBench.Rows || c.Kept+c.Dropped != c.In {
		t.Errorf("%d figures, counts: %+v", len(r.Pass), c)
	}
	// 5 of the 40 end at a tool and 1 at a user's question: the others are whole. Tasks
	// that nobody solves are unanimous.
	if r.ended("incomplete_junk") != 6 || r.ended("unanimous") != 16 || c.Kept != 18 {
		t.Errorf("gates: %+v", c)
	}
	lines := strings.Split(strings.TrimSpace(string(read(t, filepath.Join(out, "train.jsonl")))), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, `{"messages":[{"role":"system","content":`) || strings.Contains(line, "###STOP###") || strings.Contains(line, `"arguments":"`) {
			t.Fatalf("%.200s", line)
		}
	}
	if len(lines) != 18 {
		t.Errorf("%d lines", len(lines))
	}
}

// rollmillFails runs a command that must fail, and returns what it said and its exit
// code.
func rollmillFails(t *testing.T, args ...string) (said string, code int) {
	t.Helper()
	out, err := exec.Command("rollmill", args...).CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		t.Fatalf("rollmill %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), exit.ExitCode()
}
