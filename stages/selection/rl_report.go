package selection

import (
	"bytes"
	"encoding/json"

	"github.com/rollmill/rollmill/stats"
)

// RLReport says what a selection for RL kept (spec of gates, section 5.3). What
// needs the hack scan is added by who has both.
type RLReport struct {
	Rows               int                `json:"n"` // after the prior round
	LeaksDropped       int                `json:"privileged_leaks_dropped"`
	Leaks              LeakReport         `json:"privileged_leaks"`
	AfterGates         int                `json:"n_after_gates"`
	Gates              RowGates           `json:"gates"`
	TextGates          TextGateReport     `json:"text_gates"`
	AfterTrim          int                `json:"n_after_trim"`
	Unanimous          int                `json:"unanimous_groups_dropped"` // tasks; the collapsed ones too
	Collapsed          int                `json:"collapsed_groups_dropped"`
	Selected           int                `json:"n_selected"`
	Tasks              int                `json:"groups_selected"`
	FaultKinds         KindCounts         `json:"fault_kinds"` // tasks before the draw
	Target             int                `json:"target"`      // 0: all
	Band               Band               `json:"band"`
	BandConfidence     float64            `json:"band_confidence,omitzero"`
	EnforceBand        bool               `json:"enforce_band"`
	BandTasksDropped   int                `json:"band_groups_dropped"`
	BandDropped        BandSides          `json:"band_dropped"`
	Prior              *PriorReport       `json:"prior"`
	Duplicates         Duplicates         `json:"duplicates"`
	TruncatedDropped   int                `json:"truncated_dropped"`
	TruncatedPolicy    Truncation         `json:"truncated_policy"`
	TruncatedKept      int                `json:"truncated_kept"`
	TruncatedPenalized int                `json:"truncated_penalized"`
	TruncatedSelected  int                `json:"truncated_selected"`
	Length             Lengths            `json:"length"`
	Signal             Signal             `json:"signal"`
	EvalSourced        int                `json:"eval_sourced"`
	Calibration        CalibrationReport  `json:"calibration"`
	Audit              stats.Null[Audit]  `json:"audit"`
	EvalSourcedInput   int                `json:"eval_sourced_input"`
	Before             Histogram          `json:"pass_rates_before"` // tasks as they came in
	After              Histogram          `json:"pass_rates_after"`  // tasks that are selected
	Findings           []stats.Finding    `json:"hygiene_warnings"`
	Warning            stats.Null[string] `json:"warning,omitzero"` // CodeNoMixedTasks: nothing can be learned

	scanAt int // where findings of a hack scan belong
}

// BandSides counts tasks outside the band.
type BandSides struct {
	TooEasy int `json:"too_easy"`
	TooHard int `json:"too_hard"`
}

// PriorReport says what the rates of an earlier round ruled out.
type PriorReport struct {
	Kept            int      `json:"kept"` // tasks of that round
	DroppedSolved   int      `json:"dropped_solved"`
	DroppedUnsolved int      `json:"dropped_unsolved"`
	Unknown         int      `json:"unknown"`
	FromPolicy      []string `json:"from_policy"`
	RowsDropped     int      `json:"rows_dropped"` // rows of this one
	PromptSetSHA    string   `json:"prompt_set_sha"`
}

// CalibrationReport says how hard the selected tasks were found to be.
type CalibrationReport struct {
	Tasks   int          `json:"n_tasks"` // with a verdict, as they came in
	Rows    int          `json:"n_rows"`  // selected
	Stamped int          `json:"n_stamped"`
	List    []Difficulty `json:"tasks"` // the stamped ones, the first MaxDifficulties
}

// MaxDifficulties is how many tasks a report lists.
const MaxDifficulties = 1000

// Difficulty is how often a task passes, with its Wilson interval.
type Difficulty struct {
	TaskID   string                     `json:"task_id"` // known when the rows were seen a second time
	N        int                        `json:"n"`
	PassRate float64                    `json:"pass_rate"`
	CI95     stats.Null[stats.Interval] `json:"pass_rate_ci95"` // 4 decimals
	rank     int                        // of the first row of the task in the output
}

func difficultyOf(s score) Difficulty {
	d := Difficulty{N: int(s.n), PassRate: s.rate()}
	if iv := stats.Wilson(int(s.passes), int(s.n), stats.Z95); iv.Valid {
		d.CI95 = stats.Of(stats.Interval{Low: stats.Round(iv.V.Low, 4), High: stats.Round(iv.V.High, 4)})
	}
	return d
}

// KindCounts are counts by name in an order of their own.
type KindCounts []KindCount

// MarshalJSON writes one object in that order.
func (k KindCounts) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range k {
		if i > 0 {
			b.WriteByte(',')
		}
		count, err := json.Marshal(c.Tasks)
		if err != nil {
			return nil, err
		}
		b.WriteString(quoted(c.Kind) + ":")
		b.Write(count)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
