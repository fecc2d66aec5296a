package decontaminate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
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

func TestX(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		if v.Input.Vectors != nil {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			var sources [][]json.RawMessage
			if json.Unmarshal(v.Input.Against, &sources) != nil {
				var one []json.RawMessage
				if err := json.Unmarshal(v.Input.Against, &one); err != nil {
					t.Fatal(err)
				}
				sources = nil
				if len(one) > 0 {
					sources = append(sources, one)
				}
			}
			var sets []Set
			for i, s := range sources {
				sets = append(sets, setOf(fmt.Sprint(i), decode(t, s)))
			}
			rule := Default80{}
			if n := v.Input.Kwargs.N; n != nil {
				rule.Grams = *n
			}
			if o := v.Input.Kwargs.Overlap; o != nil {
				if rule.Overlap = *o; *o <= 0 {
					rule.Overlap = -1
				}
			}
			x, err := Build(context.Background(), sets, Config{N: []int{rule.N()}}, 2)
			if err != nil {
				t.Fatal(err)
			}
			parts := Prompt
			if len(v.Input.Kwargs.Fields) > 1 {
				parts |= Final
			}
			c := x.NewChecker(parts, rule)
			var kept []int
			for i, row := range decode(t, v.Input.Rows) {
				f := c.Row(&row)
				if len(f) == 0 {
					kept = append(kept, i)
					continue
				}
				t.Log(i, f[0].Kind, f[0].Score, f[0].Place)
			}
			if fmt.Sprint(kept) != fmt.Sprint(v.Expect.Kept) {
				t.Errorf("%v want %v", kept, v.Expect.Kept)
			}
			if x.Texts() != int(v.Expect.Report["n_eval_texts"].(float64)) {
				t.Errorf("%d texts", x.Texts())
			}
		})
	}
}
