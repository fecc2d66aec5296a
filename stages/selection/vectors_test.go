package selection

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// vector is one input and output of the reference implementation.
type vector struct {
	ID     string          `json:"id"`
	Input  json.RawMessage `json:"input"`
	Expect json.RawMessage `json:"expect"`
}

func vectors(t *testing.T, prefix string) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(v vector) bool { return !strings.HasPrefix(v.ID, prefix) })
	if len(all) == 0 {
		t.Fatalf("no vectors %s", prefix)
	}
	return all
}

// rowsOf decodes rows as a reader of JSON Lines does.
func rowsOf(t testing.TB, list []json.RawMessage) []rollout.Row {
	t.Helper()
	d := rollout.NewDecoder(rollout.AllFields)
	rows := make([]rollout.Row, len(list))
	for i, text := range list {
		if err := d.Decode(bytes.Clone(text), &rows[i]); err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		rows[i].Pos = rollout.Pos{Record: int64(i) + 1}
	}
	return rows
}

func into[T any](t testing.TB, text json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// matches holds a value against what JSON expects, number by number to 1e-9.
// Members that are not expected are not looked at.
func matches(want, got any) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		for name, x := range w {
			if err := matches(x, g[name]); err != nil {
				return fmt.Errorf(".%s%w", name, err)
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf(": got %v, want %v", got, want)
		}
		for i := range w {
			if err := matches(w[i], g[i]); err != nil {
				return fmt.Errorf("[%d]%w", i, err)
			}
		}
	case float64:
		if g, ok := got.(float64); !ok || math.Abs(g-w) > 1e-9 {
			return fmt.Errorf(": got %v, want %v", got, want)
		}
	default:
		if !reflect.DeepEqual(want, got) {
			return fmt.Errorf(": got %#v, want %#v", got, want)
		}
	}
	return nil
}

func check(t *testing.T, what string, want, got any) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	if err := matches(want, plain); err != nil {
		t.Errorf("%s%v", what, err)
	}
}

// codes lists the codes of findings.
func codes(findings []stats.Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, string(f.Code))
	}
	return list
}

// unscanned drops the codes of findings of a hack scan and of correlations,
// which are not those of this package.
func unscanned(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(code string) bool {
		return code == "no_signal" || code == "coarse_floor" || code == "reward_correlation"
	})
}

// balanced asserts that every row ended in exactly one place.
func balanced(t testing.TB, r *Report, gates []Gate) {
	t.Helper()
	var by Tally
	for _, g := range gates {
		by[g]++
	}
	if by != r.Dropped || r.In != len(gates) || r.In != r.Kept+by.Dropped() || r.Kept != by[Kept] {
		t.Errorf("in %d = kept %d + dropped %d does not hold: %v", r.In, r.Kept, by.Dropped(), by)
	}
}

func TestVectorsJunk(t *testing.T) {
	v := vectors(t, "junk-1")[0]
	for i, want := range into[[]bool](t, v.Expect) {
		rows := rowsOf(t, into[[]json.RawMessage](t, v.Input))
		if got := IncompleteJunk(&rows[i]); got != want {
			t.Errorf("row %d: got %v, want %v", i, got, want)
		}
	}
}

func TestVectorsDropReason(t *testing.T) {
	v := vectors(t, "drop-1")[0]
	rows := rowsOf(t, into[[]json.RawMessage](t, v.Input))
	for i, want := range into[[]map[string]*string](t, v.Expect) {
		for name, o := range map[string][2]bool{"default": {true, true}, "no_tools": {false, true}, "no_text_gates": {true, false}} {
			got, wanted := DropReason(&rows[i], o[0], o[1]).String(), "kept"
			if want[name] != nil {
				wanted = *want[name]
			}
			if got != wanted {
				t.Errorf("row %d, %s: got %s, want %s", i, name, got, wanted)
			}
		}
	}
}

// picks lists the numbers of rows that stand in them.
func picks(rows []rollout.Row) []int {
	list := []int{}
	for i := range rows {
		n, _ := numberOf(member(&rows[i], "_ix"))
		list = append(list, int(n))
	}
	return list
}

