package semantic_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
)

// row is a row of the vectors: as much of it as the semantic rule reads.
type row struct {
	Task   string `json:"scenario_id"`
	Prompt string `json:"prompt"`
}

type report struct {
	Semantic   int               `json:"n_semantic"`
	Examples   []json.RawMessage `json:"examples"`
	NotesCodes []string          `json:"notes_codes"`
}

type vector struct {
	ID    string `json:"id"`
	Fn    string `json:"fn"`
	Input struct {
		Rows    []row           `json:"rows"`
		Against []row           `json:"against"`
		Vectors json.RawMessage `json:"vectors"`
		TaskIDs []string        `json:"task_ids"`
		Kwargs  struct {
			Similarity *float64 `json:"similarity"`
		} `json:"kwargs"`
	} `json:"input"`
	Expect json.RawMessage `json:"expect"`
}

// The semantic rule comes after the others: the rows that those flag are taken
// out of the candidates here, as the reference does.
func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != 4 {
		t.Fatalf("%d vectors, want 4", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			if v.Fn == "distinct_task_similarity" {
				percentile(t, v)
			} else {
				decontaminate(t, v)
			}
		})
	}
}

func percentile(t *testing.T, v vector) {
	var vectors [][]float64
	var want float64
	unmarshal(t, v.Input.Vectors, &vectors)
	unmarshal(t, v.Expect, &want)
	table := map[string][]float64{}
	var prompts []semantic.Prompt
	for i, x := range vectors {
		text := "prompt " + strconv.Itoa(i)
		table[text] = x
		prompts = append(prompts, semantic.Prompt{Text: text, Task: v.Input.TaskIDs[i]})
	}
	c, err := reference(t, table, prompts).Calibrate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(c.P99-want) > 1e-12 || !c.Known || c.Pairs != 10 || c.Prompts != 5 {
		t.Errorf("%+v, want the percentile %v of 10 pairs", c, want)
	}
}

func decontaminate(t *testing.T, v vector) {
	table := map[string][]float64{}
	var want struct {
		Report report `json:"report"`
	}
	unmarshal(t, v.Input.Vectors, &table)
	unmarshal(t, v.Expect, &want)
	similarity := semantic.Similarity
	if v.Input.Kwargs.Similarity != nil {
		similarity = *v.Input.Kwargs.Similarity
	}
	var prompts []semantic.Prompt
	for _, r := range v.Input.Against {
		prompts = append(prompts, semantic.Prompt{Text: r.Prompt, Task: r.Task})
	}
	taken := map[int]bool{}
	var wanted []string
	for _, e := range want.Report.Examples {
		var x struct {
			Index int    `json:"index"`
			Match string `json:"match"`
		}
		unmarshal(t, e, &x)
		if x.Match == "semantic" {
			wanted = append(wanted, compact(t, e))
		} else {
			taken[x.Index] = true
		}
	}
	var candidates []semantic.Candidate
	for i, r := range v.Input.Rows {
		if !taken[i] {
			candidates = append(candidates, semantic.Candidate{Row: i, Field: "prompt", Prompt: semantic.Prompt{Text: r.Prompt, Task: r.Task}})
		}
	}
	ref := reference(t, table, prompts)
	flags, err := ref.Flags(context.Background(), candidates, similarity)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range flags {
		b, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, compact(t, b))
	}
	if !slices.Equal(got, wanted) || len(flags) != want.Report.Semantic {
		t.Errorf("flags\n%s\nwant %d:\n%s", strings.Join(got, "\n"), want.Report.Semantic, strings.Join(wanted, "\n"))
	}
	c, err := ref.Calibrate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if known := slices.Contains(want.Report.NotesCodes, "similarity_calibration"); c.Known != known {
		t.Errorf("%+v, want a calibration: %v", c, known)
	}
}

// reference embeds by a table.
func reference(t *testing.T, table map[string][]float64, prompts []semantic.Prompt) *semantic.Reference {
	t.Helper()
	ref, err := semantic.New(context.Background(), byTable(table), prompts, semantic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func byTable(table map[string][]float64) semantic.Embedder {
	return semantic.EmbedderFunc(func(_ context.Context, texts []string) ([][]float64, error) {
		var vectors [][]float64
		for _, s := range texts {
			vectors = append(vectors, table[s])
		}
		return vectors, nil
	})
}

func unmarshal(t *testing.T, raw []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// compact writes JSON anew, so that only values are compared.
func compact(t *testing.T, raw []byte) string {
	t.Helper()
	var x any
	unmarshal(t, raw, &x)
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
