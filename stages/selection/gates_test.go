package selection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sourcegraph/conc/iter"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

func TestWantsTools(t *testing.T) {
	for _, c := range []struct {
		prompt string
		want   bool
	}{
		{"please refund it", true},
		{"please Refund, now", true},
		{"a refunded order", false},
		{"see ORD-4017", true},
		{"see ord_x", true},
		{"see A-1", false}, // one letter is no id
		{"see PR#12", true},
		{"see #12", false}, // a # counts behind a word character alone
		{"see x#12b", false},
		{"see pr 12", false},
		{"the asin of it", true},
		{"érebase it", false},
		{"hello", false},
	} {
		r := rollout.Row{Prompt: c.prompt}
		if got := wantsTools(&r); got != c.want {
			t.Errorf("%q: got %v, want %v", c.prompt, got, c.want)
		}
	}
	for _, c := range []struct {
		name, json string
		want       bool
	}{
		{"tool_known", "true", true}, {"tool_known", "0", false}, {"ask_family", `"tool"`, true}, {"ask_family", `"chat"`, false},
		{"faults", `{"get":{"mode":"deny"}}`, true}, {"faults", "{ }", false}, {"world_state", `"unknown"`, false}, {"world_state", `"exists"`, true},
		{"scenario_dimensions", `{"intent":"buy"}`, true}, {"scenario_dimensions", `{"intent":""}`, false}, {"scenario_dimensions", `[1]`, false},
	} {
		r := rollout.Row{Extra: []rollout.Member{{Name: c.name, JSON: c.json}}}
		if got := wantsTools(&r); got != c.want {
			t.Errorf("%s %s: got %v, want %v", c.name, c.json, got, c.want)
		}
	}
}

