package dialect_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// readData reads a file of other people's data, or skips the test.
func readData(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("ROLLMILL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		t.Skipf("the data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// records cuts an input into records as its layout says.
func records(t *testing.T, layout dialect.Layout, data []byte) (recs []dialect.Record) {
	t.Helper()
	add := func(rec dialect.Record) {
		rec.Pos.Record = int64(len(recs)) + 1
		recs = append(recs, rec)
	}
	switch layout {
	case dialect.Lines:
		for line := range bytes.Lines(data) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				add(dialect.Record{JSON: line})
			}
		}
	case dialect.Array:
		for element := range jsonwalk.Elements(data) {
			add(dialect.Record{JSON: element})
		}
	case dialect.Keyed:
		for key, value := range jsonwalk.Members(data) {
			add(dialect.Record{JSON: value, Key: key})
		}
	case dialect.Whole:
		add(dialect.Record{JSON: bytes.TrimSpace(data)})
	case dialect.Zip:
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		header := readMember(t, archive, "header.json")
		for _, f := range archive.File {
			if strings.HasPrefix(f.Name, "samples/") {
				add(dialect.Record{JSON: readMember(t, archive, f.Name), Key: f.Name, Header: header})
			}
		}
	}
	return recs
}

func readMember(t *testing.T, archive *zip.Reader, name string) []byte {
	t.Helper()
	f, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// rowsOf reads an input with the dialect that it is recognised as.
func rowsOf(t *testing.T, name string, data []byte, layout dialect.Layout, want string) []rollout.Row {
	t.Helper()
	guess, err := dialect.Recognise(name, data[:min(len(data), 1<<20)], len(data) <= 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if guess.Layout != layout || guess.Dialect == nil || guess.Dialect.Name() != want {
		t.Fatalf("recognised as %v of %v, want %v of %s", guess.Layout, guess.Dialect, layout, want)
	}
	return rowsBy(t, guess.Dialect, records(t, layout, data))
}

func rowsBy(t *testing.T, d dialect.Dialect, recs []dialect.Record) (rows []rollout.Row) {
	t.Helper()
	for _, rec := range recs {
		n := len(rows)
		var err error
		if rows, err = d.Rows(rows, rec); err != nil {
			t.Fatalf("record %d: %v", rec.Pos.Record, err)
		}
		for i := range rows[n:] {
			pos := rec.Pos
			pos.Part = uint32(i)
			if rows[n+i].Pos != pos {
				t.Fatalf("row %d of record %d has position %v", i, rec.Pos.Record, rows[n+i].Pos)
			}
			checkRow(t, &rows[n+i])
		}
	}
	return rows
}

// checkRow asserts that a row is written as strict JSON without duplicate names
// and reads back as the same row.
func checkRow(t *testing.T, row *rollout.Row) {
	t.Helper()
	if back := writeAndRead(t, row); !back.Equal(row) {
		t.Fatalf("read back as another row:\n%.2000s\n%.2000s", row.Canonical(), back.Canonical())
	}
}

func writeAndRead(t *testing.T, row *rollout.Row) (back rollout.Row) {
	t.Helper()
	text := row.AppendJSON(nil)
	if !json.Valid(text) {
		t.Fatalf("no JSON: %.300s", text)
	}
	names := map[string]bool{}
	for name := range jsonwalk.Members(text) {
		if names[name] {
			t.Fatalf("%q is written twice: %.300s", name, text)
		}
		names[name] = true
	}
	if err := rollout.NewDecoder(rollout.AllFields).Decode(text, &back); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return back
}

func extra(row *rollout.Row, name string) string {
	for _, m := range row.Extra {
		if m.Name == name {
			return m.JSON
		}
	}
	return ""
}

func TestTauBenchData(t *testing.T) {
	rows := rowsOf(t, "x.json", readData(t, "taubench/gpt-4o-airline.first10tasks.json"), dialect.Array, "tau-bench")
	roles, rewards, tasks := map[string]int{}, map[string]int{}, map[string]int{}
	messages, calls, null := 0, 0, 0
	perTrial := map[string]float64{}
	for i := range rows {
		r := &rows[i]
		tasks[r.TaskKey()]++
		rewards[r.Reward.Text]++
		if pass, ok := r.BinaryReward(); ok && pass {
			perTrial[r.Index.Text] += 0.1
		}
		for _, m := range r.Messages {
			messages++
			roles[m.Role]++
			calls += len(m.ToolCalls)
			if m.Role == rollout.RoleAssistant && m.NoContent == rollout.Null {
				null++
				if m.Text() != "" {
					t.Errorf("row %d: null content reads %q", i, m.Text())
				}
			}
			for _, c := range m.ToolCalls {
				if _, state := c.ArgumentsObject(); state != rollout.ArgumentsValid {
					t.Errorf("row %d: arguments of %s are %v", i, c.Name, state)
				}
			}
		}
	}
	if len(rows) != 40 || messages != 1238 || calls != 274 || null != 260 {
		t.Errorf("%d rows, %d messages, %d calls, %d of null content; want 40, 1238, 274, 260", len(rows), messages, calls, null)
	}
	if roles["system"] != 40 || roles["user"] != 345 || roles["assistant"] != 579 || roles["tool"] != 274 {
		t.Errorf("roles: %v", roles)
	}
	if rewards["1.0"] != 5 || rewards["0.0"] != 35 {
		t.Errorf("rewards: %v", rewards)
	}
	if len(tasks) != 10 || tasks["0"] != 4 {
		t.Errorf("tasks: %v", tasks)
	}
	for trial, want := range map[string]float64{"0": 0.1, "1": 0.2, "2": 0.2, "3": 0} {
		if perTrial[trial] != want {
			t.Errorf("trial %s: %v of 1 pass, want %v", trial, perTrial[trial], want)
		}
	}
}

func TestInterCodeData(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		rows  int
		ones  int
		mean  float64
		turns float64
		task  string
	}{
		{"bash gpt-4", []string{
			"bash_gpt-4/ic_bash_multiturn_gpt-4_10_turns_fs_1.json", "bash_gpt-4/ic_bash_multiturn_gpt-4_10_turns_fs_2.json",
			"bash_gpt-4/ic_bash_multiturn_gpt-4_10_turns_fs_3.json", "bash_gpt-4/ic_bash_multiturn_gpt-4_10_turns_fs_4.json",
		}, 200, 97, 0.8442, 5.88, "ic_bash/nl2bash_fs_1/0"},
		{"bash vicuna", []string{
			"bash_vicuna_partial/ic_bash_multiturn_vicuna_10_turns_fs_1.json", "bash_vicuna_partial/ic_bash_multiturn_vicuna_10_turns_fs_4.json",
		}, 87, 15, 0.724828, 8.747126, "ic_bash/nl2bash_fs_1/0"},
		{"sql", []string{"ic_sql_multiturn_gpt-4_1_turns.json"}, 1034, 94, 0.09159, 1, "ic_sql/dev_spider/0"},
		{"python", []string{"ic_python_multiturn_gpt-4_7_turns.json"}, 119, 70, 0.617647, 3.621849, "ic_python/ic_mbpp/0"},
		{"sql by people", []string{"ic_sql_multiturn_human_10_turns.json"}, 15, 13, 13. / 15, 112. / 15, "ic_sql/809"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tasks := map[string]bool{}
			ones, sum, turns, n := 0, 0., 0, 0
			for _, file := range c.files {
				rows := rowsOf(t, file, readData(t, "intercode/"+file), dialect.Keyed, "intercode")
				n += len(rows)
				for i := range rows {
					r := &rows[i]
					tasks[r.TaskID] = true
					f, ok := r.Reward.Float()
					if !ok || r.Prompt == "" {
						t.Fatalf("row %d: reward %q, prompt %q", i, r.Reward.Text, r.Prompt)
					}
					sum += f
					if f == 1 {
						ones++
					}
					for _, m := range r.Messages {
						if m.Role == rollout.RoleAssistant {
							turns++
						}
					}
				}
				if file == c.files[0] && rows[0].TaskID != c.task {
					t.Errorf("the first task is %q, want %q", rows[0].TaskID, c.task)
				}
			}
			if n != c.rows || len(tasks) != c.rows || ones != c.ones {
				t.Errorf("%d rows, %d tasks, %d of reward 1; want %d, as many, %d", n, len(tasks), ones, c.rows, c.ones)
			}
			if got := sum / float64(n); got < c.mean-1e-6 || got > c.mean+1e-6 {
				t.Errorf("mean reward %v, want %v", got, c.mean)
			}
			if got := float64(turns) / float64(n); got < c.turns-1e-6 || got > c.turns+1e-6 {
				t.Errorf("%v turns a row, want %v", got, c.turns)
			}
		})
	}
}

