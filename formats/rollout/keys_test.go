package rollout_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
)

func decoded(t *testing.T, record string) *rollout.Row {
	t.Helper()
	var row rollout.Row
	if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
		t.Fatal(err)
	}
	return &row
}

func ExampleRow_TaskKey() {
	fmt.Println((&rollout.Row{TaskID: "t1", Prompt: "What is 2+2?"}).TaskKey())
	fmt.Println((&rollout.Row{Prompt: "What is 2+2?"}).TaskKey())
	// Output:
	// t1
	// What is 2+2?
}

func TestTaskKey(t *testing.T) {
	for record, want := range map[string]string{
		`{"scenario_id":"s","task_id":"t","prompt":"p"}`:      "s",
		`{"scenario_id":"","task_id":"t","prompt":"p"}`:       "t",
		`{"task_id":7,"prompt":"p"}`:                          "7",
		`{"scenario_id":0,"task_id":"t"}`:                     "t",
		`{"prompt":"p"}`:                                      "p",
		`{}`:                                                  "",
		`{"scenario_id":null,"task_id":null,"prompt":null}`:   "",
		`{"scenario_id":false,"task_id":0.0,"prompt":"last"}`: "last",
	} {
		if got := decoded(t, record).TaskKey(); got != want {
			t.Errorf("%s: got %q, want %q", record, got, want)
		}
	}
}

func TestRowKey(t *testing.T) {
	for record, want := range map[string]string{
		`{"rollout_id":"r1","scenario_id":"s","rollout_index":0}`:                "r1",
		`{"scenario_id":"s","rollout_index":0}`:                                  "s#0",
		`{"scenario_id":"s","rollout_index":"3"}`:                                "s#3",
		`{"scenario_id":"s","prompt":"p","final_text":"f"}`:                      "7066aa00a4db6c35",
		`{"scenario_id":"s","prompt":"p","final_text":"f","rollout_index":null}`: "7066aa00a4db6c35",
		`{"prompt":"ask 1","final_text":"reply 1"}`:                              "e7137ff1528c1a33",
		`{"prompt":"What is 2+2?","final_text":"4"}`:                             "f78fd1e486757747",
		`{}`: "953efe8f531a5a87",
	} {
		if got := decoded(t, record).RowKey(); got != want {
			t.Errorf("%s: got %q, want %q", record, got, want)
		}
	}
}

func TestDerivedIDs(t *testing.T) {
	for _, c := range []struct{ what, got, want string }{
		{"task id of a prompt", rollout.DerivedTaskID("What is 2+2?"), "task_52cb6b5e4a03"},
		{"rollout id", rollout.DerivedRolloutID("t1", 0, "gpt-x"), "9990b20c9305"},
		{"group id of a task key", rollout.DerivedGroupID("s1"), "640d87e741e6"},
		{"group key of a row", (&rollout.Row{TaskID: "s1"}).GroupKey(), "640d87e741e6"},
		{"group key of a row that has one", (&rollout.Row{TaskID: "s1", GroupID: "g"}).GroupKey(), "g"},
		{"rollout id of a row", decoded(t, `{"scenario_id":"t1","model_version":"gpt-x"}`).RolloutID(), "9990b20c9305"},
		{"rollout id of a row that has one", decoded(t, `{"rollout_id":"r"}`).RolloutID(), "r"},
		{"rollout id of a prompt", decoded(t, `{"prompt":"What is 2+2?","rollout_index":2}`).RolloutID(),
			rollout.DerivedRolloutID("task_52cb6b5e4a03", 2, "")},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestPromptKey(t *testing.T) {
	for prompt, want := range map[string]string{
		"Please look up ORD-4017, NOW!":                   "please look up ord-4017, now!",
		"  Tabs\tand\nnew\u00a0lines  ":                   "tabs and new lines",
		"caf\u00e9 na\u00efve \u0130stanbul \u03a3\u03a3": "caf\u00e9 na\u00efve i\u0307stanbul \u03c3\u03c2",
		"a I x 42 3.14 $5":                                "a i x 42 3.14 $5",
		"e-mail: a.b@c.io":                                "e-mail: a.b@c.io",
		"":                                                "",
		"\u4f60\u597d world":                              "\u4f60\u597d world",
		"don't stop\u2014won't":                           "don't stop\u2014won't",
		"x_y __init__ A_B1":                               "x_y __init__ a_b1",
		"\u00b2 \u0663 7":                                 "\u00b2 \u0663 7",
		"unit\x1fseparator\x1c \u2028line":                "unit separator line",
		"\u039f\u0394\u039f\u03a3. \u03a3 \u03a3\u0391":   "\u03bf\u03b4\u03bf\u03c2. \u03c3 \u03c3\u03b1",
	} {
		if got := rollout.PromptKey(prompt); got != want {
			t.Errorf("%q: got %q, want %q", prompt, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		key := rollout.PromptKey(rapid.String().Draw(t, "prompt"))
		if again := rollout.PromptKey(" " + key + "\n"); again != key {
			t.Errorf("the key of %q is %q", key, again)
		}
	})
}
