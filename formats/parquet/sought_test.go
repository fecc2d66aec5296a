package parquet

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func pageOf(texts ...string) (t textPage) {
	t.ends = []uint32{0}
	for _, s := range texts {
		t.all = append(t.all, s...)
		t.ends = append(t.ends, uint32(len(t.all)))
	}
	return t
}

func TestSearchOfAPage(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  []int
	}{
		{"none", nil, nil},
		{"nothing", []string{`{"a":1}`, `{}`}, nil},
		{"the first and the last", []string{`{"reward":null}`, `{}`, `{"a":1,"index":2}`}, []int{0, 2}},
		{"several in one text", []string{`{}`, `{"reward":null,"index":1,"x":{"reward":2}}`, `{}`}, []int{1}},
		{"empty texts around", []string{"", "", `{"index":1}`, "", `{"reward":1}`, ""}, []int{2, 4}},
		{"a name that is a value", []string{`{"a":"reward"}`, `{"a":"index"}`}, nil},
		{"a longer name", []string{`{"old_reward":1}`}, []int{0}}, // whoever reads the text sees that it is another
	} {
		t.Run(c.name, func(t *testing.T) {
			page := pageOf(c.texts...)
			if got := page.search([]string{"reward", "index"}); !slices.Equal(got, c.want) {
				t.Errorf("found in %v, want %v", got, c.want)
			}
		})
	}
}

// The search of a page finds what a search of each text does.
func TestPropertySearch(t *testing.T) {
	names := []string{"reward", "a"}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{`"reward":1`, `"a":`, `"b":"reward"`, `reward"`, `é`})), func(s []string) string {
			return "{" + strings.Join(s, ",") + "}"
		})).Draw(t, "texts")
		var want []int
		for i, text := range texts {
			if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name+`":`) }) {
				want = append(want, i)
			}
		}
		page := pageOf(texts...)
		if got := page.search(names); !slices.Equal(got, want) {
			t.Fatalf("found in %v, want %v", got, want)
		}
	})
}

func TestPlacesBeyondADictionary(t *testing.T) {
	words := pageOf("a", "b")
	for _, c := range []struct {
		name   string
		places []int32
		ok     bool
	}{
		{"none", []int32{}, true},
		{"all there", []int32{0, 1, 1}, true},
		{"behind the last", []int32{0, 2}, false},
		{"negative", []int32{-1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			words.places = c.places
			if err := words.check(); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("%v", err)
			}
		})
	}
}