func TestGSM8KData(t *testing.T) {
	data := readData(t, "gsm8k/example_model_solutions.jsonl")
	guess, err := dialect.Recognise("solutions.jsonl", data[:1<<20], false)
	if err != nil || guess != (dialect.Guess{Layout: dialect.Lines, Unknown: true}) {
		t.Fatalf("recognised as %v, %v", guess, err)
	}
	m, err := dialect.ParseMap([]string{"prompt=question,privileged.reference=ground_truth", "final_text=.solution,reward=.is_correct"},
		"6b_finetuning,6b_verification,175b_finetuning,175b_verification")
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsBy(t, m, records(t, dialect.Lines, data))
	solved, tasks := map[string]int{}, map[string]int{}
	for i := range rows {
		r := &rows[i]
		tasks[r.TaskKey()]++
		if pass, ok := r.StrictBinaryReward(); !ok {
			t.Fatalf("row %d: reward %q", i, r.Reward.Text)
		} else if pass {
			solved[extra(r, "each")]++
		}
	}
	if len(rows) != 5276 || len(tasks) != 1319 {
		t.Errorf("%d rows of %d tasks, want 5276 of 1319", len(rows), len(tasks))
	}
	for each, want := range map[string]int{
		`"6b_finetuning"`: 286, `"6b_verification"`: 515, `"175b_finetuning"`: 458, `"175b_verification"`: 742,
	} {
		if solved[each] != want {
			t.Errorf("%s: %d solved, want %d", each, solved[each], want)
		}
	}
	r := &rows[3]
	if len(r.Extra) != 1 || !strings.HasPrefix(r.Privileged, `{"reference":"`) || r.Prompt == "" || r.Index.Text != "3" {
		t.Errorf("row 3: %s", r.AppendJSON(nil))
	}
}

