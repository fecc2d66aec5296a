package verify_test

import (
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

// TestWhere has answers and references stand wherever they may (spec of rows,
// section 3.1).
func TestWhere(t *testing.T) {
	for _, c := range []struct{ name, row, answer, gold, want string }{
		{"the final text", `{"final_text":"a","privileged":{"reference":"a"}}`, "", "", "1: equal"},
		{"the last message", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"privileged":{"reference":"a"}}`, "", "", "1: equal"},
		{"privileged first", `{"final_text":"a","reference":"b","privileged":{"reference":"a"}}`, "", "", "1: equal"},
		{"a flat name", `{"final_text":"a","target":"a"}`, "", "", "1: equal"},
		{"flat names in order", `{"final_text":"a","label":"b","answer":"a"}`, "", "", "1: equal"},
		{"null is none", `{"final_text":"a","answer":null,"label":"a"}`, "", "", "1: equal"},
		{"in info", `{"final_text":"a","info":{"expected":"a"}}`, "", "", "1: equal"},
		{"in metadata", `{"final_text":"a","info":{"x":1},"metadata":{"solution":"a"}}`, "", "", "1: equal"},
		{"in privileged, last", `{"final_text":"a","privileged":{"answer":"a"}}`, "", "", "1: equal"},
		{"nowhere", `{"final_text":"a","privileged":{"principle":"p"}}`, "", "", "invalid_result: no reference"},
		{"an empty text is one", `{"final_text":"","answer":""}`, "", "", "1: equal"},
		{"fields that are named", `{"my":{"out":["x","a"]},"their.gold":{"g":"a"},"answer":"b"}`, "my.out.1", `their\.gold.g`, "1: equal"},
		{"a field of the row", `{"prompt":"a","reason":"a"}`, "prompt", "reason", "1: equal"},
		{"a private field", `{"final_text":"a","privileged":{"x":{"y":"a"}}}`, "", "privileged.x.y", "1: equal"},
		{"a marker", `{"final_text":"0.5","markers":{"m":0.5}}`, "", "markers.m", "1: equal"},
		{"extra by its name", `{"final_text":"a","gold":"a"}`, "", "extra.gold", "1: equal"},
		{"a named field that is not there", `{"final_text":"a","answer":"a"}`, "", "gold", "invalid_result: no reference"},
		{"beyond a list", `{"final_text":"a","gold":["a"]}`, "", "gold.1", "invalid_result: no reference"},
		{"no number of a list", `{"final_text":"a","gold":["a"]}`, "", "gold.x", "invalid_result: no reference"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o verify.ExactOptions
			if c.answer != "" {
				o.Answer = field(t, c.answer)
			}
			if c.gold != "" {
				o.Gold = field(t, c.gold)
			}
			v := verify.Exact(o)
			if got := verdict(t, v, decode(t, c.row)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			// What the verifier says it needs is what it needs.
			var row rollout.Row
			if err := rollout.NewDecoder(v.Info().Needs).Decode([]byte(c.row), &row); err != nil {
				t.Fatal(err)
			}
			if got := verdict(t, v, &row); got != c.want {
				t.Errorf("of the fields that it needs: got %q, want %q", got, c.want)
			}
		})
	}
}

func TestParseFieldErrors(t *testing.T) {
	for name, want := range map[string]string{
		"":         "is empty",
		"a..b":     "is empty",
		"prompt.x": "has no members",
		"messages": "no single value",
		"markers":  "no single value",
	} {
		if _, err := verify.ParseField(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
	}
	if f := field(t, "a.b"); f.Name() != "a.b" || f.IsZero() || !(verify.Field{}).IsZero() {
		t.Errorf("field %+v", f)
	}
}

// TestRedaction has no reason quote a private reference.
func TestRedaction(t *testing.T) {
	const long = "The quick brown fox jumps over the lazy dog, twice."
	for _, c := range []struct{ name, reference, reason, want string }{
		{"as it is", `"Paris"`, "want Paris, got Rome", "want <reference>, got Rome"},
		{"whole words alone", `"4"`, "want 4, got 14 or 4.", "want <reference>, got 14 or <reference>."},
		{"other spellings of a number", `1200.5`, "want 1200.50 or 1200.5", "want <reference> or <reference>"},
		{"with thousands", `"1,200"`, "want 1200 or 1200.0", "want <reference> or <reference>"},
		{"as JSON", `"say \"hi\""`, `want say \"hi\" now`, "want <reference> now"},
		{"a long line", `"first line of the answer\nsecond"`, "found first line of the answer there", "found <reference> there"},
		{"a long beginning", `"` + long + `"`, "want The quick brown fox ju...", "want <reference>..."},
		{"a short one stays", `"` + long + `"`, "want The quick...", "want The quick..."},
		{"space alone is none", `"  "`, "a  b", "a  b"},
		{"beyond ASCII", `"Zürich-Kloten Airport"`, "at Zürich-Kloten Ai, near Zürich", "at <reference>, near Zürich"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verify.New("mine", "1", verify.Options{}, func(string, verify.Reference, *rollout.Row) grade.Result { return grade.Fail(c.reason) })
			if got := verdict(t, v, row(t, "x", c.reference)); got != "0: "+c.want {
				t.Errorf("got %q, want %q", got, "0: "+c.want)
			}
			public := decode(t, `{"reference":`+c.reference+`}`)
			if got := verdict(t, v, public); got != "0: "+c.reason {
				t.Errorf("of a public reference: got %q", got)
			}
		})
	}
}

// TestNew clamps scores and cuts reasons.
func TestNew(t *testing.T) {
	v := verify.New("mine", "2", verify.Options{}, func(answer string, _ verify.Reference, _ *rollout.Row) grade.Result {
		return grade.Score(float64(len(answer)), strings.Repeat("ü", 300))
	})
	r, err := v.Grade(t.Context(), row(t, "four", `1`))
	if err != nil || r.Reward != 1 || r.Reason != strings.Repeat("ü", 200) {
		t.Errorf("got %+v, %v", r, err)
	}
	if info := v.Info(); info.Name != "mine" || info.Version != "2" || info.Kind != grade.Rule || !info.Pure || info.Waits {
		t.Errorf("info %+v", info)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("want 4, got 14", "4")
	f.Add("a long reason of a long reference", "a long reason of another")
	f.Fuzz(func(t *testing.T, reason, reference string) {
		v := verify.New("mine", "1", verify.Options{}, func(string, verify.Reference, *rollout.Row) grade.Result { return grade.Fail(reason) })
		private := string(rollout.AppendText([]byte(`{"reference":`), reference)) + "}"
		if !rollout.IsJSON(private) {
			return
		}
		if _, err := v.Grade(t.Context(), &rollout.Row{Privileged: private}); err != nil {
			t.Error(err)
		}
	})
}
