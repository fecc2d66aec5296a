package decontaminate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestEscapes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"line ends and quotes", `{"q":"one\ntwo \"three\"\tfour"}`, `{"q":"one two "three" four"}`},
		{"characters", `["caf\u00E9 \u5c0f\u660e"]`, `["café 小明"]`},
		{"a pair", `"x\ud83d\ude00y"`, `"x😀y"`},
		{"half a pair", `"x\ud83d\n\ude00y"`, "\"x\uFFFD \uFFFDy\""},
		{"a name twice, white space before", " \n{\"a\":\"\\n\",\"a\":\"\\/\"}", " \n{\"a\":\" \",\"a\":\"/\"}"},
		{"no escapes", `{"q":"one"}`, `{"q":"one"}`},
		{"no JSON", `[\frac{1}{2}]`, `[\frac{1}{2}]`},
		{"cut off", `{"q":"one\ntwo`, `{"q":"one\ntwo`},
		{"plain", `C:\new`, `C:\new`},
		{"empty", "", ""},
	} {
		var s escapes
		for _, part := range []Parts{ToolArguments, ToolResults} {
			if got := s.open(part, c.text); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
		if got := s.open(Prompt, c.text); got != c.text {
			t.Errorf("%s: a prompt became %q", c.name, got)
		}
	}
}

// What stands in JSON is found whole, whatever its writer escapes, and where it
// stands is told of the text as it is.
func TestEscapedMatch(t *testing.T) {
	const chinese = "小明有五个苹果，他又买了三个苹果，请问他现在一共有多少个苹果？"
	const lines = "Imani stacked\n14 \"glossy\" teapots\nat the café\nin Osaka.\nHow\nmany\nare\nleft?"
	x := build(t, Config{N: []int{4}, Words: Unicode}, Set{Name: "eval", Items: []Item{
		{ID: "a", Texts: []Text{{Question, chinese}}}, {ID: "b", Texts: []Text{{Question, lines}}},
	}})
	for _, c := range []struct{ name, call, want, here string }{
		{"Chinese", `{"q":"\u5c0f\u660e\u6709\u4e94\u4e2a\u82f9\u679c\uff0c\u4ed6\u53c8\u4e70\u4e86\u4e09\u4e2a\u82f9\u679c"}`, "", ""},
		{"Chinese, all", `{"x":"\n","q":"` + escaped(chinese) + `"}`, "a", escaped(chinese[:len(chinese)-len("？")])},
		{"lines", `{"q":"so:\nImani stacked\n14 \"glossy\" teapots\nat the caf\u00e9\nin Osaka.\nHow\nmany\nare\nleft?\n"}`, "b",
			`Imani stacked\n14 \"glossy\" teapots\nat the caf\u00e9\nin Osaka.\nHow\nmany\nare\nleft`},
	} {
		row := rollout.Row{Messages: []rollout.Message{
			{Role: rollout.RoleAssistant, ToolCalls: []rollout.ToolCall{{Name: "find", Arguments: c.call}}},
			{Role: rollout.RoleTool, Content: c.call},
		}}
		found := slices.Clone(x.NewChecker(AllParts, Windowed{}).Row(&row))
		if c.want == "" {
			if len(found) > 0 {
				t.Errorf("%s: found %+v", c.name, found)
			}
			continue
		}
		if len(found) != 2 {
			t.Fatalf("%s: found %+v", c.name, found)
		}
		for _, f := range found {
			if at, _ := x.TextAt(f.Text); at.Item != c.want || f.Score != 1 {
				t.Errorf("%s: %s, %v", c.name, at.Item, f.Score)
			}
			if here := f.Place.textOf(&row)[f.Start:f.End]; here != c.here {
				t.Errorf("%s: %s, want %s", c.name, here, c.here)
			}
		}
	}
}

// escaped writes what is not ASCII as escapes.
func escaped(text string) (out string) {
	for _, r := range text {
		if r < 0x80 {
			out += string(r)
		} else {
			out += fmt.Sprintf(`\u%04x`, r)
		}
	}
	return out
}
