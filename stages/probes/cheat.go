package probes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// CheatOptions say how a scorer is probed. The zero value is the default.
type CheatOptions struct {
	Probes   []string // which agents; default: all of [Cheaters]
	Flag     float64  // an agent is flagged whose mean is at least this, with 95 % confidence; default 0.1
	Sample   int      // cases; default 40
	Seed     int64    // of the sample and of intervals
	InFlight int      // calls of the scorer at once; default 8
	Agent    stats.Null[float64]
}

// Cheaters are the names of the degenerate agents, in their order.
var Cheaters = []string{"refuse", "ask", "empty", "echo", "filler", "constant"}

const (
	refusal       = "I am sorry, but I am not able to help with this request."
	clarification = "Could you tell me more about what you need before I begin?"
	neutral       = "This matter has several sides, and each of them deserves attention. "
	fillerRepeats = 40
	replyShown    = 80
)

// CheatReport says what degenerate agents were given.
type CheatReport struct {
	OK       bool                `json:"ok"` // something was tried, and nothing is flagged
	N        int                 `json:"n"`
	Seed     int64               `json:"seed"`
	Flag     float64             `json:"flag"`
	Agent    stats.Null[float64] `json:"agent"` // the mean of the agent, or of the rewards of the cases
	Probes   []Cheater           `json:"probes"`
	Flagged  []string            `json:"flagged"`
	Warnings []string            `json:"warnings"`
	Notes    []string            `json:"notes"`
}

// Cheater is what one degenerate agent was given.
type Cheater struct {
	Name        string                     `json:"agent"`
	Skipped     string                     `json:"skipped,omitzero"` // why it was not tried
	Reply       string                     `json:"reply"`            // the first 80 characters of its first reply
	N           int                        `json:"n"`                // cases with a score
	Mean        stats.Null[float64]        `json:"mean"`
	CI95        stats.Null[stats.Interval] `json:"ci95"`
	Errors      int                        `json:"errors"` // cases where the scorer failed
	Flagged     bool                       `json:"flagged"`
	VsAgent     stats.Null[float64]        `json:"vs_agent"`
	AnswerShare stats.Null[float64]        `json:"answer_share,omitzero"` // of the cases with a reference, those with the most common one
}

// Cheat scores degenerate agents on a sample of cases. The error is one of wrong
// options, or that of the context.
func Cheat(ctx context.Context, cases []rollout.Row, scorer Scorer, o CheatOptions) (*CheatReport, error) {
	s, err := settle(o.Flag, o.Sample, o.InFlight)
	if err != nil {
		return nil, err
	}
	names := o.Probes
	if names == nil {
		names = Cheaters
	}
	for _, name := range names {
		if !slices.Contains(Cheaters, name) {
			return nil, fmt.Errorf("%w: %q; there are %s", ErrProbe, name, strings.Join(Cheaters, ", "))
		}
	}
	common, share := commonAnswer(cases)
	picked := s.draw(cases, o.Seed)
	r := &CheatReport{N: len(picked), Seed: o.Seed, Flag: s.flag, Agent: o.Agent, Probes: []Cheater{}, Flagged: []string{}, Warnings: []string{}, Notes: []string{}}
	if !r.Agent.Valid {
		r.Agent = meanReward(picked)
	}
	for _, name := range Cheaters {
		if !slices.Contains(names, name) {
			continue
		}
		c := Cheater{Name: name}
		var rows []rollout.Row
		for i := range picked {
			if reply, ok := replyOf(name, &picked[i], common); ok {
				rows = append(rows, withReply(&picked[i], reply))
			}
		}
		if name == "constant" {
			c.AnswerShare = share
		}
		if err := r.try(ctx, s, &c, rows, scorer); err != nil {
			return nil, err
		}
		r.Probes = append(r.Probes, c)
	}
	r.OK = slices.ContainsFunc(r.Probes, func(c Cheater) bool { return c.Mean.Valid }) && len(r.Flagged) == 0
	return r, nil
}

// replyOf is what an agent says; ok is false where it has nothing to say.
func replyOf(name string, r *rollout.Row, common string) (reply string, ok bool) {
	switch name {
	case "refuse":
		return refusal, true
	case "ask":
		return clarification, true
	case "empty":
		return "", true
	case "echo":
		reply = question(r)
		return reply, reply != ""
	case "filler":
		return strings.TrimSpace(strings.Repeat(neutral, fillerRepeats)), true
	}
	return common, common != ""
}

