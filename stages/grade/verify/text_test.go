package verify_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

func mustRegex(t *testing.T, pattern string) grade.Grader {
	t.Helper()
	v, err := verify.Regex(pattern, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTexts(t *testing.T) {
	exact, whole := verify.Exact(verify.ExactOptions{}), verify.Exact(verify.ExactOptions{Whole: true})
	contains, any := verify.Contains(verify.ContainsOptions{}), verify.Contains(verify.ContainsOptions{Any: true})
	choice := verify.Choice(verify.Options{})
	for _, c := range []struct {
		name      string
		grader    grade.Grader
		answer    string
		reference string
		want      string
	}{
		{"exact", exact, "Paris", `"Paris"`, "1: equal"},
		{"case, punctuation, space", exact, "  The  Eiffel-Tower!\t", `"the eiffeltower"`, "1: equal"},
		{"the last line", exact, "Let me think.\nParis.\n\n", `"paris"`, "1: equal"},
		{"else the whole", exact, "New\nYork", `"new york"`, "1: equal"},
		{"another", exact, "Paris, Texas", `"Paris"`, "0: not equal"},
		{"any of a list", exact, "b", `["a","B",3]`, "1: equal"},
		{"a number in a list", exact, "3", `["a",3]`, "1: equal"},
		{"none of a list", exact, "c", `["a","b"]`, "0: not equal"},
		{"a number", exact, "4", `4`, "1: equal"},
		{"beyond ASCII", exact, "ÄRGER\u2003im Büro", `"ärger im büro"`, "1: equal"},
		{"space before what is beyond ASCII", exact, "a  é", `"a é"`, "1: equal"},
		{"nothing is not something", exact, "", `"a"`, "0: not equal"},
		{"no reference", exact, "a", `null`, "invalid_result: no reference"},
		{"the whole alone", whole, "x\nParis", `"Paris"`, "0: not equal"},

		{"contains", contains, "It is in PARIS now", `"Paris"`, "1: contained"},
		{"contains not", contains, "It is in Pari", `"Paris"`, "0: not contained"},
		{"contains all", contains, "a then b", `["A","b"]`, "1: contained"},
		{"contains not all", contains, "a then c", `["a","b"]`, "0: not contained"},
		{"contains any", any, "a then c", `["b","c"]`, "1: contained"},
		{"contains none", any, "a then c", `["x","y"]`, "0: not contained"},
		{"nothing is in everything", contains, "a", `""`, "invalid_result: the reference is empty"},
		{"an empty list", contains, "a", `[]`, "invalid_result: the reference is an empty list"},
		{"a list with nothing", contains, "a", `[""]`, "invalid_result: the reference is empty"},
		{"beyond ASCII", contains, "Das BÜRO", `"büro"`, "1: contained"},

		{"regex", mustRegex(t, `(\d+) apples`), "I have 5 apples", `"5"`, "1: equal"},
		{"regex, another group", mustRegex(t, `(\d+) apples`), "I have 5 apples", `"6"`, "0: not equal"},
		{"regex without a group", mustRegex(t, `\w+$`), "it is  PARIS", `"paris "`, "1: equal"},
		{"regex without a reference", mustRegex(t, `^ok`), "ok then", `null`, "1: match"},
		{"regex without a match", mustRegex(t, `^ok`), "no", `null`, "0: no match"},
		{"regex, no part of the match", mustRegex(t, `a|(b)`), "a", `"b"`, "0: the group did not match"},

		{"choice", choice, "The answer is B.", `"B"`, "1: equal"},
		{"choice with its text", choice, "answer: (b) Paris", `"B) Paris"`, "1: equal"},
		{"the last letter", choice, "Not A, since it is late. C", `"C"`, "1: equal"},
		{"another letter", choice, "The correct choice is D", `"C"`, "0: not equal"},
		{"words are no letters", choice, "A man said I am. Band", `"A"`, "0: no choice found"},
		{"several", choice, "A or B or C", `"C"`, "0: several choices"},
		{"several behind the phrase", choice, "The answer is A or B", `"A"`, "0: several choices"},
		{"a list of them", choice, "The answer is A, B", `"A"`, "0: several choices"},
		{"a sentence goes on", choice, "The answer is B, because A is late", `"B"`, "1: equal"},
		{"no letter to hold it against", choice, "B", `"Paris"`, "invalid_result: the reference is no letter from A to J"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := verdict(t, c.grader, row(t, c.answer, c.reference)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if _, err := verify.Regex("(", verify.Options{}); err == nil {
		t.Error("no error for a pattern that is none")
	}
}

// plainWords is the normal form of a text, made step by step: the plain version
// of the walk through two texts at once.
func plainWords(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < 0x80 && unicode.In(r, unicode.P, unicode.S) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }), " ")
}

func TestExactPlainly(t *testing.T) {
	whole := verify.Exact(verify.ExactOptions{Whole: true})
	letters := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "A", "é", "É", " ", "\t", "\u2003", ".", "-", "_", "1", "ß", "\x1c"}), 0, 8)
	rapid.Check(t, func(r *rapid.T) {
		a, b := strings.Join(letters.Draw(r, "a"), ""), strings.Join(letters.Draw(r, "b"), "")
		got, err := whole.Grade(t.Context(), &rollout.Row{FinalText: a, Extra: []rollout.Member{{Name: "answer", JSON: string(rollout.AppendText(nil, b))}}})
		if err != nil {
			r.Fatal(err)
		}
		if b != "" && (got.Reward == 1) != (plainWords(a) == plainWords(b)) {
			r.Errorf("%q and %q: got %+v", a, b, got)
		}
	})
}

func TestContainsPlainly(t *testing.T) {
	contains := verify.Contains(verify.ContainsOptions{})
	letters := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "A", "b", "B", "1", "é"}), 1, 8)
	rapid.Check(t, func(r *rapid.T) {
		text, part := strings.Join(letters.Draw(r, "text"), ""), strings.Join(letters.Draw(r, "part"), "")
		got, err := contains.Grade(t.Context(), &rollout.Row{FinalText: text, Extra: []rollout.Member{{Name: "target", JSON: string(rollout.AppendText(nil, part))}}})
		if err != nil || (got.Reward == 1) != strings.Contains(strings.ToLower(text), strings.ToLower(part)) {
			r.Errorf("%q in %q: got %+v, %v", part, text, got, err)
		}
	})
}
