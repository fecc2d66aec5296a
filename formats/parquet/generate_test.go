package parquet_test

import (
	"strings"

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
		members := []string{`"role":` + rapid.SampledFrom([]string{`"user"`, `"assistant"`, `"tool"`, "null"}).Draw(t, "role")}
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
