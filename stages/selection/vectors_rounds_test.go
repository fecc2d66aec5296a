package selection

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

func TestVectorsDuplicates(t *testing.T) {
	v := vectors(t, "dedupe-1")[0]
	rows := rowsOf(t, into[[]json.RawMessage](t, v.Input))
	kept, d := DropDuplicates(rows)
	want := into[map[string]any](t, v.Expect)
	list := []int{}
	for i := range kept {
		list = append(list, int(kept[i].Pos.Record-1))
	}
	check(t, "kept", want["kept_indices"], list)
	check(t, "report", want["report"], d)
}

func TestVectorsUnanimous(t *testing.T) {
	v := vectors(t, "unan-1")[0]
	kept, report := TrimUnanimous(rowsOf(t, into[[]json.RawMessage](t, v.Input)), 2)
	want := into[map[string]any](t, v.Expect)
	check(t, "kept", want["kept_prompts"], promptsOf(kept))
	check(t, "report", want["report"], report)
}

func TestVectorsBand(t *testing.T) {
	v := vectors(t, "band-1")[0]
	kept, report, err := TrimOutOfBand(rowsOf(t, into[[]json.RawMessage](t, v.Input)), Band{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := into[map[string]any](t, v.Expect)
	check(t, "kept", want["kept"], promptsOf(kept))
	check(t, "report", want["report"], report)
}

// promptsOf lists the prompts of rows, each once.
func promptsOf(rows []rollout.Row) []string {
	list := []string{}
	for i := range rows {
		if p := rows[i].Prompt; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

func TestVectorsSignal(t *testing.T) {
	v := vectors(t, "signal-1")[0]
	check(t, "signal", into[any](t, v.Expect), SignalOf(rowsOf(t, into[[]json.RawMessage](t, v.Input)), Band{}))
}

func TestVectorsLength(t *testing.T) {
	v := vectors(t, "length-1")[0]
	rows := rowsOf(t, into[[]json.RawMessage](t, v.Input))
	tab, _ := tableOf(rows)
	all := make([]uint32, len(rows))
	for i := range all {
		all[i] = uint32(i)
	}
	check(t, "length", into[any](t, v.Expect), tab.lengthsOf(all))
}

func TestVectorsNextRound(t *testing.T) {
	for _, v := range vectors(t, "next-") {
		t.Run(v.ID, func(t *testing.T) {
			in := into[struct {
				Prior  []json.RawMessage `json:"prior"`
				Kwargs struct {
					Tasks []json.RawMessage `json:"tasks"`
				} `json:"kwargs"`
			}](t, v.Input)
			var tasks []rollout.Row
			for _, task := range in.Kwargs.Tasks {
				if task[0] == '"' {
					tasks = append(tasks, rollout.Row{Prompt: into[string](t, task)})
				} else {
					tasks = append(tasks, rowsOf(t, []json.RawMessage{task})...)
				}
			}
			round, err := NextRound(rowsOf(t, in.Prior), tasks, Band{})
			if err != nil {
				t.Fatal(err)
			}
			want := into[map[string]any](t, v.Expect)
			if list, ok := want["tasks"]; ok {
				var got []json.RawMessage
				for i := range round.Tasks {
					got = append(got, round.Tasks[i].AppendLine(nil))
				}
				check(t, "tasks", list, got)
				delete(want, "tasks")
			}
			check(t, "round", want, round)
		})
	}
}

func TestVectorsCurriculum(t *testing.T) {
	v := vectors(t, "curr-1")[0]
	rows := rowsOf(t, into[[]json.RawMessage](t, v.Input))
	check(t, "curriculum", into[any](t, v.Expect), RatesOf(rows).Curriculum(CurriculumOptions{}))
}

func TestVectorsRetire(t *testing.T) {
	v := vectors(t, "retire-1")[0]
	rows := rowsOf(t, into[[]json.RawMessage](t, v.Input))
	check(t, "kept", into[any](t, v.Expect), promptsOf(RetireSolved(rows, CurriculumOptions{})))
}

func TestVectorsCalibrate(t *testing.T) {
	v := vectors(t, "cal-1")[0]
	in := into[struct {
		Rows          []json.RawMessage `json:"rows"`
		Policy, Model string
	}](t, v.Input)
	rows := rowsOf(t, in.Rows)
	c := Calibrate(rows, Student{Model: in.Model, PromptHash: PolicyHash(in.Policy)})
	want := into[map[string]any](t, v.Expect)
	check(t, "stamp", want["first_stamp"], json.RawMessage(member(&rows[0], "calibration")))
	delete(want, "first_stamp")
	check(t, "report", want, c)
}

func TestVectorsPublish(t *testing.T) {
	words := map[stats.Code]any{CodeUngradedRL: "no_numeric_reward", CodeNoMixed: "no_mixed_groups"}
	for _, v := range vectors(t, "pub-") {
		t.Run(v.ID, func(t *testing.T) {
			in := into[selectInput](t, v.Input)
			p := Publish(rowsOf(t, in.Rows), PublishOptions{})
			want := into[map[string]any](t, v.Expect)
			if got := words[p.Refusal.V.Code]; got != want["refusal_code"] {
				t.Errorf("refusal %v, want %v", got, want["refusal_code"])
			}
			if (p.Err() == nil) != (want["refusal_code"] == nil) {
				t.Errorf("error %v", p.Err())
			}
			var wantCodes []string
			for _, code := range want["warnings_codes"].([]any) {
				wantCodes = append(wantCodes, code.(string))
			}
			if got := codes(p.Findings); !slices.Equal(got, unscanned(wantCodes)) {
				t.Errorf("warnings %v, want %v", got, unscanned(wantCodes))
			}
			for _, name := range []string{"refusal_code", "warnings_codes", "regime"} { // the last is the hack scan's
				delete(want, name)
			}
			check(t, "report", want, p)
		})
	}
}

func TestVectorsReinforceAda(t *testing.T) {
	for _, v := range vectors(t, "ada-") {
		t.Run(v.ID, func(t *testing.T) {
			in := into[struct {
				Draws     [][]float64 `json:"draws_per_prompt"`
				Keep      int         `json:"keep"`
				RoundSize int         `json:"round_size"`
				MaxRounds int         `json:"max_rounds"`
				Threshold float64     `json:"threshold"`
				Exit      string      `json:"exit"`
			}](t, v.Input)
			a := ReinforceAda{Keep: in.Keep, RoundSize: in.RoundSize, MaxRounds: in.MaxRounds, Threshold: in.Threshold, Positive: in.Exit == "positive"}
			for i, want := range into[[]any](t, v.Expect) {
				left := in.Draws[i]
				s, err := a.Sample(func(n int) []float64 {
					drawn := left[:min(n, len(left))]
					left = left[len(drawn):]
					return drawn
				})
				if err != nil {
					t.Fatal(err)
				}
				check(t, "sample", want, map[string]any{
					"rewards": s.Rewards, "advantages": s.Advantages, "pass_rate": s.PassRate, "drawn": s.Drawn, "retired": s.Retired,
				})
			}
		})
	}
}
