package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// CurriculumOptions say which tasks are worth training on. The zero value is the
// default of the reference.
type CurriculumOptions struct {
	Solved      stats.Null[float64] `json:"solved"` // a higher pass rate is solved; default 0.8
	Floor       stats.Null[float64] `json:"floor"`  // a lower one is not ready; default 0.2
	Band        Band                `json:"band"`
	Tiers       int                 `json:"-"` // default 3
	MinRollouts int                 `json:"min_rollouts"`
}

func (o CurriculumOptions) withDefaults() CurriculumOptions {
	o.Solved = stats.Of(o.Solved.Or(DefaultHigh))
	o.Floor = stats.Of(o.Floor.Or(DefaultLow))
	o.Band = o.Band.withDefaults()
	setDefault(&o.Tiers, 3)
	setDefault(&o.MinRollouts, 2)
	return o
}

// CurriculumTask is a task and how often it passes.
type CurriculumTask struct {
	TaskID   string  `json:"task_id"`
	Prompt   string  `json:"prompt"`
	N        int     `json:"n"`
	PassRate float64 `json:"pass_rate"` // 4 decimals
}

// Curriculum orders tasks from easy to hard, in tiers, without those that teach
// nothing now (spec of gates, section 6). It compares rounded rates, the band of
// a selection exact ones.
type Curriculum struct {
	Tasks      int                `json:"n_tasks"`
	NTrainable int                `json:"n_trainable"`
	NSolved    int                `json:"n_solved"`
	NNotReady  int                `json:"n_not_ready"`
	NThin      int                `json:"n_thin"`
	NInBand    int                `json:"n_in_band"`
	Thresholds CurriculumOptions  `json:"thresholds"`
	Schedule   []string           `json:"schedule"` // the ids of Trainable
	Trainable  []CurriculumTask   `json:"trainable"`
	Retired    []CurriculumTask   `json:"retired"`
	NotReady   []CurriculumTask   `json:"not_ready"`
	Thin       []CurriculumTask   `json:"thin"` // too few verdicts to tell
	Tiers      [][]CurriculumTask `json:"tiers"`
}

// Curriculum makes a curriculum of the tasks that have verdicts.
func (t *TaskRates) Curriculum(o CurriculumOptions) *Curriculum {
	o = o.withDefaults()
	c := &Curriculum{
		Thresholds: o, Schedule: []string{}, Trainable: []CurriculumTask{}, Retired: []CurriculumTask{},
		NotReady: []CurriculumTask{}, Thin: []CurriculumTask{}, Tiers: make([][]CurriculumTask, o.Tiers),
	}
	for task := range t.all {
		if task.score.n == 0 {
			continue
		}
		x := CurriculumTask{task.key, task.prompt, int(task.score.n), stats.Round(task.score.rate(), 4)}
		c.Tasks++
		switch {
		case x.N < o.MinRollouts:
			c.Thin = append(c.Thin, x)
		case x.PassRate > o.Solved.V:
			c.Retired = append(c.Retired, x)
		case x.PassRate < o.Floor.V:
			c.NotReady = append(c.NotReady, x)
		default:
			c.Trainable = append(c.Trainable, x)
			if o.Band.place(x.PassRate, x.N) == within {
				c.NInBand++
			}
		}
	}
	c.NTrainable, c.NSolved, c.NNotReady, c.NThin = len(c.Trainable), len(c.Retired), len(c.NotReady), len(c.Thin)
	c.tier()
	return c
}

// tier sorts the trainable tasks and cuts them into tiers.
func (c *Curriculum) tier() {
	slices.SortFunc(c.Trainable, func(a, b CurriculumTask) int {
		return cmp.Or(cmp.Compare(b.PassRate, a.PassRate), strings.Compare(a.TaskID, b.TaskID))
	})
	for i := range c.Tiers {
		c.Tiers[i] = []CurriculumTask{}
	}
	step := float64(len(c.Trainable)) / float64(len(c.Tiers))
	for i, x := range c.Trainable {
		c.Schedule = append(c.Schedule, x.TaskID)
		tier := min(len(c.Tiers)-1, int(float64(i)/step))
		c.Tiers[tier] = append(c.Tiers[tier], x)
	}
}

// String prints the counts and a line for each tier that has tasks.
func (c *Curriculum) String() string {
	s := fmt.Sprintf("curriculum: %d tasks, %d trainable (%d in the band), %d solved, %d not ready, %d thin",
		c.Tasks, c.NTrainable, c.NInBand, c.NSolved, c.NNotReady, c.NThin)
	for i, tier := range c.Tiers {
		if len(tier) > 0 {
			s += fmt.Sprintf("\ntier %d: %d tasks, pass rate %.2f to %.2f", i+1, len(tier), tier[0].PassRate, tier[len(tier)-1].PassRate)
		}
	}
	return s
}

// RetireSolved returns the rows without those of tasks that a curriculum retires.
func RetireSolved(rows []rollout.Row, o CurriculumOptions) []rollout.Row {
	o = o.withDefaults()
	rates := RatesOf(rows)
	kept := make([]rollout.Row, 0, len(rows))
	for i := range rows {
		n, _ := rates.keys.find(rates.digest.of(rows[i].TaskKey(), ""))
		s := rates.list.at(int(n)).score
		if int(s.n) < o.MinRollouts || s.n == 0 || stats.Round(s.rate(), 4) <= o.Solved.V {
			kept = append(kept, rows[i])
		}
	}
	return kept
}
