package rollout_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"pgregory.net/rapid"
)

// jsonText draws JSON values, small and odd.
func jsonText(depth int) *rapid.Generator[string] {
	scalars := []*rapid.Generator[string]{
		rapid.SampledFrom([]string{"null", "true", "false", "0", "1", "1.0", "-0", "1e5", "0.5", "9007199254740993", `""`, `"x"`}),
		quoted(),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	list := rapid.Custom(func(t *rapid.T) string {
		return "[" + strings.Join(rapid.SliceOfN(jsonText(depth-1), 0, 3).Draw(t, "list"), " , ") + "]"
	})
	object := rapid.Custom(func(t *rapid.T) string {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"role", "content", "name", "tool_calls", "function", "arguments", "id", "x"}), 0, 4).Draw(t, "names")
		var members []string
		for _, n := range names {
			members = append(members, `"`+n+`": `+jsonText(depth-1).Draw(t, "value"))
		}
		return "{" + strings.Join(members, ",") + "}"
	})
	return rapid.OneOf(append(scalars, list, object)...)
}

func quoted() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "user", "ok", `\n`, `\"`, `\\`, `\u00e9`, "é", "日本", `\ud83c\udf78`, `\ud835`, "\u2028", " "}), 0, 6).Draw(t, "pieces")
		return `"` + strings.Join(pieces, "") + `"`
	})
}

// message draws mostly well-formed messages.
func message() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var members []string
		if rapid.IntRange(0, 7).Draw(t, "role?") > 0 {
			members = append(members, `"role":`+rapid.SampledFrom([]string{`"user"`, `"assistant"`, `"tool"`, "null"}).Draw(t, "role"))
		}
		if rapid.Bool().Draw(t, "content?") {
			members = append(members, `"content":`+rapid.OneOf(quoted(), jsonText(1)).Draw(t, "content"))
		}
		if rapid.Bool().Draw(t, "calls?") {
			members = append(members, `"tool_calls":`+rapid.SampledFrom([]string{
				"null", "[]", `[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]`,
				`[{"name":"f","arguments":{"a":1}}]`, `[{"function":{"name":"f"}}]`, `[7]`,
			}).Draw(t, "calls"))
		}
		return "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}"
	})
}

// record draws records of row v1 with wrong types, odd names and repetitions.
func record() *rapid.Generator[string] {
	names := append(rollout.AllFields.Names()[:21], "task_id", "grader_reason", "schema_version", "opener", "seed", "x y", `\u0072eward`)
	return rapid.Custom(func(t *rapid.T) string {
		var members []string
		for _, n := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 8).Draw(t, "names") {
			value := jsonText(2)
			switch n {
			case "messages":
				value = rapid.OneOf(value, rapid.Custom(func(t *rapid.T) string {
					return "[" + strings.Join(rapid.SliceOfN(message(), 0, 3).Draw(t, "messages"), ",") + "]"
				}))
			case "judge_status":
				value = rapid.OneOf(value, rapid.SampledFrom([]string{`"ok"`, `"timeout"`}))
			}
			members = append(members, `"`+n+`" : `+value.Draw(t, "value"))
		}
		return rapid.SampledFrom([]string{"{", " { "}).Draw(t, "open") + strings.Join(members, " ,") + rapid.SampledFrom([]string{"}", " } "}).Draw(t, "close")
	})
}

// A row written as v1 and read again says the same, whatever the record was.
func TestPropertyRoundTripThroughV1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := record().Draw(t, "record")
		r := mustDecode(t, text, rollout.AllFields)
		v1 := r.AppendJSON(nil)
		back := mustDecode(t, string(v1), rollout.AllFields)
		if !back.Equal(r) {
			t.Fatalf("%s\nwritten   %s\nread back %s", text, v1, back.Canonical())
		}
	})
}

// What was not touched is written byte for byte.
func TestPropertyUntouchedIsVerbatim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := record().Draw(t, "record")
		r := mustDecode(t, text, rollout.FieldReward)
		if got := string(r.AppendLine(nil)); got != text {
			t.Fatalf("%q written as %q", text, got)
		}
	})
}

// A spliced line is JSON, says the change, and says all else as before.
func TestPropertySplice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := record().Draw(t, "record")
		r := mustDecode(t, text, rollout.AllFields)
		change(t, r)
		line := string(r.AppendLine(nil))
		back := mustDecode(t, line, rollout.AllFields)
		if !back.Equal(r) {
			t.Fatalf("%s\nspliced   %s\nread back %s\nwant      %s", text, line, back.Canonical(), r.Canonical())
		}
	})
}

func change(t *rapid.T, r *rollout.Row) {
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		switch rapid.IntRange(0, 6).Draw(t, "change") {
		case 0:
			r.SetReward(rollout.Number(0.25), rollout.StatusOK)
		case 1:
			r.Clear(rollout.FieldReward | rollout.FieldReason)
		case 2:
			r.TaskID = "new\n"
			r.Touch(rollout.FieldTaskID)
		case 3:
			r.Reason = "why"
			r.Touch(rollout.FieldReason)
		case 4:
			r.SetMarker("m", rollout.Number(1))
		case 6:
			a, err := rollout.ParseAssignment("seed=[]")
			if err != nil {
				t.Fatal(err)
			}
			a.Apply(r)
		case 5:
			r.AddFinding(rollout.Finding{Gate: "g", Code: "c"})
		}
	}
}

// The same records are refused whatever is wanted.
func TestPropertyRefusalDoesNotDependOnFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(record().Draw(t, "record"))
		if len(text) > 0 && rapid.Bool().Draw(t, "damage?") {
			i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[i] = rapid.SampledFrom([]byte("{}[]\",:x\xff\x00\\")).Draw(t, "byte")
		}
		var errs []string
		for _, want := range []rollout.Fields{0, rollout.FieldReward | rollout.FieldTaskID, rollout.FieldPrompt | rollout.FieldFinalText, rollout.FieldMessages, rollout.AllFields} {
			var r rollout.Row
			err := rollout.NewDecoder(want).Decode(bytes.Clone(text), &r)
			errs = append(errs, errText(err))
		}
		for _, e := range errs[1:] {
			if e != errs[0] {
				t.Fatalf("%q: %q against %q", text, e, errs[0])
			}
		}
	})
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func mustDecode(t interface{ Fatalf(string, ...any) }, text string, want rollout.Fields) *rollout.Row {
	var r rollout.Row
	if err := rollout.NewDecoder(want).Decode([]byte(text), &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &r
}
