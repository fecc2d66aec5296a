package decontaminate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// practiceCase is an input that broke a tool of this kind in practice.
type practiceCase struct {
	ID    string `json:"id"`
	Input struct {
		N      int      `json:"n"`
		Eval   []string `json:"eval"`
		Corpus []string `json:"corpus"`
		Drop   int      `json:"drop_ngrams_in_at_least_eval_rows"`
	} `json:"input"`
	Expected struct {
		Hits    *[]int  `json:"hits"`
		Without []int   `json:"hits_without_filter"`
		With    []int   `json:"hits_with_filter"`
		AnyOf   [][]int `json:"hits_any_of"`
		Not     []int   `json:"must_not_hit"`
		Flag    string  `json:"flag"`
		Must    any     `json:"report_must_hold"`
		Say     string  `json:"report_must_say"`
		Cover   float64 `json:"eval_coverage"`
	} `json:"expected"`
}

func readCases(t *testing.T) (list []practiceCase) {
	raw, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		var c practiceCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// screen runs texts through a stage and gives the numbers of those that are
// flagged, and the report.
func screen(t *testing.T, x *Index, o Options, texts ...string) (hits []int, r *Report) {
	t.Helper()
	rows := make([]rollout.Row, len(texts))
	for i, text := range texts {
		rows[i] = rollout.Row{Prompt: text, Pos: rollout.Pos{Record: int64(i + 1)}}
	}
	tally := NewTally(x, o)
	out, _, err := stream.Collect(context.Background(), stream.Through(stream.FromSlice(rows), Stage(x, o, 1, tally)))
	if err != nil {
		t.Fatal(err)
	}
	hits = []int{}
	for i := range out {
		if out[i].Gate == GateName {
			hits = append(hits, i)
		}
	}
	return hits, tally.Report()
}

func TestCasesFromPractice(t *testing.T) {
	cases := readCases(t)
	if len(cases) != 7 {
		t.Fatalf("%d cases, want 7", len(cases))
	}
	for _, c := range cases {
		for _, words := range []WordRule{ASCII, Unicode} {
			t.Run(c.ID+"/"+words.String(), func(t *testing.T) {
				x := build(t, Config{N: []int{c.Input.N}, Words: words}, textSet("eval", c.Input.Eval...))
				o := Options{Rules: []Rule{Any(c.Input.N)}, Parts: Prompt}
				hits, r := screen(t, x, o, c.Input.Corpus...)
				want := c.Expected
				if want.Hits != nil && !slices.Equal(hits, *want.Hits) {
					t.Errorf("hits %v, want %v", hits, *want.Hits)
				}
				if want.Without != nil && !slices.Equal(hits, want.Without) {
					t.Errorf("hits without the filter %v, want %v", hits, want.Without)
				}
				if c.Input.Drop > 0 {
					o.Boilerplate = x.Boilerplate(c.Input.Drop - 1)
					filtered, r := screen(t, x, o, c.Input.Corpus...)
					if !slices.Equal(filtered, append([]int{}, want.With...)) {
						t.Errorf("hits with the filter %v, want %v", filtered, want.With)
					}
					if r.Less == 0 || len(r.Discounted) != 1 || r.Discounted[0].Grams == 0 || len(r.Discounted[0].Common) == 0 {
						t.Errorf("what was discounted is not told: %d %+v", r.Less, r.Discounted)
					}
				}
				if len(want.AnyOf) > 0 && !slices.ContainsFunc(want.AnyOf, func(any []int) bool { return slices.Equal(hits, append([]int{}, any...)) }) {
					t.Errorf("hits %v, want one of %v", hits, want.AnyOf)
				}
				for _, not := range want.Not {
					if slices.Contains(hits, not) {
						t.Errorf("hits %d", not)
					}
				}
				if want.Flag == "eval_row_too_short" && r.Sets[0].States != (States{Usable: 1, Empty: 1, TooShort: 1}) {
					t.Errorf("states %+v", r.Sets[0].States)
				}
				if want.Cover > 0 && r.Top[0].Score != want.Cover {
					t.Errorf("cover %v", r.Top[0].Score)
				}
				if want.Must != nil {
					e := r.Top[0]
					if !strings.Contains(c.Input.Corpus[0][e.Start:e.End], `11 \times 10 \times 9`) || e.Item.Item != "#1" || e.Row.Record != 1 {
						t.Errorf("example %+v", e)
					}
				}
				if want.Say != "" && !slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Code == NoteOverlapOnly && strings.Contains(n.Text, "paraphrase") }) {
					t.Errorf("notes %+v", r.Notes)
				}
			})
		}
	}
}
