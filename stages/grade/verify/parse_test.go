package verify_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

// parseOptions are those of the tests: two files, and code that always passes.
func parseOptions() verify.ParseOptions {
	return verify.ParseOptions{
		ReadFile: func(path string) ([]byte, error) {
			switch path {
			case "schema.json":
				return []byte(`{"type":"object"}`), nil
			case "calls.jsonl":
				return []byte(`{"id":"a","ground_truth":[]}`), nil
			case "tests.py":
				return []byte("assert x"), nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
		},
		Code: func(o verify.CodeOptions) (grade.Grader, error) {
			return says("code:"+o.Tests, grade.Pass(""), nil), nil
		},
	}
}

func TestParse(t *testing.T) {
	for spec, name := range map[string]string{
		"exact":                            "exact",
		" exact ":                          "exact",
		"exact:whole":                      "exact:whole",
		"contains:any":                     "contains:any",
		"regex:a,(b)":                      "regex:a,(b)",
		"all(regex:a(b,c),exact)":          "all(regex:a(b,c),exact)",
		`all(regex:"a,b\\)",exact)`:        `all(regex:a,b\),exact)`,
		`any(regex:\),exact)`:              `any(regex:\),exact)`,
		"numeric":                          "numeric",
		"numeric:0.01":                     "numeric:0.01",
		"numeric:1%":                       "numeric:1%",
		"math":                             "math",
		"math:strict":                      "math:strict",
		"choice":                           "choice",
		"conduct":                          "conduct",
		"json-schema:schema.json":          "json-schema",
		"tool-calls":                       "tool-calls",
		"tool-calls:ordered:extra":         "tool-calls:ordered:extra",
		"tool-calls:ordered:calls.jsonl":   "tool-calls:ordered",
		"code":                             "code:",
		"code:tests.py":                    "code:assert x",
		"field:info.is_correct":            "field:info.is_correct",
		"any( exact , numeric:0.01 )":      "any(exact,numeric:0.01)",
		"first(math,all(exact,not(code)))": "first(math,all(exact,not(code:)))",
		"weighted(0.7*numeric, 3 * exact)": "weighted(0.7*numeric,3*exact)",
	} {
		g, err := verify.Parse(spec, parseOptions())
		if err != nil {
			t.Errorf("%s: %v", spec, err)
		} else if got := g.Info().Name; got != name {
			t.Errorf("%s: got %s, want %s", spec, got, name)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"":                         `at 1: there is no grader ""; there are exact,`,
		"exakt":                    `at 1: there is no grader "exakt"`,
		"exact:half":               "at 1: there is no exact:half",
		"exact numeric":            `at 7: "numeric" stands behind the end`,
		"all(exact":                "at 10: want a comma or a closing bracket",
		"all()":                    `at 5: there is no grader ""`,
		"every(exact)":             `at 1: there is no combination "every"`,
		"all(exact,numerik)":       `at 11: there is no grader "numerik"`,
		"not(exact,math)":          "not takes one grader, not 2",
		"weighted(exact)":          "at 10: want a weight above 0 and a star",
		"weighted(0*exact)":        "at 10: want a weight",
		"numeric:-1":               "numeric wants a number from 0 on",
		"numeric:x%":               "numeric wants a number from 0 on",
		"regex":                    "regex wants a pattern",
		"regex:(":                  "missing closing )",
		`all(regex:"a,exact)`:      "the quotes are not closed",
		"field":                    "field wants the name of one",
		"field:a..b":               "field wants the name of one",
		"json-schema":              "json-schema wants a file",
		"json-schema:none.json":    "file does not exist",
		"json-schema:tests.py":     "the schema is not JSON",
		"tool-calls:tests.py":      "line 1 is not JSON",
		"tool-calls:none":          "file does not exist",
		"code:none.py":             "file does not exist",
		strings.Repeat("not(", 60): "more than 50 brackets",
	} {
		_, err := verify.Parse(spec, parseOptions())
		bad, ok := errors.AsType[*verify.SpecError](err)
		if !ok || !strings.Contains(err.Error(), want) || bad.Spec != spec {
			t.Errorf("%s: got %v, want %q", spec, err, want)
		}
	}
	if _, err := verify.Parse("json-schema:none.json", parseOptions()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := verify.Parse("code", verify.ParseOptions{}); err == nil || !strings.Contains(err.Error(), "cannot be run here") {
		t.Errorf("got %v", err)
	}
}

// TestGrammar has every word of the grammar parse.
func TestGrammar(t *testing.T) {
	for _, word := range []string{"exact", "contains", "regex", "numeric", "math", "conduct", "choice", "json-schema", "tool-calls", "code", "field", "all(", "any(", "first(", "not(", "weighted("} {
		if !strings.Contains(verify.Grammar, word) {
			t.Errorf("the grammar does not tell of %s", word)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, spec := range []string{"exact", "any(exact,numeric:1%)", `regex:"a"`, "weighted(1*not(math),2*choice)", "field:a.b", "all((((", "tool-calls:ordered:x"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		g, err := verify.Parse(spec, parseOptions())
		if bad, ok := errors.AsType[*verify.SpecError](err); err != nil && (!ok || bad.At > len(spec)) || err == nil && g.Info().Name == "" {
			t.Errorf("%q: %v", spec, err)
		}
	})
}

func ExampleParse() {
	grader, err := verify.Parse("first(field:verified,any(exact,numeric:0.01))", verify.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, answer := range []string{"It costs 5 dollars.", "It costs 6 dollars."} {
		row := rollout.Row{FinalText: answer, Privileged: `{"reference":"$5.00"}`}
		r, err := grader.Grade(context.Background(), &row)
		fmt.Println(r.Reward, r.Reason, err)
	}
	// Output:
	// 1 equal <nil>
	// 0 not equal <nil>
}