func TestHumanEvalData(t *testing.T) {
	rows := rowsOf(t, "labels.jsonl", readData(t, "humaneval_codegen16b/labels.first40.jsonl"), dialect.Lines, "humaneval")
	passes, tasks := 0, map[string]int{}
	for i := range rows {
		tasks[rows[i].TaskID]++
		if pass, ok := rows[i].StrictBinaryReward(); !ok {
			t.Fatalf("row %d has no label", i)
		} else if pass {
			passes++
		}
	}
	if len(rows) != 4000 || passes != 429 || len(tasks) != 40 || tasks["HumanEval/0"] != 100 {
		t.Errorf("%d rows, %d passes, %d tasks; want 4000, 429, 40", len(rows), passes, len(tasks))
	}
	rows = rowsOf(t, "samples.jsonl", readData(t, "humaneval/example_samples.jsonl"), dialect.Lines, "humaneval")
	if len(rows) != 6 || rows[3].FinalText == "" || rows[3].State() != rollout.Unscored {
		t.Errorf("samples: %d rows, row 3 %s", len(rows), rows[3].AppendJSON(nil))
	}
}

func TestInspectData(t *testing.T) {
	for _, c := range []struct {
		file    string
		layout  dialect.Layout
		rewards []string
		status  string
		state   rollout.State
	}{
		{"2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval", dialect.Zip, make([]string, 10), `"success"`, rollout.Unscored},
		{"2025-05-12T20-28-13-04-00_popularity.json", dialect.Whole, []string{"1", "1", "0"}, `"cancelled"`, rollout.Scored},
		{"log_formats.eval", dialect.Zip, []string{"0"}, `"success"`, rollout.Scored},
		{"log_formats.json", dialect.Whole, []string{"0"}, `"success"`, rollout.Scored},
	} {
		t.Run(c.file, func(t *testing.T) {
			rows := rowsOf(t, c.file, readData(t, "inspect_logs/"+c.file), c.layout, "inspect")
			if len(rows) != len(c.rewards) {
				t.Fatalf("%d rows, want %d", len(rows), len(c.rewards))
			}
			for i := range rows {
				r := &rows[i]
				if r.Reward.Text != c.rewards[i] || r.State() != c.state {
					t.Errorf("row %d: reward %q, %v; want %q, %v", i, r.Reward.Text, r.State(), c.rewards[i], c.state)
				}
				if !strings.HasPrefix(r.TaskID, "popularity/") || r.Index.Text != "0" || extra(r, "eval_status") != c.status {
					t.Errorf("row %d: task %q, index %s, status %s", i, r.TaskID, r.Index.Text, extra(r, "eval_status"))
				}
				if len(r.Messages) != 3 || r.Prompt == "" ||
					r.FinalText != "Yes" && r.FinalText != "No" || r.FinishReason != "stop" || !strings.Contains(r.Privileged, "reference") {
					t.Errorf("row %d: %.400s", i, r.AppendJSON(nil))
				}
			}
		})
	}
}

