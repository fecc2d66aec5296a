package decontaminate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
	"github.com/rollmill/rollmill/stream"
)

// decode makes rows of records, as a reader does.
func decode(t testing.TB, records []json.RawMessage) []rollout.Row {
	t.Helper()
	rows := make([]rollout.Row, len(records))
	d := rollout.NewDecoder(rollout.AllFields)
	for i, r := range records {
		if err := d.Decode(r, &rows[i]); err != nil {
			t.Fatal(err)
		}
		rows[i].Pos = rollout.Pos{Record: int64(i + 1)}
	}
	return rows
}

// setOf makes an evaluation set of rows.
func setOf(name string, rows []rollout.Row) Set {
	s := Set{Name: name}
	for i := range rows {
		s.Items = append(s.Items, ItemOf(&rows[i]))
	}
	return s
}

// textSet makes an evaluation set of questions.
func textSet(name string, questions ...string) Set {
	s := Set{Name: name}
	for _, q := range questions {
		s.Items = append(s.Items, Item{Texts: []Text{{Question, q}}})
	}
	return s
}

// build makes an index that a test needs.
func build(t testing.TB, config Config, sets ...Set) *Index {
	t.Helper()
	x, err := Build(context.Background(), sets, config, 2)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// vector is one of the reference implementation.
type vector struct {
	ID    string `json:"id"`
	Input struct {
		Rows    []json.RawMessage    `json:"rows"`
		Against json.RawMessage      `json:"against"`
		Vectors map[string][]float64 `json:"vectors"`
		Kwargs  struct {
			N          *int     `json:"n"`
			Overlap    *float64 `json:"overlap"`
			Fields     []string `json:"fields"`
			Similarity *float64 `json:"similarity"`
		} `json:"kwargs"`
	} `json:"input"`
	Expect struct {
		Kept   []int          `json:"kept_indices"`
		Report map[string]any `json:"report"`
	} `json:"expect"`
}

func readVectors(t *testing.T) []vector {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	return file.Vectors
}

// sets reads the evaluation side of a vector: a list of rows is one source, a list
// of lists several.
func (v *vector) sets(t *testing.T) (sets []Set) {
	var sources [][]json.RawMessage
	if json.Unmarshal(v.Input.Against, &sources) != nil {
		sources = make([][]json.RawMessage, 1)
		if err := json.Unmarshal(v.Input.Against, &sources[0]); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range sources {
		sets = append(sets, setOf(fmt.Sprint(i), decode(t, s)))
	}
	return sets
}

// rule is the rule of a vector.
func (v *vector) rule() (r Default80) {
	k := v.Input.Kwargs
	if k.N != nil {
		r.Grams = *k.N
	}
	if k.Overlap != nil {
		if r.Overlap = *k.Overlap; r.Overlap == 0 {
			r.Overlap = -1
		}
	}
	return r
}

// The vectors of the reference implementation go the whole way: records, decoder,
// index, stage, report.
func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	if len(vectors) != 24 {
		t.Errorf("%d vectors, want 24", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			rule := v.rule()
			sets := v.sets(t)
			x := build(t, Config{N: []int{rule.N()}}, sets...)
			o := Options{Rules: []Rule{rule}, Parts: Prompt}
			if slices.Contains(v.Input.Kwargs.Fields, "final_text") {
				o.Parts |= Final
			}
			tally := NewTally(x, o)
			flow := stream.Through(stream.FromSlice(decode(t, v.Input.Rows), stream.Items(2)), Stage(x, o, 2, tally))
			if v.Input.Vectors != nil {
				flow = stream.Through(flow, MeaningStage(v.meaning(t, sets), o, tally))
			}
			rows, _, err := stream.Collect(context.Background(), flow)
			if err != nil {
				t.Fatal(err)
			}
			kept := []int{}
			for i := range rows {
				if rows[i].Gate == "" {
					kept = append(kept, i)
				}
			}
			if v.Expect.Kept != nil && !slices.Equal(kept, v.Expect.Kept) {
				t.Errorf("kept %v, want %v", kept, v.Expect.Kept)
			}
			got := parityReport(t, x, tally, rule, rows)
			for key, want := range v.Expect.Report {
				if !equalJSON(got[key], want) {
					t.Errorf("%s: %v, want %v", key, got[key], want)
				}
			}
		})
	}
}