func TestStubs(t *testing.T) {
	for text, want := range map[string]bool{
		"upstream returned 503 again": true, "It RETURNED 404": true, "returned 5033": false, "returned 303": false,
		"503 Service": true, "503": true, "5034 items": false, "https://x.example/y 502 bad": true, "http 502": false, "Total: 503": false,
	} {
		if got := isStub(text, strings.ToLower(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestMarkup(t *testing.T) {
	gap := strings.Repeat("x", 501)
	for text, want := range map[string]bool{
		"see </tool_call>": true,
		`{"NAME": "f", "Description": "d", "Parameters": {}}`:     true,
		`"name": "f"` + gap + `"description": 1, "parameters": 2`: false,
		`"parameters": 2`: false,
		"plain":           false,
	} {
		if got := hasMarkup(text); got != want {
			t.Errorf("%.30q: got %v, want %v", text, got, want)
		}
	}
}

func TestSceneWords(t *testing.T) {
	for text, want := range map[string]bool{
		"the world_state is": true, "my_world_state": false, "scene brief.": true, "scene briefs": false,
		"éregion_id": false, "region_ids region_id": true,
	} {
		if got := namesScene(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestHeldOut has the fixtures of the spec of rows, section 11.3.
func TestHeldOut(t *testing.T) {
	for key, share := range map[string]float64{"s1": 0.909120, "s2": 0.676552, "s3": 0.254458, "task_ab": 0.202486} {
		below, above := Options{Holdout: share - 1e-6}, Options{Holdout: share + 1e-6}
		if held(below, key, rollout.Pos{}) || !held(above, key, rollout.Pos{}) {
			t.Errorf("%s is not split at %v", key, share)
		}
	}
	n := 0
	for i := range 10_000 {
		if held(Options{Holdout: 0.1, HoldoutSeed: 7}, fmt.Sprint("t", i), rollout.Pos{}) {
			n++
		}
	}
	if math.Abs(float64(n)-1000) > 4*30 {
		t.Errorf("%d of 10,000 tasks are held out, want about 1,000", n)
	}
}

// graded makes rows of a task, one a verdict: "1101".
func graded(task, verdicts string) (rows []rollout.Row) {
	for i, v := range verdicts {
		rows = append(rows, rollout.Row{
			TaskID: task, Prompt: "Ask " + task, FinalText: fmt.Sprintf("Reply %d.", i), Reward: rollout.Number(float64(v - '0')),
		})
	}
	return rows
}

func TestBandConfidence(t *testing.T) {
	rows := append(append(append(graded("one of 8", "10000000"), graded("one of 40", "1"+strings.Repeat("0", 39))...),
		graded("half", "1100")...), graded("none", "0000")...)
	kept := func(b Band) string {
		s, err := Select(rows, Options{RL: RLOptions{Band: b}})
		if err != nil {
			t.Fatal(err)
		}
		var tasks []string
		for _, d := range s.Report.RL.Calibration.List {
			tasks = append(tasks, d.TaskID)
		}
		return strings.Join(tasks, ", ")
	}
	if got := kept(Band{}); got != "half" {
		t.Errorf("by the rate: %s", got)
	}
	if got := kept(Band{Confidence: 0.8, Low: 0.2, High: 0.8}); got != "one of 8, half" { // 1 of 8 may be 3 of 10; 1 of 40 may not
		t.Errorf("by the interval: %s", got)
	}
}

func TestStarvedSlice(t *testing.T) {
	rows := append(append(graded("a", "0101"), graded("b", "1111")...), graded("c", "0001")...)
	s, err := Select(rows, Options{By: func(r *rollout.Row) string { return r.TaskID }, ByName: "scenario_id", RL: RLOptions{Band: Band{Low: 0.3, High: 0.8}}})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range s.Report.Findings {
		texts = append(texts, string(f.Code)+" "+f.Subject+": "+f.Text)
	}
	want := "starved_slice scenario_id=b: nothing is left of scenario_id b: unanimous took the last 4 of its 4 rows\n" +
		"starved_slice scenario_id=c: nothing is left of scenario_id c: too_hard took the last 4 of its 4 rows"
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNothingKept(t *testing.T) {
	a, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := append(graded("a", "000"), graded("b", "0001")[:1]...)
	rows = append(rows, graded("c", "00000001")...)
	for i := range rows {
		rows[i].Pos.Record = int64(i + 1)
	}
	a.Add(rows)
	p, err := a.Plan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if p.Err() != nil {
		t.Fatalf("task b is kept, since it came alone: %v", p.Err())
	}
	a, _ = New(Options{})
	a.Add(rows[4:])
	if p, err = a.Plan(context.Background()); err != nil {
		t.Fatal(err)
	}
	var nothing *NothingKeptError
	if !errors.As(p.Err(), &nothing) || nothing.Gate != GateTooHard || nothing.In != 8 {
		t.Errorf("got %v, want too_hard of 8", p.Err())
	}
}

func TestPenaltyIsWritten(t *testing.T) {
	rows := rowsOf(t, []json.RawMessage{
		json.RawMessage(`{"prompt":"a","final_text":"No.","reward":0}`),
		json.RawMessage(`{"prompt":"a","final_text":"Yes.","reward":1}`),
		json.RawMessage(`{"prompt":"a","final_text":"Well.","reward":1,"finish_reason":"length","reason":"fine","judge_name":"j","failure_class":"x"}`),
	})
	s, err := Select(rows, Options{RL: RLOptions{Truncated: PenalizeTruncated}})
	if err != nil {
		t.Fatal(err)
	}
	got := string(s.Rows[2].AppendLine(nil))
	for _, want := range []string{
		`"reward":0,`, `"judge_status":"ok"`, `"judge_name":"overlong_penalty"`, `"markers":{"finished":0}`, `"overlong":true`, `"failure_class":null`,
		`"judge_meta":{"reward_before_penalty":1,"judge_before":"j","reason_before":"fine","scorer_kind":"rule"}`, `"n":3,"pass_rate":0.6666666666666666`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if string(rows[2].AppendLine(nil)) != string(rows[2].Source()) {
		t.Error("the row that came in was changed")
	}
}

// TestCallsInMessages: rows whose calls stand in messages alone are no
// duplicates when they called something else.
func TestCallsInMessages(t *testing.T) {
	call := func(arguments string) rollout.Row {
		return rollout.Row{Prompt: "a", FinalText: "Done.", Messages: []rollout.Message{
			{Role: rollout.RoleUser, Content: "a"},
			{Role: rollout.RoleAssistant, ToolCalls: []rollout.ToolCall{{ID: "c1", Name: "get", Arguments: arguments}}},
			{Role: rollout.RoleTool, Content: "ok"}, {Role: rollout.RoleAssistant, Content: "Done."},
		}}
	}
	rows := []rollout.Row{call(`{"n":1}`), call(`{"n":2}`), call(`{"n":1}`)}
	rows[2].Messages[1].ToolCalls[0].ID = "c2"
	if kept, d := DropDuplicates(rows); len(kept) != 2 || d.Dropped != 1 {
		t.Errorf("%d kept, %d dropped; want 2 and 1", len(kept), d.Dropped)
	}
}

func TestHistogram(t *testing.T) {
	h := histogramOf([]score{{8, 0}, {8, 8}, {8, 1}, {10, 1}, {10, 9}, {20, 19}, {0, 0}, {1, 1}})
	want := Histogram{0: 1, 2: 2, 10: 2, 11: 2}
	if h != want {
		t.Errorf("got %v, want %v", h, want)
	}
	if got := h.Bin(0) + " " + h.Bin(1) + " " + h.Bin(10) + " " + h.Bin(11); got != "0 0.0-0.1 0.9-1.0 1" {
		t.Errorf("bins %s", got)
	}
}

func TestWrongOptions(t *testing.T) {
	for want, o := range map[string]Options{
		`mode "x"`: {Mode: "x"}, "target -1": {Target: -1}, "holdout 1": {Holdout: 1}, `truncated "x"`: {RL: RLOptions{Truncated: "x"}},
		"band 0.8 to 0.2": {RL: RLOptions{Band: Band{Low: 0.8, High: 0.2}}}, "confidence 1": {RL: RLOptions{Band: Band{Confidence: 1}}},
		`rule "x"`: {SFT: SFTOptions{Rule: "x"}}, "margin -1": {Pairs: PairOptions{MinMargin: -1}}, "k -1": {SFT: SFTOptions{K: -1}},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := NextRound(nil, nil, Band{Low: 0.5, High: 0.5}); err == nil {
		t.Error("an empty band makes a round")
	}
}

func TestNothingMeasured(t *testing.T) {
	r, err := NextRound([]rollout.Row{{Prompt: "a"}}, nil, Band{})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Code != CodeNothingMeasured {
		t.Errorf("got %v %v", r, err)
	}
}

func TestCarriedCalibrationStays(t *testing.T) {
	rows := rowsOf(t, []json.RawMessage{
		json.RawMessage(`{"prompt":"a","reward":1,"calibration":{"task_id":"a","n":16,"pass_rate":0.25,"student":{"name":"old"}}}`),
		json.RawMessage(`{"prompt":"a","reward":0}`),
	})
	c := Calibrate(rows, Student{Name: "new", Version: "v2"})
	if c.Carried != 1 || c.Stamped != 2 {
		t.Errorf("got %+v, want 1 carried of 2", c)
	}
	want := `{"task_id":"a","n":16,"pass_rate":0.25,"student":{"name":"new","model":"","prompt_hash":"","version":"v2"}}`
	if got := member(&rows[0], "calibration"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFinishTogether finishes rows at the same time; the race detector looks on.
func TestFinishTogether(t *testing.T) {
	var rows []rollout.Row
	for task := range 64 {
		rows = append(rows, graded(fmt.Sprint("t", task), "0101")...)
	}
	for i := range rows {
		rows[i].Pos.Record = int64(i + 1)
	}
	a, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	a.Add(rows)
	p, err := a.Plan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	iter.ForEach(rows, func(r *rollout.Row) {
		pick, err := p.Of(r.Pos)
		if err != nil {
			t.Error(err)
		}
		p.Finish(r, pick)
	})
	list := p.Report().RL.Calibration.List
	for _, d := range list {
		if d.TaskID == "" {
			t.Errorf("a task has no name: %+v", d)
		}
	}
	if len(list) != 64 {
		t.Errorf("%d tasks are listed, want 64", len(list))
	}
}

func TestWithScan(t *testing.T) {
	s, err := Select(append(graded("a", "0101"), graded("a", "01")[0]), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Report.RL.WithScan([]stats.Finding{{Code: "no_signal"}})
	if got := strings.Join(codes(s.Report.RL.Findings), " "); got != "duplicates no_signal few_rollouts_per_task" {
		t.Errorf("got %s", got)
	}
}

// Every gate belongs to a mode, and those of a mode stand in the order of the rows.
func TestGatesOfModes(t *testing.T) {
	seen := map[Gate]bool{Kept: true}
	for _, m := range []Mode{RL, SFT, Pairs} {
		last := Kept
		for _, g := range Gates(m) {
			if g <= last {
				t.Errorf("%s: %s stands behind %s", m, g, last)
			}
			last, seen[g] = g, true
		}
	}
	for g := range GateTarget + 1 {
		if !seen[g] {
			t.Errorf("%s is of no mode", g)
		}
	}
}

// A conversation that breaks off is junk; one that the user's simulator ends is none.
func TestLastWord(t *testing.T) {
	for last, want := range map[string]bool{
		`{"role":"user","content":"And the hotel?"}`:        false,
		`{"role":"user","content":"Thanks! ###STOP###"}`:    true,
		`{"role":"user","content":"###TRANSFER###"}`:        true,
		`{"role":"user","content":"STOP"}`:                  false,
		`{"role":"tool","content":"###STOP###"}`:            false,
		`{"role":"assistant","content":"You are welcome."}`: true,
	} {
		var r rollout.Row
		text := `{"prompt":"Book me a flight.","messages":[{"role":"user","content":"Book me a flight."},{"role":"assistant","content":"It is booked."},` + last + `]}`
		if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if got := !IncompleteJunk(&r); got != want {
			t.Errorf("%s: whole %v, want %v", last, got, want)
		}
	}
}
