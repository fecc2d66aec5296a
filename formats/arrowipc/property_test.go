package arrowipc_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
)

// jsonText draws JSON values, small and odd.
func jsonText(depth int) *rapid.Generator[string] {
	scalars := []*rapid.Generator[string]{
		rapid.SampledFrom([]string{
			"null", "true", "false", "0", "1", "1.0", "-0", "-0.0", "1e5", "0.5", "-12", "123456789012345678", "9223372036854775807",
			"9223372036854775808", "0.1", "0.30000000000000004", "0.000001", "0.0000001", "1e-7", "1e999", "100000000000000000000000", `""`, `"x"`, `"0.5"`,
		}),
		quoted(),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	list := rapid.Custom(func(t *rapid.T) string {
		return "[" + strings.Join(rapid.SliceOfN(jsonText(depth-1), 0, 3).Draw(t, "list"), " , ") + "]"
	})
	object := rapid.Custom(func(t *rapid.T) string {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"role", "content", "name", "gate", "code", "function", "a", "b"}), 0, 4).Draw(t, "names")
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
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ok", `\n`, `\"`, `\u00e9`, "é", "日本", `\ud83c\udf78`, `\ud835`, `\u0000`, " "}), 0, 5).Draw(t, "pieces")
		return `"` + strings.Join(pieces, "") + `"`
	})
}

// conversation draws lists of messages, most of them well-formed.
func conversation() *rapid.Generator[string] {
	message := rapid.Custom(func(t *rapid.T) string {
		var members []string
		if rapid.IntRange(0, 7).Draw(t, "role?") > 0 {
			members = append(members, `"role":`+rapid.SampledFrom([]string{`"user"`, `"assistant"`, `"tool"`, "null", `""`}).Draw(t, "role"))
		}
		for _, m := range []struct{ name, values string }{{"content", ""}, {"name", ""}, {"tool_call_id", ""}} {
			if rapid.Bool().Draw(t, m.name+"?") {
				members = append(members, `"`+m.name+`":`+rapid.OneOf(quoted(), jsonText(1)).Draw(t, m.name))
			}
		}
		if rapid.Bool().Draw(t, "calls?") {
			members = append(members, `"tool_calls":`+rapid.SampledFrom([]string{
				"null", "[]", `[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]`,
				`[{"function":{"name":"","arguments":""}},{"id":"d","function":{"name":"g","arguments":"{"}}]`,
				`[{"name":"f","arguments":{"a":1}}]`, `[{"function":{"name":"f"}}]`, `[7]`,
			}).Draw(t, "calls"))
		}
		return "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}"
	})
	return rapid.Custom(func(t *rapid.T) string {
		return "[" + strings.Join(rapid.SliceOfN(message, 0, 4).Draw(t, "messages"), ",") + "]"
	})
}

// record draws records of row v1 with wrong types, odd names and repetitions.
func record() *rapid.Generator[string] {
	names := append((rollout.AllFields &^ rollout.FieldExtra).Names(), "task_id", "grader_reason", "schema_version", "opener", "steps", "seed", "extra", "x y", `\u0072eward`)
	return rapid.Custom(func(t *rapid.T) string {
		var members []string
		for _, n := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 9).Draw(t, "names") {
			value := jsonText(2)
			switch n {
			case "messages":
				value = rapid.OneOf(value, conversation())
			case "judge_status":
				value = rapid.OneOf(value, rapid.SampledFrom([]string{`"ok"`, `"timeout"`}))
			case "markers":
				value = rapid.OneOf(value, rapid.SampledFrom([]string{"{}", `{"a":1,"b":0.25}`, `{"a":1.0}`, `{"a":null,"b":true}`}))
			case "rollmill_gates":
				value = rapid.OneOf(value, rapid.SampledFrom([]string{"[]", `[{"gate":"g","code":"c"},{"detail":"d"}]`, `[{}]`}))
			case "tools":
				value = rapid.OneOf(value, rapid.SampledFrom([]string{"[]", `[ {"type": "function"} ]`}))
			}
			members = append(members, `"`+n+`" : `+value.Draw(t, "value"))
		}
		return "{" + strings.Join(members, " ,") + "}"
	})
}

func drawRows(t *rapid.T) (rows []rollout.Row) {
	d := rollout.NewDecoder(rollout.AllFields)
	for i, text := range rapid.SliceOfN(record(), 1, 20).Draw(t, "records") {
		r := rollout.Row{Pos: rollout.Pos{Record: int64(i) + 1}}
		if err := d.Decode([]byte(text), &r); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		rows = append(rows, r)
	}
	return rows
}

// Whatever the records were, the rows come back from a record batch and say the
// same; and our columns are those that arrow-go's builders make.
func TestPropertyRowsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		rec, err := arrowipc.Encode(rows)
		if err != nil {
			t.Fatal(err)
		}
		if want := newRowBuilder().built(rows); !array.RecordEqual(rec, want) {
			t.Fatalf("columns\n%v\nwant\n%v", rec, want)
		}
		back, rejects, err := arrowipc.Decode(rec, rollout.AllFields)
		if err != nil || len(rejects) > 0 || len(back) != len(rows) {
			t.Fatal(len(back), rejects, err)
		}
		for i := range rows {
			if !back[i].Equal(&rows[i]) {
				t.Fatalf("%s\ncame back %s\nwant      %s", rows[i].Source(), back[i].Canonical(), rows[i].Canonical())
			}
			if b, r := &back[i], &rows[i]; b.Reason != r.Reason || b.TaskID != r.TaskID || b.Prompt != r.Prompt || b.State() != r.State() || b.Pos != r.Pos {
				t.Fatalf("%s: came back as %+v", r.Source(), b)
			}
		}
	})
}

func canonical(json string) string {
	if json == "" {
		return ""
	}
	return string(rollout.AppendCanonical(nil, []byte(json)))
}

// A field is the same whether the others are read or not.
func TestPropertyProjection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t)
		rec, err := arrowipc.Encode(rows)
		if err != nil {
			t.Fatal(err)
		}
		want := rollout.Fields(rapid.Uint64Range(0, uint64(rollout.AllFields)).Draw(t, "fields"))
		back, _, err := arrowipc.Decode(rec, want)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			for f := rollout.FieldID; f < rollout.FieldExtra; f <<= 1 {
				if has := want.Has(f) && rows[i].Has(f); back[i].Has(f) != has && want.Has(f) {
					t.Fatalf("%s: wanted %v, has %v: %v", rows[i].Source(), want.Names(), f.Names(), back[i].Has(f))
				}
			}
			for _, v := range []struct {
				f         rollout.Fields
				got, want rollout.Value
			}{
				{rollout.FieldReward, back[i].Reward, rows[i].Reward}, {rollout.FieldLogprob, back[i].Logprob, rows[i].Logprob},
				{rollout.FieldNTokens, back[i].NTokens, rows[i].NTokens}, {rollout.FieldIndex, back[i].Index, rows[i].Index},
			} {
				if want.Has(v.f) && (v.got.Num != v.want.Num || canonical(v.got.Text) != canonical(v.want.Text)) {
					t.Fatalf("%s: %v is %+v", rows[i].Source(), v.f.Names(), v.got)
				}
			}
			if want.Has(rollout.FieldStatus|rollout.FieldReward) && back[i].State() != rows[i].State() {
				t.Fatalf("%s: %v", rows[i].Source(), back[i].State())
			}
		}
	})
}
