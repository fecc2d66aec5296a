package simulate

import (
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/draw"
	"github.com/rollmill/rollmill/stages/simulate/grid"
	"github.com/rollmill/rollmill/stages/simulate/world"
	"github.com/rollmill/rollmill/stages/simulate/writer"
)

// task is a message with all that is true around it: what the rollouts of a
// group share.
type task struct {
	run        int
	cell       int // of the plan; -1 for none
	id         string
	arm        writer.Arm
	prompt     string
	opening    string   // what the person says first
	more       []string // and what is said later, whatever the agent answers
	state      string
	tier       grid.Tier
	faults     world.Plan // of the situation
	plan       world.Plan // those, if they are kept
	privileged string
	members    []rollout.Member // of its rows
	realized   bool             // rows say what was met in the place of a cell
}

// userTurn parts the lines of a person who does not wait for what is answered.
const userTurn = "\n<USER_TURN>\n"

// task writes a message.
func (p *plan) task(run int, m message) *task {
	if m.cell < 0 {
		s, _ := p.writer.Probe(m.variant)
		return p.about(run, -1, &s, "")
	}
	s, _ := p.cells[m.cell].messages.Write(m.variant)
	return p.about(run, m.cell, &s, "")
}

// about makes a task of a situation. parent is the head of the prompt that it
// was made from, "" for none.
func (p *plan) about(run, at int, s *writer.Situation, parent string) *task {
	t := &task{run: run, cell: at, id: s.ID, arm: s.Arm, prompt: s.Prompt, tier: s.Tier(), faults: s.Faults}
	lines := strings.Split(s.Prompt, userTurn)
	t.opening, t.more = lines[0], lines[1:]
	if len(s.Faults) > 0 && p.keeps(s.Prompt) {
		t.plan = s.Faults
	}
	t.members = make([]rollout.Member, 0, 12+len(p.behind)+len(s.Labels))
	add := func(name, json string) { t.members = append(t.members, rollout.Member{Name: name, JSON: json}) }
	add("arm", quoted(string(s.Arm)))
	if at >= 0 {
		c := p.cells[at]
		t.members = append(t.members, c.members...)
		t.state, t.privileged = c.state, c.calm
		if t.plan != nil {
			t.privileged = c.faulted
		}
	} else {
		t.realized = true
		add("tier", quoted(t.tier.String()))
		add("intent_known", "true")
		add("tool_known", "false")
	}
	add("ask_family", quoted(s.Family))
	if t.plan != nil {
		add("faults", t.plan.JSON())
	}
	for _, l := range s.Labels {
		add(l.Name, label(l.Value))
	}
	if parent != "" {
		add("parent_failure_id", quoted(parent))
	}
	t.members = append(t.members, p.behind...)
	add("lineage", p.lineages[run])
	return t
}

// label is the value of a label as JSON.
func label(value string) string {
	if value == "true" {
		return value
	}
	return quoted(value)
}

// keeps decides whether a prompt that is tagged with a fault keeps it: the same
// for all its rollouts (spec of simulation, section 11.3).
func (p *plan) keeps(prompt string) bool {
	switch rate := p.FaultRate.V; {
	case rate <= 0:
		return false
	case rate >= 1:
		return true
	default:
		return draw.Open("fault-keep:"+strconv.FormatInt(p.Seed, 10)+":"+prompt, 12) < rate
	}
}
