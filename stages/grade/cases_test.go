package grade_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stream"
)

// gradedLine is a row as the cases have it.
type gradedLine struct {
	ID     string   `json:"id"`
	Error  string   `json:"error"`
	Reward *float64 `json:"reward"`
}

func (l gradedLine) row(t *testing.T) rollout.Row {
	if l.Reward != nil {
		return decode(t, fmt.Sprintf(`{"rollout_id":%q,"scenario_id":%[1]q,"reward":%v,"judge_status":"ok"}`, l.ID, *l.Reward))[0]
	}
	return decode(t, fmt.Sprintf(`{"rollout_id":%q,"scenario_id":%[1]q,"judge_status":%q}`, l.ID, l.Error))[0]
}

// Cases from practice about rows that were graded before.
func TestResumeCases(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var c struct {
			ID    string
			Input struct{ Done, Lines []gradedLine }
			Want  struct {
				Pending    []string
				Rows       int64
				Mean       float64
				Superseded int
			} `json:"expected"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		switch c.ID {
		case "resume-03": // a failure of the machinery is no result, a reward of 0 is one
			var pending []string
			for _, l := range c.Input.Done {
				if row := l.row(t); row.State() == rollout.Unscored {
					pending = append(pending, row.ID)
				}
			}
			if !slices.Equal(pending, c.Want.Pending) {
				t.Errorf("%s: pending %v, want %v", c.ID, pending, c.Want.Pending)
			}
		case "resume-04": // the newest verdict is the one that counts
			newest, order, superseded := map[string]gradedLine{}, []rollout.Row{}, 0
			for _, l := range c.Input.Lines {
				if _, ok := newest[l.ID]; ok {
					superseded++
				} else {
					order = append(order, l.row(t))
				}
				newest[l.ID] = l
			}
			g := grade.Func(grade.Info{Name: "newest", Version: "1", Kind: grade.Rule, Pure: true}, func(_ context.Context, row *rollout.Row) (grade.Result, error) {
				return grade.Score(*newest[row.ID].Reward, ""), nil
			})
			tally := &grade.Tally{}
			stage, err := grade.Regrade(g, grade.Into(tally))
			if err != nil {
				t.Fatal(err)
			}
			rows, _, err := stream.Collect(t.Context(), stream.Through(stream.FromSlice(order), stage))
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i := range rows {
				v, _ := rows[i].GradedReward()
				sum += v
			}
			if counts := tally.Counts(); counts.Rows != c.Want.Rows || sum/float64(len(rows)) != c.Want.Mean || superseded != c.Want.Superseded {
				t.Errorf("%s: %d rows, mean %v, %d superseded; want %+v", c.ID, counts.Rows, sum/float64(len(rows)), superseded, c.Want)
			}
		default:
			t.Errorf("%s is no case of this package", c.ID)
		}
	}
}
