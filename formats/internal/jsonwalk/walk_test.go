package jsonwalk_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", `{}`, nil},
		{"order, nesting, space", ` { "b" : [1, {"x":2}] ,"a":"t"} `, []string{`b=[1, {"x":2}]`, `a="t"`}},
		{"duplicates", `{"a":1,"a":2}`, []string{"a=1", "a=2"}},
		{"escaped name", `{"a\u0062\"":null}`, []string{`ab"=null`}},
		{"bare NaN", `{"a":NaN,"b":1}`, []string{"a=NaN", "b=1"}},
		{"cut in a string", `{"a":1,"b":"half`, []string{"a=1", `b="half`}},
		{"cut in an object", `{"a":{"x":[1,`, []string{`a={"x":[1,`}},
		{"cut in a literal", `{"a":tru`, []string{`a=tru`}},
		{"cut in a name", `{"a":1,"b`, []string{"a=1"}},
		{"cut before a value", `{"a":1,"b": `, []string{"a=1"}},
		{"broken inside", `{"a":1,"b":{"x":,"y":1234567890},"c":2}`, []string{"a=1"}},
		{"array", `[1]`, nil},
		{"nothing", ``, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for name, value := range jsonwalk.Members([]byte(c.text)) {
				got = append(got, fmt.Sprintf("%s=%s", name, value))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", `[ ]`, nil},
		{"mixed", ` [1, "a", {"x":[]} ]`, []string{"1", `"a"`, `{"x":[]}`}},
		{"cut", `[{"a":1},{"a":`, []string{`{"a":1}`, `{"a":`}},
		{"object", `{"a":1}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for value := range jsonwalk.Elements([]byte(c.text)) {
				got = append(got, string(value))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestStopsEarly(t *testing.T) {
	n := 0
	for range jsonwalk.Members([]byte(`{"a":1,"b":2}`)) {
		n++
		break
	}
	for range jsonwalk.Elements([]byte(`[1,2]`)) {
		n++
		break
	}
	if n != 2 {
		t.Errorf("went on to %d values after break", n)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, quoted, want string
		ok                 bool
	}{
		{"plain", ` "abc" `, "abc", true},
		{"pair", `"\ud83c\udf78\n"`, "\U0001F378\n", true},
		{"lone surrogate", `"half \ud835 letter"`, "half \ufffd letter", true},
		{"number", `1`, "", false},
		{"cut", `"ab`, "", false},
		{"none", ``, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := jsonwalk.Text([]byte(c.quoted))
			if got != c.want || ok != c.ok {
				t.Errorf("got %q, %v, want %q, %v", got, ok, c.want, c.ok)
			}
		})
	}
}

func TestIsCut(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":1}`:                       false,
		`{"a":1} behind`:                false,
		`{"a":`:                         true,
		`{"a":"text that goes on`:       true,
		``:                              true,
		"{\"a\":\"line\nbreak within\"": false,
	} {
		if got := jsonwalk.IsCut([]byte(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestTruthy(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "null": false, "false": false, `""`: false, "[]": false, "{}": false, "[ ]": false, "{\n}": false,
		"0": false, "-0": false, "0.0": false, "0e5": false, "-0.00E+7": false,
		"true": true, `"0"`: true, `" "`: true, "[0]": true, "[[]]": true, `{"":0}`: true, "1": true, "-0.01": true, "10": true, "5e-1": true,
		"NaN": true, "-Infinity": true, "Infinity": true,
	} {
		if got := jsonwalk.Truthy(text); got != want {
			t.Errorf("Truthy(%s) = %v, want %v", text, got, want)
		}
	}
}
