package hackscan

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rollmill/rollmill/formats/rollout"
)

// vector is one of those that were made by running the reference implementation.
type vector struct {
	ID     string          `json:"id"`
	Fn     string          `json:"fn"`
	Input  json.RawMessage `json:"input"`
	Expect json.RawMessage `json:"expect"`
}

// vectors gives those of a function.
func vectors(t *testing.T, fn string, want int) []vector {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	list := slices.DeleteFunc(file.Vectors, func(v vector) bool { return v.Fn != fn })
	if len(list) != want {
		t.Fatalf("%d vectors of %s, want %d", len(list), fn, want)
	}
	return list
}

// decoded reads rows as the readers of files do.
func decoded(t *testing.T, records []json.RawMessage) []rollout.Row {
	t.Helper()
	var rows []rollout.Row
	for i, record := range records {
		row := rollout.Row{}
		if err := rollout.NewDecoder(rollout.AllFields).Decode(slices.Clone(record), &row); err != nil {
			t.Fatal(err)
		}
		row.Pos = rollout.Pos{Record: int64(i + 1)}
		rows = append(rows, row)
	}
	return rows
}

// vectorOptions are the arguments of the reference implementation.
type vectorOptions struct {
	Endorsed []string
	Auto     *bool
	MinObs   int `json:"min_obs"`
	NPerm    int `json:"n_perm"`
	Seed     int64
	Seeds    *int
	Alpha    float64
	Reward   string
	Top      json.RawMessage `json:"top_features"`
}

func (v vectorOptions) options() Options {
	o := Options{Endorsed: v.Endorsed, MinRows: v.MinObs, Shuffles: v.NPerm, Seed: v.Seed, Alpha: v.Alpha}
	o.HandOnly = v.Auto != nil && !*v.Auto
	if v.Seeds != nil {
		o.Seeds = *v.Seeds
		if o.Seeds == 0 {
			o.Seeds = -1
		}
	}
	if string(v.Top) == "null" {
		o.TopFeatures = -1
	} else if v.Top != nil {
		if err := json.Unmarshal(v.Top, &o.TopFeatures); err != nil {
			panic(err)
		}
	}
	if v.Reward != "" {
		o.Reward = func(r *rollout.Row) (float64, bool) {
			for _, m := range r.Extra {
				if m.Name == v.Reward {
					var x float64
					err := json.Unmarshal([]byte(m.JSON), &x)
					return x, err == nil
				}
			}
			return 0, false
		}
	}
	return o
}

// reportMembers reads a report as its JSON, with the codes of its warnings as the
// vectors have them.
func reportMembers(t *testing.T, report any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	codes := []any{}
	for _, w := range m["warnings"].([]any) {
		codes = append(codes, w.(map[string]any)["code"])
	}
	m["warnings_codes"] = codes
	delete(m, "warnings")
	return m
}

func TestScanVectors(t *testing.T) {
	for _, v := range vectors(t, "hack_scan", 17) {
		t.Run(v.ID, func(t *testing.T) {
			var in struct {
				Rows   []json.RawMessage
				Kwargs vectorOptions
			}
			var want struct {
				Report map[string]any
				Maxima []float64 `json:"null_maxima"`
			}
			if err := json.Unmarshal(v.Input, &in); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(v.Expect, &want); err != nil {
				t.Fatal(err)
			}
			report, err := Rows(context.Background(), decoded(t, in.Rows), in.Kwargs.options())
			if err != nil {
				t.Fatal(err)
			}
			got := reportMembers(t, report)
			for _, own := range []string{"terms", "evidence"} {
				delete(got, own)
			}
			if d := cmp.Diff(want.Report, got, cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("report (-want +got):\n%s", d)
			}
			if len(report.NullMaxima()) != len(want.Maxima) {
				t.Fatalf("%d maxima, want %d", len(report.NullMaxima()), len(want.Maxima))
			}
			for i, x := range report.NullMaxima() {
				if math.Abs(x-want.Maxima[i]) > 1e-9 {
					t.Errorf("maximum %d is %.12f, want %.12f", i, x, want.Maxima[i])
				}
			}
		})
	}
}

func TestDiffVectors(t *testing.T) {
	for _, v := range vectors(t, "hack_scan_diff", 1) {
		var in struct {
			Before, After []json.RawMessage
			Kwargs        struct {
				vectorOptions
				Top int
			}
		}
		var want map[string]any
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(v.Expect, &want); err != nil {
			t.Fatal(err)
		}
		o := in.Kwargs.options()
		o.TopFeatures = -1
		var sides [2]*Report
		for i, rows := range [][]json.RawMessage{in.Before, in.After} {
			var err error
			if sides[i], err = Rows(context.Background(), decoded(t, rows), o); err != nil {
				t.Fatal(err)
			}
		}
		got := reportMembers(t, Diff(sides[0], sides[1], in.Kwargs.Top))
		if learned := got["learned"]; learned != "the reward came to pay for contains:# (+1.000, -0.064 before), which is not endorsed" {
			t.Errorf("learned %q", learned)
		}
		delete(got, "learned")
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%s (-want +got):\n%s", v.ID, d)
		}
	}
}

func TestHandVector(t *testing.T) {
	for _, v := range vectors(t, "hand_features", 1) {
		var in []json.RawMessage
		var want []map[string]float64
		if err := json.Unmarshal(v.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(v.Expect, &want); err != nil {
			t.Fatal(err)
		}
		o := Options{Reward: func(*rollout.Row) (float64, bool) { return 0, true }}.withDefaults()
		for i, row := range decoded(t, in) {
			reader := pageReader{o: &o}
			page := &Page{}
			reader.read(page, []rollout.Row{row})
			got := map[string]float64{}
			for _, value := range reader.values {
				got[page.names[value.feature]] = value.value
			}
			if d := cmp.Diff(want[i], got); d != "" {
				t.Errorf("row %d (-want +got):\n%s", i, d)
			}
		}
	}
}
