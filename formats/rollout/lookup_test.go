package rollout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestMemberOf(t *testing.T) {
	for _, c := range []struct{ json, name, want string }{
		{`{"a":1,"b":{"c":[2]}}`, "b", `{"c":[2]}`},
		{`{"a":1,"a":2}`, "a", "2"},
		{`{"a\u0062":1}`, "ab", "1"},
		{`{"a":1}`, "b", ""},
		{`[1]`, "a", ""},
		{``, "a", ""},
	} {
		if got := rollout.MemberOf(c.json, c.name); got != c.want {
			t.Errorf("%s of %s: got %q, want %q", c.name, c.json, got, c.want)
		}
	}
}

func TestMembersAndElementsOf(t *testing.T) {
	var got []string
	for name, value := range rollout.MembersOf(`{"a":1,"b":"x"}`) {
		got = append(got, name+"="+value)
	}
	for value := range rollout.ElementsOf(`[1, {"a":2}]`) {
		got = append(got, value)
	}
	for range rollout.MembersOf(`{"a":1,"b":2}`) {
		break
	}
	for range rollout.ElementsOf(`[1,2]`) {
		break
	}
	if want := []string{"a=1", `b="x"`, "1", `{"a":2}`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextOf(t *testing.T) {
	for _, c := range []struct {
		json, text, scalar string
		ok                 bool
	}{
		{`"plain"`, "plain", "plain", true},
		{`"a\nb\u00e4"`, "a\nbä", "a\nbä", true},
		{`""`, "", "", true},
		{`1.0`, "", "1.0", false},
		{`null`, "", "", false},
		{`[1]`, "", "[1]", false},
		{``, "", "", false},
	} {
		text, ok := rollout.TextOf(c.json)
		if text != c.text || ok != c.ok || rollout.ScalarText(c.json) != c.scalar {
			t.Errorf("%s: got %q, %v, %q", c.json, text, ok, rollout.ScalarText(c.json))
		}
	}
}

func TestIsJSON(t *testing.T) {
	for text, want := range map[string]bool{`{"a":[1]}`: true, ` 1 `: true, `{`: false, `NaN`: false, ``: false, `1 2`: false} {
		if rollout.IsJSON(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

// SetMembers does what SetExtra does one by one, whether members stand in the
// source or not, and rows that share the array do not disturb each other.
func TestSetMembers(t *testing.T) {
	for _, src := range []string{
		`{"prompt":"p"}`,
		`{"lineage":{"a":1},"prompt":"p","other":[1.0]}`,
		`{"judge_meta": 1 ,"lineage":2,"x":3}`,
	} {
		for _, want := range []rollout.Fields{rollout.AllFields, rollout.FieldPrompt} {
			set := []rollout.Member{{Name: "judge_meta", JSON: `{"v":1}`}, {Name: "lineage", JSON: `{"b":2}`}}
			d := rollout.NewDecoder(want)
			var one, many, other rollout.Row
			for _, r := range []*rollout.Row{&one, &many, &other} {
				if err := d.Decode([]byte(src), r); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range set {
				one.SetExtra(m.Name, m.JSON)
			}
			many.SetMembers(set)
			many.SetMembers(nil)
			other.SetMembers(set)
			other.SetExtra("y", "4")
			if got, want := string(many.AppendLine(nil)), string(one.AppendLine(nil)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if text := string(other.AppendLine(nil)); !strings.Contains(text, `"y":4`) || strings.Contains(string(many.AppendLine(nil)), `"y"`) {
				t.Errorf("other row: %s", text)
			}
		}
	}
}

func BenchmarkMemberOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if text, ok := rollout.TextOf(rollout.MemberOf(`{"principle":"p","reference":"A: 18"}`, "reference")); !ok || text != "A: 18" {
			b.Fatal(text)
		}
	}
}