type selectInput struct {
	Rows   []json.RawMessage `json:"rows"`
	Kwargs map[string]any    `json:"kwargs"`
}

func TestVectorsSFT(t *testing.T) {
	for _, v := range vectors(t, "sft-") {
		t.Run(v.ID, func(t *testing.T) {
			in := into[selectInput](t, v.Input)
			o := Options{Mode: SFT, Target: 1000}
			for name, x := range in.Kwargs {
				switch name {
				case "select":
					o.SFT.Rule = Rule(x.(string))
				case "min_reward":
					o.SFT.MinReward = stats.Of(x.(float64))
				case "seed":
					o.SFT.Seed = int64(x.(float64))
				case "k":
					o.SFT.K = int(x.(float64))
				case "target":
					o.Target = int(x.(float64))
				default:
					t.Fatalf("no option %s", name)
				}
			}
			s, err := Select(rowsOf(t, in.Rows), o)
			if err != nil {
				t.Fatal(err)
			}
			want := into[struct {
				Picked []int          `json:"picked"`
				Report map[string]any `json:"report"`
			}](t, v.Expect)
			if !slices.Equal(picks(s.Rows), want.Picked) {
				t.Errorf("picked %v, want %v", picks(s.Rows), want.Picked)
			}
			note := slices.Contains(codes(s.Report.SFT.Findings), string(CodeFewCompletions)) ||
				slices.Contains(codes(s.Report.SFT.Findings), string(CodeNothingToRank))
			if wanted := want.Report["has_note"] == true; note != wanted {
				t.Errorf("note %v, want %v", note, wanted)
			}
			delete(want.Report, "has_note")
			mendLeaks(want.Report)
			check(t, "report", want.Report, s.Report.SFT)
			balanced(t, s.Report, s.Gates)
		})
	}
}

// mendLeaks writes a task that is not named as "", as this package does.
func mendLeaks(report map[string]any) {
	for _, leak := range report["privileged_leaks"].(map[string]any)["leaked"].([]any) {
		if l := leak.(map[string]any); l["scenario_id"] == nil {
			l["scenario_id"] = ""
		}
	}
}

func TestVectorsRL(t *testing.T) {
	for _, v := range vectors(t, "rl-") {
		t.Run(v.ID, func(t *testing.T) {
			in := into[selectInput](t, v.Input)
			rows := rowsOf(t, in.Rows)
			s, err := Select(rows, rlOptions(t, v, in.Kwargs))
			if err != nil {
				t.Fatal(err)
			}
			checkRL(t, v, s)
			balanced(t, s.Report, s.Gates)
			if got := fmt.Sprint(rowsOf(t, in.Rows)[0]); got != fmt.Sprint(rows[0]) {
				t.Error("a row that came in was changed")
			}
		})
	}
}

func rlOptions(t *testing.T, v vector, kwargs map[string]any) Options {
	o := Options{Target: 1000}
	o.RL.Band = Band{Low: DefaultLow, High: DefaultHigh}
	for name, x := range kwargs {
		switch name {
		case "target":
			o.Target = int(x.(float64))
		case "lo":
			o.RL.Band.Low = x.(float64)
		case "hi":
			o.RL.Band.High = x.(float64)
		case "enforce_band":
			o.RL.IgnoreBand = !x.(bool)
		case "dedupe":
			o.RL.KeepDuplicate = !x.(bool)
		case "truncated":
			o.RL.Truncated = Truncation(x.(string))
		case "order":
			o.RL.Order = Order(x.(string))
		case "text_gates":
			o.RL.TextGates = TextGates(x.(string))
		case "prior":
			o.RL.Prior = RatesOf(rowsOf(t, into[struct {
				Kwargs struct {
					Prior []json.RawMessage `json:"prior"`
				} `json:"kwargs"`
			}](t, v.Input).Kwargs.Prior))
		case "audit":
			o.RL.Audit = stats.Of(Audit{FalseNegativeRate: 0.2, CI95: stats.Of(stats.Interval{Low: 0.1, High: 0.35}), Checked: 30, Verifier: "v"})
		default:
			t.Fatalf("no option %s", name)
		}
	}
	return o
}

