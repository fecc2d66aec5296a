package jsonscan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// lenient is what the scanner accepts beyond strict JSON, said to the oracle.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(false)}

// strictUTF8 is jsontext's verdict. It also refuses lone surrogate escapes,
// which the scanner keeps, so those are taken out of its sight first.
func oracle(text []byte) bool {
	return jsontext.Value(maskLone(text)).IsValid(lenient...)
}

// maskLone replaces every surrogate escape by another escape of equal length,
// where it would read one; both halves of a pair alike.
func maskLone(text []byte) []byte {
	out := bytes.Clone(text)
	for i := 0; i+6 <= len(out); i++ {
		if out[i] != '\\' {
			continue
		}
		if out[i+1] == 'u' && (out[i+2] == 'd' || out[i+2] == 'D') {
			out[i+2] = 'a'
		}
		i++
	}
	return out
}

var texts = []string{
	`null`, `true`, `false`, ` 1 `, `-0`, `0.5e+10`, `1e400`, `"a"`, `""`, `[]`, `{}`, `[1,[2,{"a":[]}]]`,
	`{"a":1,"a":2}`, `{"a" : {"b" :null} , "c":[ ] }`, `"\u00e9\n\ud83c\udf78"`, `"\ud835"`, `"\udc00\ud800"`,
	"\"caf\u00e9\"", "\"\u2028\"", `"\\\"\/\b\f\n\r\t"`, strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
	// refused
	``, ` `, `nul`, `truee`, `01`, `1.`, `.5`, `+1`, `-`, `1e`, `1e+`, `"`, `"\`, `"\x"`, `"\u12g4"`, `"\u12`,
	"\"\x00\"", "\"a\nb\"", "\"\xff\"", "\"\xed\xa0\x80\"", `[`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `{`, `{"a"`,
	`{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{1:2}`, `{"a":1 "b":2}`, `]`, `}`, `1 2`, `{}{}`,
	strings.Repeat("[", 10001) + strings.Repeat("]", 10001), strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000),
}

func TestValidAgreesWithOracle(t *testing.T) {
	for _, text := range texts {
		s := jsonscan.Scanner{Buf: []byte(text)}
		got, want := s.Valid(), oracle([]byte(text))
		if got != want {
			t.Errorf("Valid(%.60q) = %v (%v), want %v", text, got, s.Err.Error(), want)
		}
	}
}

func TestNonFiniteIsAcceptedAndListed(t *testing.T) {
	s := jsonscan.Scanner{Buf: []byte(`{"a":NaN,"b":[Infinity,-Infinity, -1]}`)}
	if !s.Valid() {
		t.Fatal(s.Err.Error())
	}
	var got []string
	for _, n := range s.NonFinite {
		got = append(got, string(s.Buf[n.Start:n.End]))
	}
	if want := "NaN Infinity -Infinity"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, bad := range []string{`nan`, `Inf`, `-infinity`, `+Infinity`, `-NaN`, `NaN1`} {
		s := jsonscan.Scanner{Buf: []byte(bad)}
		if s.Valid() {
			t.Errorf("Valid(%q) = true", bad)
		}
	}
}

func TestErrorsNamePlaceAndWant(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"a":}`, `byte 5: found '}', want a value`},
		{`{"a":1`, `byte 6: found the end of the record, want ',' or '}'`},
		{`[1,2`, `byte 4: found the end of the record, want ',' or ']'`},
		{"\"a\xffb\"", `byte 2: found byte 0xff, want UTF-8`},
		{`{"a" 1}`, `byte 5: found '1', want ':' after a name`},
		{`{} x`, `byte 3: found 'x', want the end of the record`},
		{`"\q"`, `byte 2: found 'q', want one of "\/bfnrtu after a backslash`},
	} {
		s := jsonscan.Scanner{Buf: []byte(c.text)}
		if s.Valid() || s.Err.Error() != c.want {
			t.Errorf("%q: got %q, want %q", c.text, s.Err.Error(), c.want)
		}
	}
}

