package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// Report says what a run did (spec of simulation, section 20.2).
type Report struct {
	Stopped Stop `json:"stopped_because"`

	Mode         Mode     `json:"mode"`
	Schedule     Schedule `json:"schedule"`
	RepeatPolicy Policy   `json:"repeat_policy"`
	Phrasings    int      `json:"requests_per_situation"`
	Repeats      int      `json:"rollouts_per_request"`
	Budget       int      `json:"budget"` // rows of a run
	Runs         int      `json:"runs"`
	Seed         int64    `json:"seed"`
	FaultRate    float64  `json:"fault_rate"`
	HardShare    float64  `json:"hard_share"`
	Agent        string   `json:"agent"`

	Rows             int64   `json:"rows"`
	Tasks            int64   `json:"tasks"` // messages that were run
	UniquePrompts    int     `json:"unique_prompts"`
	Patterns         int     `json:"prompt_patterns"`        // prompts that differ in more than case, signs and numbers
	Repeated         float64 `json:"repeated_pattern_share"` // of the tasks, those whose pattern an earlier one has
	UniqueSignatures int     `json:"unique_signatures"`
	Truncated        int64   `json:"truncated"` // rows that carry no label, since they were cut off
	Resumed          int64   `json:"resumed"`   // answers that came from the checkpoint

	Pairs struct {
		Planned int `json:"pairs_planned"`
		Covered int `json:"pairs_covered"`
	} `json:"pairwise"`
	Cells struct {
		Planned int `json:"planned"`
		Run     int `json:"run"`
		Least   int `json:"min_cell_copies"` // rows of the cell that has fewest
	} `json:"cells"`

	Requested int64          `json:"rollouts_requested"` // that a task has room for, and was not stopped before
	Rerolled  map[Lost]int64 `json:"rerolled_by,omitempty"`
	Lost      map[Lost]int64 `json:"lost_by,omitempty"`

	Arms    map[string]int64 `json:"arms"`  // rows
	Tiers   map[string]int64 `json:"tiers"` // rows
	Groups  GroupReport      `json:"groups"`
	Faults  FaultReport      `json:"faults"`
	Tools   []ToolReport     `json:"tools"`
	Unknown int64            `json:"unknown_tool_calls"`
	Turns   float64          `json:"mean_turns"` // answers of the agent in a row

	Degraded []string `json:"degraded"`
	Warnings []string `json:"warnings"`
}

// GroupReport counts what became of the tasks that have room for several
// rollouts (spec of simulation, section 14.3).
type GroupReport struct {
	Groups    int64 `json:"groups"`
	Mixed     int64 `json:"mixed"`             // rollouts disagreed
	Unanimous int64 `json:"stopped_unanimous"` // ended early since they agreed
	Complete  int64 `json:"complete"`          // all rollouts are rows
	Partial   int64 `json:"partial"`           // some were lost, or the budget cut the group
	Saved     int64 `json:"rollouts_saved"`
}

// FaultReport counts the planned failures of tools.
type FaultReport struct {
	Tagged int64 `json:"tasks_tagged"` // tasks whose situation has a fault
	Kept   int64 `json:"tasks_kept"`   // those that kept it
	Rows   int64 `json:"rows_met"`     // rows that met one
}

// ToolReport counts the calls of a tool.
type ToolReport struct {
	Name      string `json:"name"`
	Calls     int64  `json:"calls"`
	Succeeded int64  `json:"succeeded"`
	Faulted   int64  `json:"faulted"`
}

// finish derives what is only known at the end.
func (r *Report) finish(p *plan) {
	var lost int64
	var reasons []string
	for _, l := range LostReasons() {
		if n := r.Lost[l]; n > 0 {
			lost += n
			reasons = append(reasons, fmt.Sprintf("%d %s", n, l))
		}
	}
	if lost > 0 {
		r.degrade("rollouts_lost", fmt.Sprintf("%d rollouts were lost (%s): the agent did not answer well enough; see what it says of itself", lost, strings.Join(reasons, ", ")))
	}
	if r.Rerolled[LostError]+r.Rerolled[LostTimeout]+r.Lost[LostError]+r.Lost[LostTimeout] > 0 {
		r.Degraded = append(r.Degraded, "agent_errors")
	}
	var calls int64
	var dead []string
	for _, t := range r.Tools {
		calls += t.Calls
		if t.Calls > 0 && t.Succeeded == 0 {
			dead = append(dead, t.Name)
		}
	}
	switch {
	case r.Rows == 0 || len(r.Tools) == 0:
	case calls == 0:
		r.degrade("no_tool_calls", "no tool was ever called: check that the agent sees the tools")
	case len(dead) > 0:
		r.degrade("dead_tools", "called and never successful: "+strings.Join(dead, ", "))
	}
	if p.rulesCut > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d clauses of the system prompt stand on no axis, which holds %d: shorten it, or name the rules that count", p.rulesCut, grid.MaxRules))
	}
	if p.writer.Generic() && slices.ContainsFunc(p.Tools, func(t tools.Tool) bool { return t.Refers() }) {
		r.Warnings = append(r.Warnings, "the messages come from a generic template and name no entity: show in the description of a parameter how its ids look, such as A1002")
	}
}

func (r *Report) degrade(flag, warning string) {
	r.Degraded = append(r.Degraded, flag)
	r.Warnings = append(r.Warnings, warning)
}
