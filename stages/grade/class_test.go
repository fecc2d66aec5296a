package grade_test

import (
	"testing"

	"github.com/rollmill/rollmill/stages/grade"
)

func TestClassifyFailure(t *testing.T) {
	for _, c := range []struct{ name, row, want string }{
		{"a pass has none", `{"reward":1,"reason":"invented","final_text":"x"}`, ""},
		{"nor has a part", `{"reward":0.5,"reason":"invented","final_text":"x"}`, ""},
		{"nor has no verdict", `{"reward":0,"judge_status":"error","reason":"invented","final_text":"x"}`, ""},
		{"a valid one stays", `{"reward":0,"failure_class":"no_attempt","reason":"invented","final_text":"x"}`, "no_attempt"},
		{"another does not", `{"reward":0,"failure_class":"my own","reason":"invented","final_text":"x"}`, "fabrication"},
		{"no reply", `{"reward":0,"final_text":" "}`, "junk_output"},
		{"a stub", `{"reward":0,"final_text":"<agent error: timeout>"}`, "junk_output"},
		{"reply in messages", `{"reward":0,"messages":[{"role":"assistant","content":"hi"}],"reason":"made up an id"}`, "fabrication"},
		{"the first group wins", `{"reward":0,"final_text":"x","reason":"Invented an id and wrote WITHOUT CONFIRMATION"}`, "unconfirmed_write"},
		{"arithmetic", `{"reward":0,"final_text":"x","reason":"wrong total"}`, "arithmetic"},
		{"refusal", `{"reward":0,"final_text":"x","reason":"claimed to be unable to book"}`, "no_attempt"},
		{"dishonesty", `{"reward":0,"final_text":"x","reason":"claimed success after the tool failed"}`, "fault_dishonesty"},
		{"the advisory reason too", `{"reward":0,"final_text":"x","reason":"bad","llm_reason":"never answered the question"}`, "incompleteness"},
		{"never a guess", `{"reward":0,"final_text":"x","reason":"bad"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := decode(t, c.row)[0]
			if got, ok := grade.ClassifyFailure(&row); got != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}