func TestAppendText(t *testing.T) {
	for _, c := range []struct {
		quoted, want string
		exact        bool
	}{
		{``, "", true},
		{`plain text longer than eight`, "plain text longer than eight", true},
		{`a\n\t\"\\\/\b\f\rz`, "a\n\t\"\\/\b\f\rz", true},
		{`\ud83c\udf78`, "\U0001F378", true},
		{`half \ud835 letter`, "half \uFFFD letter", false},
		{`\udf78\ud83c`, "\uFFFD\uFFFD", false},
		{`\u00e9\u0041`, "éA", true},
	} {
		s := jsonscan.Scanner{Buf: []byte(`"` + c.quoted + `"`)}
		one, _, _, oneExact := s.Text(0, func(n int) []byte { return make([]byte, 0, n) })
		if string(one) != c.want || oneExact != c.exact {
			t.Errorf("Text(%q) = %q, %v; want %q, %v", c.quoted, one, oneExact, c.want, c.exact)
		}
		got, exact := jsonscan.AppendText(nil, []byte(c.quoted))
		if string(got) != c.want || exact != c.exact {
			t.Errorf("AppendText(%q) = %q, %v; want %q, %v", c.quoted, got, exact, c.want, c.exact)
		}
	}
}

func TestAppendStringReadsBack(t *testing.T) {
	for _, text := range []string{"", "a", "tab\tquote\"back\\slash\x01\x1f end of a longer text", "é日本語\U0001F378", "\x7f"} {
		enc := jsonscan.AppendString(nil, text)
		s := jsonscan.Scanner{Buf: enc}
		if !s.Valid() {
			t.Fatalf("AppendString(%q) = %s: %v", text, enc, s.Err.Error())
		}
		back, _ := jsonscan.AppendText(nil, enc[1:len(enc)-1])
		if string(back) != text {
			t.Errorf("%q came back as %q", text, back)
		}
	}
	if got := string(jsonscan.AppendString(nil, "a\xffb")); got != "\"a\uFFFDb\"" {
		t.Errorf("invalid UTF-8 written as %q", got)
	}
}

func TestAppendCanonical(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{` { "b" : 1.0 , "a" : [ 1 , {"z":null,"y":[]} ] } `, `{"a":[1,{"y":[],"z":null}],"b":1.0}`},
		{`{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{`{"\u0061":1,"a":2}`, `{"a":2}`},
		{`"\u0041\/\u000a\uD835"`, `"A/\n\ud835"`},
		{`[1E5,-0,0.10]`, `[1E5,-0,0.10]`},
		{`{}`, `{}`},
	} {
		if got := string(jsonscan.AppendCanonical(nil, []byte(c.text))); got != c.want {
			t.Errorf("AppendCanonical(%s) = %s, want %s", c.text, got, c.want)
		}
	}
}

func TestAppendCompact(t *testing.T) {
	got := string(jsonscan.AppendCompact(nil, []byte("{ \"a b\" :\n[ 1 , \"x\\\" y\" ] }")))
	if want := `{"a b":[1,"x\" y"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range texts {
		if len(text) < 200 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := jsonscan.Scanner{Buf: text}
		valid := s.Valid()
		if len(s.NonFinite) > 0 {
			return // not JSON, and accepted on purpose
		}
		if want := oracle(text); valid != want {
			t.Fatalf("Valid(%q) = %v (%v), want %v", text, valid, s.Err.Error(), want)
		}
		if !valid {
			if s.Err.Offset < 0 || s.Err.Offset > len(text) {
				t.Fatalf("offset %d of %d", s.Err.Offset, len(text))
			}
			return
		}
		checkText(t, text)
	})
}

// checkText holds the values the scanner reads against the oracle's.
func checkText(t *testing.T, text []byte) {
	canonical := jsonscan.AppendCanonical(nil, text)
	again := jsonscan.AppendCanonical(nil, canonical)
	if !bytes.Equal(canonical, again) {
		t.Fatalf("canonical form of %q is not stable: %q, then %q", text, canonical, again)
	}
	compact := jsonscan.AppendCompact(nil, text)
	want := jsontext.Value(bytes.Clone(text))
	opts := append(lenient, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true), jsontext.CanonicalizeRawInts(false))
	if err := want.Compact(opts...); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(compact, want) {
		t.Fatalf("compact %q, want %q", compact, want)
	}
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() == '"' {
		tok, err := dec.ReadToken()
		if err != nil {
			t.Fatal(err)
		}
		s := jsonscan.Scanner{Buf: text}
		start := s.Space(0)
		end, plain := s.String(start)
		got, _ := jsonscan.AppendText(nil, text[start+1:end-1])
		one, oneEnd, copied, _ := s.Text(start, func(n int) []byte { return make([]byte, 0, n) })
		if string(one) != string(got) || oneEnd != end || copied == plain {
			t.Fatalf("text of %q is %q to %d, and %q to %d", text, got, end, one, oneEnd)
		}
		if string(got) != tok.String() {
			t.Fatalf("text of %q is %q, want %q", text, got, tok.String())
		}
		if plain && string(got) != string(text[start+1:end-1]) {
			t.Fatalf("%q called plain", text)
		}
	}
}
