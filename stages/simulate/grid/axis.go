package grid

import (
	"fmt"
	"slices"
	"strings"
)

// Axis is one of the six dimensions of a situation.
type Axis uint8

// The axes, in the order in which pairs are covered.
const (
	Tool      Axis = iota // which tool the ask is about
	Rule                  // which clause of the policy it touches
	Stance                // how the person behaves
	World                 // what is true of the entity asked about
	Condition             // how the tool behaves
	History               // what came before
	axisCount
)

var axisNames = [axisCount]string{"tool", "rule", "stance", "world_state", "tool_condition", "history"}

// String returns the name under which an axis stands in a row's
// scenario_dimensions.
func (a Axis) String() string {
	if a < axisCount {
		return axisNames[a]
	}
	return fmt.Sprintf("Axis(%d)", uint8(a))
}

// ParseAxis reads what String writes.
func ParseAxis(name string) (Axis, error) {
	if i := slices.Index(axisNames[:], name); i >= 0 {
		return Axis(i), nil
	}
	return 0, fmt.Errorf("grid: axis %q; want one of %s", name, strings.Join(axisNames[:], ", "))
}

// All returns the axes in order.
func All() []Axis { return []Axis{Tool, Rule, Stance, World, Condition, History} }

// Values that mean the absence of something.
const (
	Unspecified = "unspecified" // no rule, or no entity that a state could be of
	Unrelated   = "unrelated"   // an ask that no tool serves
	MultiTool   = "multi_tool"  // an ask that needs several
	Success     = "success"     // a tool that works
)

// Stances, world states, conditions and histories of the reference
// implementation (spec of simulation, section 7.1).
var (
	Stances    = []string{"ordinary", "ambiguous", "boundary", "adversarial", "hurried", "unsure", "retry", "mistaken", "exploratory", "conflicting"}
	Worlds     = []string{"entity exists", "entity missing", "entity already acted on", "duplicate entity", "partially completed", "unknown"}
	Conditions = []string{Success, "timeout", "malformed_result", "stale_result", "permission_denied"}
	Histories  = []string{"fresh", "prior_failure", "prior_partial_action", "contradicts_earlier", "repeat visit"}
)

// Axes holds the values of each axis. No axis is empty.
type Axes [axisCount][]string

// AxesOf returns the axes for tools of the given names and a policy. referring
// says whether some parameter of a tool names an entity; without one there is
// nothing whose state could vary. Rules beyond MaxRules are left out.
func AxesOf(tools []string, policy string, referring bool) Axes {
	rules := Clauses(policy)
	rules = rules[:min(len(rules), MaxRules)]
	if len(rules) == 0 {
		rules = []string{Unspecified}
	}
	worlds := []string{Unspecified}
	if referring {
		worlds = Worlds
	}
	return Axes{
		Tool:      slices.Concat(tools, []string{Unrelated, MultiTool}),
		Rule:      rules,
		Stance:    Stances,
		World:     worlds,
		Condition: Conditions,
		History:   Histories,
	}
}

// Replace puts other values in the place of an axis's own. It refuses an empty
// list, a stance that no difficulty is known of, and a tool condition that is
// not one of Conditions.
func (a *Axes) Replace(axis Axis, values []string) error {
	if len(values) == 0 {
		return fmt.Errorf("grid: no values for the axis %s", axis)
	}
	for _, v := range values {
		switch {
		case axis == Stance && !knownStance(v):
			return fmt.Errorf("grid: stance %q; want one of %s", v, strings.Join(Stances, ", "))
		case axis == Condition && !slices.Contains(Conditions, v):
			return fmt.Errorf("grid: tool condition %q; want one of %s", v, strings.Join(Conditions, ", "))
		}
	}
	a[axis] = values
	return nil
}
