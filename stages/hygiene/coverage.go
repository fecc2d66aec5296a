package hygiene

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/stats"
)

// Codes of the findings of [Report.Coverage].
const (
	CodeNoCalls    stats.Code = "cov_no_calls"           // nobody called any tool
	CodeSilent     stats.Code = "cov_silent_rows"        // many rows without a call
	CodeNever      stats.Code = "cov_never_called"       // tools that nobody called
	CodeDead       stats.Code = "cov_dead_tools"         // tools that hardly ever work
	CodeUnfired    stats.Code = "cov_marker_never_fired" // markers that are never a number
	CodeDegenerate stats.Code = "cov_degenerate_reward"  // all rewards are the same
)

// Thresholds of the findings (spec of gates, section 3).
const (
	silentRows  = 2
	silentShare = 0.1
	asksShown   = 3
	askChars    = 60
	deadCalls   = 3
	deadRate    = 0.30
)

// coverage collects what says that a run was hollow.
type coverage struct {
	tools   []string
	rows    int
	silent  int
	asks    map[xxh3.Uint128]struct{} // of rows without a call
	first   []ask                     // the first ones of them
	calls   map[string]*calls
	markers map[string]bool // whether it was a number somewhere
	graded  int
	reward  float64
	vary    bool
}

// ask is a prompt, with the first row that has it.
type ask struct {
	key  xxh3.Uint128
	at   rollout.Pos
	text string
}

type calls struct{ made, counted, ok int }

func newCoverage(tools []string) coverage {
	return coverage{tools: tools, asks: map[xxh3.Uint128]struct{}{}, calls: map[string]*calls{}, markers: map[string]bool{}}
}

func (c *coverage) add(r *rollout.Row, b *behaviour.Reader) {
	c.rows++
	c.addTools(r, b)
	for i := range r.Markers {
		m := &r.Markers[i]
		if number, known := c.markers[m.Name]; !known || !number {
			c.markers[strings.Clone(m.Name)] = m.Value.Kind() == rollout.KindNumber
		}
	}
	if reward, ok := r.ScanReward(); ok {
		c.addReward(reward, 1)
	}
}

func (c *coverage) addReward(reward float64, n int) {
	if n == 0 {
		return
	}
	c.vary = c.vary || c.graded > 0 && reward != c.reward
	c.reward = reward
	c.graded += n
}

func (c *coverage) addTools(r *rollout.Row, b *behaviour.Reader) {
	if len(c.tools) == 0 {
		return
	}
	acts := b.Acts()
	if len(acts) == 0 {
		c.silent++
		key := xxh3.HashString128(r.Prompt)
		c.asks[key] = struct{}{}
		c.addFirst(ask{key, r.Pos, r.Prompt})
	}
	for i := range acts {
		a := &acts[i]
		tool := c.calls[a.Tool]
		if tool == nil {
			tool = &calls{}
			c.calls[strings.Clone(a.Tool)] = tool
		}
		tool.made++
		faulted, answered := b.Faulted(a)
		switch {
		case !answered || faulted && b.PlansFault(a.Tool):
		case faulted:
			tool.counted++
		default:
			tool.counted++
			tool.ok++
		}
	}
}

// addFirst keeps an ask if it is among the first.
func (c *coverage) addFirst(a ask) {
	i := slices.IndexFunc(c.first, func(b ask) bool { return b.key == a.key })
	switch {
	case i >= 0 && c.first[i].at.Compare(a.at) <= 0, i < 0 && len(c.first) == asksShown && c.first[asksShown-1].at.Compare(a.at) <= 0:
		return
	case i >= 0:
		c.first = slices.Delete(c.first, i, i+1)
	}
	a.text = strings.Clone(cut(a.text, askChars))
	c.first = append(c.first, a)
	slices.SortStableFunc(c.first, func(a, b ask) int { return a.at.Compare(b.at) })
	c.first = c.first[:min(len(c.first), asksShown)]
}

// cut is the first n characters of a text.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func (c *coverage) merge(o *coverage) {
	c.rows += o.rows
	c.silent += o.silent
	maps.Copy(c.asks, o.asks)
	for _, a := range o.first {
		c.addFirst(a)
	}
	for name, from := range o.calls {
		to := c.calls[name]
		if to == nil {
			to = &calls{}
			c.calls[name] = to
		}
		to.made += from.made
		to.counted += from.counted
		to.ok += from.ok
	}
	for name, number := range o.markers {
		c.markers[name] = c.markers[name] || number
	}
	c.vary = c.vary || o.vary
	c.addReward(o.reward, o.graded)
}

// findings says what is hollow, in the order of the reference implementation.
func (c *coverage) findings() []stats.Finding {
	found := []stats.Finding{}
	warn := func(code stats.Code, text string, numbers ...stats.Quantity) {
		found = append(found, stats.Finding{Code: code, Level: stats.Warning, Numbers: append(stats.Quantities{}, numbers...), Text: text})
	}
	switch {
	case len(c.tools) == 0 || c.rows == 0:
	case c.silent == c.rows:
		warn(CodeNoCalls, fmt.Sprintf("not one of %d rows calls any of the %d tools", c.rows, len(c.tools)), number("rows", c.rows))
	default:
		if c.silent >= silentRows || float64(c.silent) >= silentShare*float64(c.rows) && c.silent > 0 {
			warn(CodeSilent, fmt.Sprintf("%d of %d rows call no tool, on %d prompts: %s", c.silent, c.rows, len(c.asks), c.firstAsks()),
				number("silent", c.silent), number("rows", c.rows), number("prompts", len(c.asks)))
		}
		var never, dead []string
		for _, tool := range c.tools {
			switch made := c.calls[tool]; {
			case made == nil:
				never = append(never, tool)
			case made.dead():
				dead = append(dead, fmt.Sprintf("%s (%d of %d)", tool, made.ok, made.counted))
			}
		}
		if len(never) > 0 {
			warn(CodeNever, "tools that nobody calls: "+strings.Join(never, ", "), number("tools", len(never)))
		}
		if len(dead) > 0 {
			warn(CodeDead, "tools that hardly ever work: "+strings.Join(dead, ", "), number("tools", len(dead)))
		}
	}
	var unfired []string
	for name, number := range c.markers {
		if !number {
			unfired = append(unfired, name)
		}
	}
	slices.Sort(unfired)
	if len(unfired) > 0 {
		warn(CodeUnfired, "markers that are never a number: "+strings.Join(unfired, ", "), number("markers", len(unfired)))
	}
	if c.graded >= 2 && !c.vary {
		warn(CodeDegenerate, fmt.Sprintf("all %d graded rows have the reward %g", c.graded, c.reward), number("graded", c.graded))
	}
	return found
}

// dead reports whether a tool hardly ever works: of its calls, but for planned
// faults, the upper end of the 95 % interval (Wilson) of those that worked is
// under 0.30. 0 of 9 is, 0 of 8 is not.
func (t *calls) dead() bool {
	return t.counted >= deadCalls && stats.Wilson(t.ok, t.counted, stats.Z95).V.High < deadRate
}

// firstAsks lists the first prompts without a call.
func (c *coverage) firstAsks() string {
	var texts []string
	for _, a := range c.first {
		texts = append(texts, fmt.Sprintf("%q", a.text))
	}
	return strings.Join(texts, ", ")
}