// meaning is the semantic rule of a vector.
func (v *vector) meaning(t *testing.T, sets []Set) (m Meaning) {
	t.Helper()
	embedder := semantic.EmbedderFunc(func(_ context.Context, texts []string) (list [][]float64, err error) {
		for _, text := range texts {
			list = append(list, v.Input.Vectors[text])
		}
		return list, nil
	})
	var err error
	if m.Reference, err = semantic.New(t.Context(), embedder, Questions(sets), semantic.Options{}); err != nil {
		t.Fatal(err)
	}
	if m.Known, err = m.Reference.Calibrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := v.Input.Kwargs.Similarity; s != nil {
		m.Similarity = *s
	}
	return m
}

// parityReport is a report in the shape of the reference implementation.
func parityReport(t *testing.T, x *Index, tally *Tally, rule Default80, rows []rollout.Row) map[string]any {
	t.Helper()
	r := tally.Report()
	got := map[string]any{
		"n": r.Rows, "n_kept": r.Kept, "n_contaminated": r.Flagged, "contamination_rate": 0.0,
		"n_same_task": 0, "n_exact": 0, "n_near": 0, "n_semantic": 0, "n_eval_rows": x.Items(), "n_eval_texts": x.Texts(),
		"ngram": rule.N(), "overlap": max(or(rule.Overlap, 0.8), 0), "similarity": nil, "fields": r.Parts,
		"rules_skipped_keys": []string{},
	}
	if rule.Overlap > 1 {
		got["overlap"] = 1.0
	}
	if r.Rows > 0 {
		got["contamination_rate"] = float64(r.Flagged) / float64(r.Rows)
	}
	for _, k := range r.Rules[0].Kinds {
		got["n_"+k.Name] = k.Rows
	}
	parts := map[string]any{}
	for _, p := range r.Rules[0].Parts {
		parts[p.Name] = p.Rows
	}
	if m := r.Meaning; m != nil {
		got["n_semantic"], got["similarity"] = m.Rows, m.Similarity
		for _, p := range m.Parts {
			n, _ := parts[p.Name].(int64)
			parts[p.Name] = n + p.Rows
		}
	}
	got["by_field"] = parts
	for _, s := range r.Skipped {
		got["rules_skipped_keys"] = []string{s.Rule}
	}
	codes := []string{}
	for _, n := range r.Notes {
		switch n.Code {
		case NoteSameTaskSkipped, NoteMeaningHits, NoteCalibration:
			codes = append(codes, n.Code)
		}
	}
	got["notes_codes"] = codes
	examples := []any{}
	c := x.NewChecker(tally.o.Parts, rule)
	for i := range rows {
		found := c.Row(&rows[i])
		if len(found) == 0 {
			for _, e := range r.First {
				if e.Kind == Semantic && e.Row == rows[i].Pos {
					examples = append(examples, map[string]any{
						"index": i, "field": e.Place, "match": e.Kind, "similarity": math.Round(e.Score*1e4) / 1e4, "eval_prompt": e.ItemText,
					})
				}
			}
			continue
		}
		f := found[0]
		e := map[string]any{"index": i, "field": f.Place.Part.String(), "match": f.Kind, "coverage": math.Round(f.Score*1000) / 1000}
		switch f.Kind {
		case SameTask:
			e["field"], e["task"] = "task", rows[i].TaskID
		case Near:
			e["match"] = c.scanner.Scan(f.Place.textOf(&rows[i])).Phrase(f.Match, rule.N())
		}
		examples = append(examples, e)
	}
	got["examples"] = examples
	return got
}

func equalJSON(got, want any) bool {
	raw, err := json.Marshal(got)
	if err != nil {
		return false
	}
	var g any
	return json.Unmarshal(raw, &g) == nil && reflect.DeepEqual(g, want)
}
