package grade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// shown is a result in short.
func shown(r grade.Result) string {
	s := r.Status.String()
	if r.OK() {
		s += fmt.Sprintf(" %v", r.Reward)
	}
	if r.Reason != "" {
		s += " because " + r.Reason
	}
	if r.Class != "" {
		s += " class " + r.Class
	}
	for _, m := range r.Markers {
		s += " marker " + m.Name + "=" + m.Value.Text
	}
	for _, m := range r.Meta {
		s += " " + m.Name + "=" + m.JSON
	}
	return s
}

// TestVerdict holds the judge contract against the vectors of the spec of rows,
// section 11.2, and the rules of section 2.1.
func TestVerdict(t *testing.T) {
	stars := grade.Scale{Low: 1, High: 5}
	for _, c := range []struct {
		name  string
		value any
		scale grade.Scale
		want  string
	}{
		{"true", true, grade.Scale{}, "ok 1"},
		{"false", false, grade.Scale{}, "ok 0"},
		{"fraction", 0.25, grade.Scale{}, "ok 0.25"},
		{"fraction that is not rounded", 1.0 / 3, grade.Scale{}, "ok 0.3333333333333333"},
		{"1.0", 1.0, grade.Scale{}, "ok 1"},
		{"integer", 1, grade.Scale{}, "ok 1"},
		{"above", 1.01, grade.Scale{}, "invalid_result reward_out_of_range=1.01"},
		{"below", -0.1, grade.Scale{}, "invalid_result reward_out_of_range=-0.1"},
		{"NaN", math.NaN(), grade.Scale{}, `invalid_result reward_out_of_range="NaN"`},
		{"infinite", math.Inf(1), grade.Scale{}, `invalid_result reward_out_of_range="+Inf"`},
		{"score and more", map[string]any{"score": 1, "latency": 3}, grade.Scale{}, "ok 1 latency=3"},
		{"null does not fall back", json.RawMessage(`{"reward":null,"score":1}`), grade.Scale{}, `invalid_result reward_type="null"`},
		{"reward is a text", json.RawMessage(`{"reward":"1"}`), grade.Scale{}, `invalid_result reward_type="string"`},
		{"reward is true", json.RawMessage(`{"reward":true,"reason":"x"}`), grade.Scale{}, "ok 1 because x"},
		{"no reward", map[string]any{"reason": "x"}, grade.Scale{}, `missing_reward because x returned_keys=["reason"]`},
		{"keys are sorted", map[string]any{"b": 1, "a": 2}, grade.Scale{}, `missing_reward returned_keys=["a","b"] a=2 b=1`},
		{"a text", "pass", grade.Scale{}, `invalid_result returned_type="string"`},
		{"nothing", nil, grade.Scale{}, `invalid_result returned_type="null"`},
		{"a list", []int{1}, grade.Scale{}, `invalid_result returned_type="array"`},
		{"no JSON", func() {}, grade.Scale{}, `invalid_result returned_type="func()"`},
		{"inner evidence wins", json.RawMessage(`{"reward":0,"a":1,"judge_meta":{"a":2,"b":3}}`), grade.Scale{}, "ok 0 a=2 b=3"},
		{"class and markers", json.RawMessage(`{"reward":0,"failure_class":"arithmetic","markers":{"m":0.5,"bad":"x"}}`), grade.Scale{},
			"ok 0 class arithmetic marker m=0.5"},

		{"rating", map[string]any{"rating": 4}, stars, "ok 0.75 rating=4 scale=[1,5]"},
		{"rating outside", map[string]any{"rating": 6}, stars, "invalid_result rating_out_of_scale=6 scale=[1,5]"},
		{"bare rating", 2, stars, "ok 0.25 rating=2 scale=[1,5]"},
		{"score under a scale", map[string]any{"score": 5, "reward": 1}, stars, "ok 1 rating=5 scale=[1,5]"},
		{"rounded to 6 digits", 2, grade.Scale{Low: 0, High: 3}, "ok 0.666667 rating=2 scale=[0,3]"},
		{"null rating", json.RawMessage(`{"rating":null}`), stars, "missing_reward"},
		{"no rating", json.RawMessage(`{"x":1}`), stars, `missing_reward returned_keys=["x"] x=1`},
		{"boolean under a scale", true, stars, `invalid_result reward_type="boolean"`},
		{"text rating", json.RawMessage(`{"rating":"4"}`), stars, `invalid_result reward_type="string"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(grade.Verdict(c.value, c.scale)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestContractFunc(t *testing.T) {
	boom := errors.New("boom")
	g := grade.ContractFunc(grade.Info{Name: "f"}, grade.Scale{}, func(_ context.Context, row *rollout.Row) (any, error) {
		if row.FinalText == "" {
			return nil, boom
		}
		return row.FinalText == "4", nil
	})
	row := rollout.Row{FinalText: "4"}
	if r, err := g.Grade(t.Context(), &row); err != nil || !r.OK() || r.Reward != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := g.Grade(t.Context(), &rollout.Row{}); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
}

func FuzzVerdictJSON(f *testing.F) {
	for _, text := range []string{`true`, `0.5`, `{"reward":1e999}`, `{"judge_meta":{"a":1},"a":2}`, `{"markers":{"x":1}}`, `[`, `{"reward`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !rollout.IsJSON(text) {
			return
		}
		r := grade.VerdictJSON(text, grade.Scale{})
		if r.OK() && !(r.Reward >= 0 && r.Reward <= 1) || !r.OK() && r.Reward != 0 {
			t.Errorf("%s: %+v", text, r)
		}
		for _, m := range r.Meta {
			if !rollout.IsJSON(m.JSON) {
				t.Errorf("%s: evidence %q is not JSON", text, m.JSON)
			}
		}
	})
}
