package rollout_test

import (
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestNamedFields(t *testing.T) {
	const record = `{"rollout_id":"i","scenario_id":"t","group_id":"g","rollout_index":1,"prompt":"p","final_text":"f","finish_reason":"stop",` +
		`"logprob":-2.50,"n_tokens":3,"reward":0.5,"qwen_reward":1,"reason":"r","judge_name":"j","label_source":"l","rollmill_gate":"x",` +
		`"markers":{"a":1,"b":true},"info":{"n":7}}`
	row := mustDecode(t, record, rollout.AllFields)
	want := map[rollout.Fields]string{
		rollout.FieldID: "i", rollout.FieldTaskID: "t", rollout.FieldGroupID: "g", rollout.FieldPrompt: "p", rollout.FieldFinalText: "f",
		rollout.FieldFinishReason: "stop", rollout.FieldReason: "r", rollout.FieldJudge: "j", rollout.FieldLabelSource: "l", rollout.FieldGate: "x",
		rollout.FieldIndex: "1", rollout.FieldLogprob: "-2.50", rollout.FieldNTokens: "3", rollout.FieldReward: "0.5", rollout.FieldPriorReward: "1",
	}
	for f := rollout.FieldID; f <= rollout.FieldExtra; f <<= 1 {
		read := rollout.TextReader(f)
		if read == nil {
			read = rollout.NumberReader(f)
		}
		if got, ok := want[f]; (read != nil) != ok || ok && read(row) != got {
			t.Errorf("%v: read %v, want %q", f.Names(), read != nil, got)
		}
	}
	if a, b, none := row.MarkerText("a"), row.MarkerText("b"), row.MarkerText("c"); a != "1" || b != "true" || none != "" {
		t.Errorf("markers %q, %q, %q", a, b, none)
	}
	if info, none := row.ExtraText("info"), row.ExtraText("x"); info != `{"n":7}` || none != "" {
		t.Errorf("members %q, %q", info, none)
	}
}

func TestSplitPath(t *testing.T) {
	for name, want := range map[string][]string{
		"a": {"a"}, "a.b": {"a", "b"}, `a\.b.c`: {"a.b", "c"}, "": {""}, "a.": {"a", ""}, `a\`: {`a\`}, `\\.b`: {`\`, "b"},
	} {
		if got := rollout.SplitPath(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