func checkRL(t *testing.T, v vector, s *Selection) {
	t.Helper()
	want := into[struct {
		Picked   []int          `json:"picked"`
		Overlong []int          `json:"overlong"`
		Rewards  []float64      `json:"rewards"`
		Report   map[string]any `json:"report"`
	}](t, v.Expect)
	if !slices.Equal(picks(s.Rows), want.Picked) {
		t.Errorf("picked %v, want %v", picks(s.Rows), want.Picked)
	}
	overlong, rewards := []int{}, []float64{}
	for i := range s.Rows {
		if truthy(member(&s.Rows[i], "overlong")) {
			overlong = append(overlong, picks(s.Rows[i:i+1])...)
		}
		rewards = append(rewards, s.Rows[i].Reward.Num)
	}
	if !slices.Equal(overlong, want.Overlong) {
		t.Errorf("overlong %v, want %v", overlong, want.Overlong)
	}
	if !slices.Equal(rewards, want.Rewards) {
		t.Errorf("rewards %v, want %v", rewards, want.Rewards)
	}
	r := s.Report.RL
	wantCodes := []string{}
	for _, code := range want.Report["hygiene_warnings_codes"].([]any) {
		wantCodes = append(wantCodes, code.(string))
	}
	if got := codes(r.Findings); !slices.Equal(got, unscanned(wantCodes)) {
		t.Errorf("warnings %v, want %v", got, unscanned(wantCodes))
	}
	if code, _ := want.Report["warning_code"].(string); code != r.Warning.V {
		t.Errorf("warning %q, want %q", r.Warning.V, code)
	}
	gates := want.Report["text_gates"].(map[string]any)
	gates["reason"] = gates["reason_code"]
	for _, name := range []string{"hygiene_warnings_codes", "warning_code", "hack_scan", "correlations"} {
		delete(want.Report, name)
	}
	delete(gates, "reason_code")
	mendLeaks(want.Report)
	check(t, "report", want.Report, r)
}

func TestVectorsPairs(t *testing.T) {
	for _, v := range vectors(t, "pairs-") {
		t.Run(v.ID, func(t *testing.T) {
			in := into[selectInput](t, v.Input)
			o := Options{Mode: Pairs}
			for name, x := range in.Kwargs {
				switch name {
				case "max_pairs_per_prompt":
					o.Pairs.MaxPerPrompt = int(x.(float64))
				case "min_margin":
					o.Pairs.MinMargin = x.(float64)
				case "length_match":
					o.Pairs.AnyLength = !x.(bool)
				default:
					t.Fatalf("no option %s", name)
				}
			}
			s, err := Select(rowsOf(t, in.Rows), o)
			if err != nil {
				t.Fatal(err)
			}
			want := into[struct {
				Pairs  []map[string]any `json:"pairs"`
				Report map[string]any   `json:"report"`
			}](t, v.Expect)
			got := PairsOf(s.Rows)
			if len(got) != len(want.Pairs) {
				t.Fatalf("%d pairs, want %d", len(got), len(want.Pairs))
			}
			for i, w := range want.Pairs {
				p := picks(s.Rows[2*i : 2*i+2])
				if p[0] != int(w["chosen"].(float64)) || p[1] != int(w["rejected"].(float64)) {
					t.Errorf("pair %d is %v, want %v and %v", i, p, w["chosen"], w["rejected"])
				}
				delete(w, "chosen")
				delete(w, "rejected")
				check(t, fmt.Sprintf("pair %d", i), w, json.RawMessage(got[i].AppendJSON(nil)))
			}
			wantCodes := want.Report["warnings_codes"].([]any)
			if got := codes(s.Report.Pairs.Findings); fmt.Sprint(got) != fmt.Sprint(wantCodes) {
				t.Errorf("warnings %v, want %v", got, wantCodes)
			}
			delete(want.Report, "warnings_codes")
			delete(want.Report, "has_note")
			check(t, "report", want.Report, s.Report.Pairs)
			balanced(t, s.Report, s.Gates)
		})
	}
}
