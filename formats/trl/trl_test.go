package trl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/trl"
)

func rowOf(t *testing.T, text string) *rollout.Row {
	t.Helper()
	r := &rollout.Row{}
	if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// shop is a rollout with tools; fill in id of the call, arguments, answer, reply.
func shop(t *testing.T, id, arguments, answer, reply string) *rollout.Row {
	t.Helper()
	quote := func(s string) string { return string(rollout.AppendText(nil, s)) }
	return rowOf(t, `{"scenario_id":"t1","rollout_index":3,"reward":1,"privileged":{"reference":"secret"},"seed":7,
		"tools":[{"type":"function","function":{"name":"find","parameters":{}}}],
		"messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":"Where is it?"},
		{"role":"assistant","content":null,"tool_calls":[{"id":`+quote(id)+`,"type":"function","function":{"name":"find","arguments":`+quote(arguments)+`}}]},
		{"role":"tool","tool_call_id":`+quote(id)+`,"name":"find","content":`+quote(answer)+`},
		{"role":"assistant","content":`+quote(reply)+`},{"role":"user","content":"bye"}]}`)
}

const (
	system = `{"role":"system","content":"Be brief."}`
	asks   = `{"role":"user","content":"Where is it?"}`
	tools  = `,"tools":[{"type":"function","function":{"name":"find","parameters":{}}}]`
	called = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":{"a":1.0}}}]}`
	told   = `{"role":"tool","content":"there","name":"find","tool_call_id":"c1"}`
)

func reply(text string) string { return `{"role":"assistant","content":"` + text + `"}` }

func TestMessages(t *testing.T) {
	for name, c := range map[string]struct {
		row  *rollout.Row
		want string
	}{
		"tools": {shop(t, "c1", `{"a":1.0}`, "there", "There."),
			`{"messages":[` + system + `,` + asks + `,` + called + `,` + told + `,` + reply("There.") + `]` + tools + `,"scenario_id":"t1","rollout_index":3,"reward":1}`},
		"arguments encoded twice": {shop(t, "c1", `"{\"a\":1.0}"`, "there", "There."),
			`{"messages":[` + system + `,` + asks + `,` + called + `,` + told + `,` + reply("There.") + `]` + tools + `,"scenario_id":"t1","rollout_index":3,"reward":1}`},
		"prompt and final text": {rowOf(t, `{"prompt":"Where is it?","final_text":"There."}`), `{"messages":[` + asks + `,` + reply("There.") + `]}`},
	} {
		got, err := trl.AppendMessages([]byte("x"), c.row)
		if err != nil || string(got) != "x"+c.want {
			t.Errorf("%s: %v\n got %s\nwant x%s", name, err, got, c.want)
		}
	}
}

func TestUnfit(t *testing.T) {
	for name, row := range map[string]*rollout.Row{
		"nobody replies":    rowOf(t, `{"messages":[{"role":"user","content":"a"}]}`),
		"broken arguments":  shop(t, "c1", `{"a":`, "there", "There."),
		"a list of numbers": shop(t, "c1", `[1]`, "there", "There."),
	} {
		got, err := trl.AppendMessages(nil, row)
		if !errors.Is(err, trl.ErrShape) || len(got) > 0 {
			t.Errorf("%s: %v, %s", name, err, got)
		}
		if _, err := trl.AppendPreference(nil, row, shop(t, "c1", "", "there", "There.")); !errors.Is(err, trl.ErrShape) {
			t.Errorf("%s, in a pair: %v", name, err)
		}
	}
	if _, err := trl.AppendPrompt(nil, rowOf(t, `{"messages":[{"role":"assistant","content":"a"}]}`), ""); !errors.Is(err, trl.ErrShape) {
		t.Errorf("nobody asks: %v", err)
	}
}

func TestPrompt(t *testing.T) {
	got, err := trl.AppendPrompt(nil, shop(t, "c1", "{}", "there", "There."), "42")
	want := `{"prompt":[` + system + `,` + asks + `],"task_id":"t1","reference":"42"` + tools + `,"info":"{\"privileged\":{\"reference\":\"secret\"},\"seed\":7}"}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	if strings.Contains(string(got), "There.") {
		t.Error("the prompt holds a reply")
	}
}

func TestPreference(t *testing.T) {
	head := `{"prompt":[` + system + `,` + asks
	scores := tools + `,"chosen_score":1,"rejected_score":1,"margin":0}`
	for name, c := range map[string]struct {
		chosen, rejected *rollout.Row
		want             string
	}{
		"the last reply differs; ids of calls do not count": {shop(t, "c1", `{"a":1.0}`, "there", "There."), shop(t, "c2", `{"a":1.0}`, "there", "Here."),
			head + `,` + called + `,` + told + `],"chosen":[` + reply("There.") + `],"rejected":[` + reply("Here.") + `]` + scores},
		"the call differs, and what follows is cut": {shop(t, "c1", `{"a":1.0}`, "there", "There."), shop(t, "c1", `{"a":2}`, "there", "There."),
			head + `],"chosen":[` + called + `],"rejected":[` + strings.Replace(called, "1.0", "2", 1) + `]` + scores},
		"the tool answers otherwise": {shop(t, "c1", `{"a":1.0}`, "there", "There."), shop(t, "c1", `{"a":1.0}`, "gone", "Gone."),
			head + `],"chosen":[` + called + `,` + told + `,` + reply("There.") + `],"rejected":[` + called + `,` + strings.Replace(told, "there", "gone", 1) + `,` + reply("Gone.") + `]` + scores},
		"the prompts are written otherwise": {rowOf(t, `{"prompt":"A","final_text":"b","reward":1}`), rowOf(t, `{"prompt":"a","final_text":"c","reward":0.25}`),
			`{"prompt":[{"role":"user","content":"A"}],"chosen":[` + reply("b") + `],"rejected":[` + reply("c") + `],"chosen_score":1,"rejected_score":0.25,"margin":0.75}`},
	} {
		got, err := trl.AppendPreference(nil, c.chosen, c.rejected)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, c.want)
		}
	}
}

func member(r *rollout.Row, name string) string {
	for _, m := range r.Extra {
		if m.Name == name {
			return m.JSON
		}
	}
	return ""
}

// What is written can be read back: the conversation is the same, up to the last
// reply and the role that chat templates know.
func TestReadBack(t *testing.T) {
	row := shop(t, "c1", `{"a":1.0}`, "there", "There.")
	line, err := trl.AppendMessages(nil, row)
	if err != nil {
		t.Fatal(err)
	}
	back := rowOf(t, string(line))
	want := row.Messages[:len(row.Messages)-1]
	want[0].Role = rollout.RoleSystem
	if diff := cmp.Diff(want, back.Messages); diff != "" {
		t.Error(diff)
	}
	if back.TaskID != row.TaskID || back.Index != row.Index || back.Reward != row.Reward || back.Tools != row.Tools || back.Prompt != "Where is it?" || back.FinalText != "There." {
		t.Errorf("got %+v", back)
	}
	again, err := trl.AppendMessages(nil, back)
	if err != nil || string(again) != string(line) {
		t.Errorf("once more: %v, %s", err, again)
	}
	line, err = trl.AppendPrompt(nil, row, "42")
	if err != nil {
		t.Fatal(err)
	}
	back = rowOf(t, string(line))
	if back.TaskID != "t1" || !rollout.IsJSON(rollout.ScalarText(member(back, "info"))) || rollout.MemberOf(rollout.ScalarText(member(back, "info")), "seed") != "7" {
		t.Errorf("got %+v", back)
	}
	as, err := dialect.ParseMap([]string{"messages=prompt,privileged.reference=reference"}, "")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := as.Rows(nil, dialect.Record{JSON: line})
	if err != nil || len(rows) != 1 || rows[0].Prompt != row.Prompt || len(rows[0].Messages) != 2 || rollout.MemberOf(rows[0].Privileged, "reference") != `"42"` {
		t.Errorf("%v, got %+v", err, rows)
	}
}