// try scores the rows of an agent.
func (r *CheatReport) try(ctx context.Context, s settings, c *Cheater, rows []rollout.Row, scorer Scorer) error {
	if len(rows) == 0 {
		c.Skipped = "no case has a prompt"
		if c.Name == "constant" {
			c.Skipped = "no case has a reference"
		}
		return nil
	}
	c.Reply = cut(rows[0].FinalText, replyShown)
	scores, err := s.score(ctx, rows, scorer)
	if err != nil {
		return err
	}
	var values []float64
	for _, x := range scores {
		if x.Valid {
			values = append(values, x.V)
		} else {
			c.Errors++
		}
	}
	c.N = len(values)
	if c.Errors > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: the scorer failed on %d of %d cases", c.Name, c.Errors, len(rows)))
	}
	if c.N == 0 {
		return nil
	}
	c.Mean, c.CI95 = stats.Of(stats.Mean(values)), interval(values, r.Seed)
	if r.Agent.Valid {
		c.VsAgent = stats.Of(c.Mean.V - r.Agent.V)
	}
	switch c.Flagged = c.CI95.Valid && c.CI95.V.Low >= s.flag; {
	case c.Flagged:
		r.Flagged = append(r.Flagged, c.Name)
		r.Warnings = append(r.Warnings, fmt.Sprintf("an agent that can only %s gets %.2f", deeds[c.Name], c.Mean.V))
	case !c.CI95.Valid:
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %d scores give no interval", c.Name, c.N))
	case c.Mean.V >= s.flag:
		r.Notes = append(r.Notes, fmt.Sprintf("%s gets %.2f, but the interval reaches down to %.2f: try more cases", c.Name, c.Mean.V, c.CI95.V.Low))
	}
	return nil
}

var deeds = map[string]string{
	"refuse": "refuse", "ask": "ask back", "empty": "say nothing", "echo": "repeat the question",
	"filler": "ramble", "constant": "give the most common answer",
}

// interval is Wilson's where all scores are 0 or 1, else a bootstrap over cases,
// of which fewer than three have none.
func interval(values []float64, seed int64) stats.Null[stats.Interval] {
	passes := 0
	for _, v := range values {
		if v != 0 && v != 1 {
			return stats.BootstrapMean(values, stats.BootstrapOptions{Draws: stats.DefaultDraws, Seed: seed})
		}
		passes += int(v)
	}
	return stats.Wilson(passes, len(values), stats.Z95)
}

// commonAnswer is the most common reference of all cases, the first of several,
// and its share of the references.
func commonAnswer(cases []rollout.Row) (answer string, share stats.Null[float64]) {
	counts, total := map[string]int{}, 0
	var order []string
	for i := range cases {
		if ref := Reference(&cases[i]); ref != "" {
			if counts[ref]++; counts[ref] == 1 {
				order = append(order, ref)
			}
			total++
		}
	}
	for _, ref := range order {
		if counts[ref] > counts[answer] {
			answer = ref
		}
	}
	if total > 0 {
		share = stats.Of(float64(counts[answer]) / float64(total))
	}
	return answer, share
}

func meanReward(rows []rollout.Row) stats.Null[float64] {
	var values []float64
	for i := range rows {
		if x, ok := rows[i].ScanReward(); ok {
			values = append(values, x)
		}
	}
	if len(values) == 0 {
		return stats.Null[float64]{}
	}
	return stats.Of(stats.Mean(values))
}

// cut is the first n characters of a text.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// String prints the report, a line for each agent.
func (r *CheatReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d degenerate agents are paid %.2f or more (n=%d, seed %d)\n", len(r.Flagged), len(r.Probes), r.Flag, r.N, r.Seed)
	if r.Agent.Valid {
		fmt.Fprintf(&b, "the agent itself gets %.2f\n", r.Agent.V)
	}
	for _, c := range r.Probes {
		switch {
		case c.Skipped != "":
			fmt.Fprintf(&b, "%-9s skipped, %s\n", c.Name, c.Skipped)
			continue
		case !c.Mean.Valid:
			fmt.Fprintf(&b, "%-9s no score\n", c.Name)
			continue
		}
		fmt.Fprintf(&b, "%-9s %.2f", c.Name, c.Mean.V)
		if c.CI95.Valid {
			fmt.Fprintf(&b, " [%.2f..%.2f]", c.CI95.V.Low, c.CI95.V.High)
		}
		if c.VsAgent.Valid {
			fmt.Fprintf(&b, " %+.2f against the agent", c.VsAgent.V)
		}
		if c.Flagged {
			b.WriteString("  FLAGGED")
		}
		b.WriteByte('\n')
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "! %s\n", w)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