func TestSWEAgentData(t *testing.T) {
	for _, c := range []struct {
		file, dialect   string
		messages, calls int
		task, finish    string
	}{
		{"function_calling_simple.traj", "swe-agent", 12, 5, "", ""},
		{"marshmallow-1867.function_calling.traj", "swe-agent", 24, 11, "marshmallow-code__marshmallow-1867", "stop"},
		{"mini.github_issue.traj.json", "chat", 22, 0, "", ""},
		{"mini.local.traj.json", "chat", 6, 0, "", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			data := readData(t, "swe_agent/"+c.file)
			rows := rowsOf(t, c.file, data, dialect.Whole, c.dialect)
			if len(rows) != 1 {
				t.Fatalf("%d rows", len(rows))
			}
			r, calls := &rows[0], 0
			for _, m := range r.Messages {
				calls += len(m.ToolCalls)
				if m.Role == rollout.RoleTool && m.ToolCallID == "" {
					t.Error("a tool message without the id of its call")
				}
			}
			if len(r.Messages) != c.messages || calls != c.calls || r.TaskID != c.task || r.FinishReason != c.finish {
				t.Errorf("%d messages, %d calls, task %q, finish %q; want %v", len(r.Messages), calls, r.TaskID, r.FinishReason, c)
			}
			if r.Prompt == "" || r.FinalText == "" || r.State() != rollout.Unscored {
				t.Errorf("prompt %.40q, final text %.40q, %v", r.Prompt, r.FinalText, r.State())
			}
			by, err := dialect.Named("swe-agent")
			if err != nil {
				t.Fatal(err)
			}
			if again := rowsBy(t, by, records(t, dialect.Whole, data)); !again[0].Equal(r) {
				t.Error("--dialect swe-agent reads another row")
			}
		})
	}
}

func TestOtherDataIsNative(t *testing.T) {
	for _, c := range []struct {
		file    string
		layout  dialect.Layout
		unknown bool // nothing in it is named as in a row
	}{
		{"gsm8k/test.jsonl", dialect.Lines, true},
		{"bfcl/BFCL_v4_simple_python.json", dialect.Lines, true},
		{"taubench/MockAirlineDomainEnv-few_shot.jsonl", dialect.Lines, true},
		{"humaneval/example_problem.jsonl", dialect.Lines, false},
		{"pandalm/testset-v1.json", dialect.Array, true},
		{"rewardhackwatch/_all_trajectories.json", dialect.Array, true},
		{"reflexion/mbpp_py.simple.gpt-4.jsonl", dialect.Lines, false},
		{"reflexion/alfworld.base_run_logs.jsonl", dialect.Lines, true},
		{"llmbar/Natural/GPT-4_CoT/result.json", dialect.Array, true},
		{"decontam/rephrase_gsm8k.jsonl", dialect.Lines, true},
		{"djinn/reference_exploits.jsonl", dialect.Lines, true},
		{"mt_bench/question.jsonl", dialect.Lines, true},
		{"math_cases/math_cases.open.json", dialect.Array, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			data := readData(t, c.file)
			guess, err := dialect.Recognise(c.file, data[:min(len(data), 1<<20)], len(data) <= 1<<20)
			if err != nil || guess != (dialect.Guess{Layout: c.layout, Unknown: c.unknown}) {
				t.Errorf("recognised as %v, %v; want native %v", guess, err, c.layout)
			}
		})
	}
}
