package verify_test

import (
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/verify"
)

func TestJSONSchema(t *testing.T) {
	v, err := verify.JSONSchema(`{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"b":{"enum":["x"]},"c":{"$ref":"#/$defs/c"}},
		"additionalProperties":false,"$defs":{"c":{"maxLength":2}}}`, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, answer, want string }{
		{"the whole", ` {"a":1} `, "1: valid"},
		{"a fenced block", "Here:\n```json\n{\"a\": 1}\n```\nDone {not this}", "1: valid"},
		{"the last block that is JSON", "```\n{\"a\":\"x\"}\n```\n~\n```json\n{\"a\":1}\n```\n```\nno JSON\n```", "1: valid"},
		{"a block that is cut off", "```json\n{\"a\":1}", "1: valid"},
		{"between braces", `The object is {"a":1}, see above.`, "1: valid"},
		{"a list within text", `It is [1,2] here`, "0: /: got array, want object"},
		{"none", `no JSON here {`, "0: no JSON found"},
		{"another type", `{"a":"1"}`, "0: /a: got string, want integer"},
		{"several breaches, the first by place", `{"c":"abc","b":"y","a":"1"}`, "0: /a: got string, want integer"},
		{"a reference within", `{"a":1,"c":"abc"}`, "0: /c: maxLength: got 3, want 2"},
		{"something missing", `{}`, "0: /: missing property 'a'"},
		{"1.0 is an integer", `{"a":1.0}`, "1: valid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, v, row(t, c.answer, "null")); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	bounded, err := verify.JSONSchema(`{"items":{"multipleOf":2,"maximum":8}}`, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{
		`[8e0]`:                    "1: valid",
		`[1e3]`:                    "0: /0: maximum: got 1,000, want 8",
		`[1e999999999]`:            "0: a number is too large",
		`[{"a":[2e-9999999]}]`:     "0: a number is too large",
		`[1e99999999999999999999]`: "0: a number is too large",
	} {
		if got := verdict(t, bounded, row(t, answer, "null")); got != want {
			t.Errorf("%s: got %q, want %q", answer, got, want)
		}
	}
	other, err := verify.JSONSchema(`{}`, verify.Options{})
	if err != nil || other.Info().Version == v.Info().Version || len(v.Info().Version) != 12 {
		t.Errorf("versions %q and %q, %v", other.Info().Version, v.Info().Version, err)
	}
	for schema, want := range map[string]string{
		`{`:                            "is not JSON",
		`{"type":"no type"}`:           "the schema",
		`{"$ref":"other.json"}`:        "refer to nothing but itself",
		`{"$ref":"file:///etc/other"}`: "refer to nothing but itself",
		`{"pattern":"("}`:              "the schema",
	} {
		if _, err := verify.JSONSchema(schema, verify.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", schema, err, want)
		}
	}
}
