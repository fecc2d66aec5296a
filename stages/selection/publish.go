package selection

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// PublishOptions say what a set must hold to be published for training.
type PublishOptions struct {
	Mode    Mode // RL: rows must be graded; default: told by whether a task repeats
	Band    Band
	Student Student

	// Regime is the verdict of a hack scan of the rows, if one was made, and
	// Scan what it found; RefuseHacks refuses the verdict reward_hack.
	Regime      string
	Scan        []stats.Finding
	RefuseHacks bool
}

// Codes of the findings of the publish gate. The first three refuse.
const (
	CodeUngradedRL     stats.Code = "ungraded_rl_rows"
	CodeNoMixed        stats.Code = "no_mixed_groups"
	CodeRewardHack     stats.Code = "reward_hack"
	CodeOutOfBand      stats.Code = "gate_out_of_band"
	CodeUnanimousTasks stats.Code = "gate_unanimous_present"
	CodeUnlabelled     stats.Code = "gate_unlabelled_rows"
	CodeCarriedStamps  stats.Code = "gate_carried_stamps"
	regimeRewardHack              = "reward_hack"
)

// Publication says whether rows may be published (spec of gates, section 6).
type Publication struct {
	OK          bool                      `json:"ok"`
	RLShaped    bool                      `json:"rl_shaped"`
	Mode        Mode                      `json:"mode"`
	Band        Band                      `json:"band"`
	JudgeTrust  stats.Null[string]        `json:"judge_trust"` // JSON text of the first that a row carries
	Signal      Signal                    `json:"signal"`
	Calibration Calibration               `json:"calibration"`
	Duplicates  Duplicates                `json:"duplicates"`
	Length      Lengths                   `json:"length"`
	Findings    []stats.Finding           `json:"warnings"`
	Refusal     stats.Null[stats.Finding] `json:"refusal"`
}

// RefusedError says that rows may not be published.
type RefusedError struct{ Finding stats.Finding }

func (e *RefusedError) Error() string { return "selection: not to be published: " + e.Finding.Text }

// Err is a *RefusedError where the rows may not be published.
func (p *Publication) Err() error {
	if p.OK {
		return nil
	}
	return &RefusedError{p.Refusal.V}
}

// Publish looks at rows before they are published for training, and stamps them
// with the difficulty of their tasks. Nothing is dropped.
func Publish(rows []rollout.Row, o PublishOptions) *Publication {
	o.Band = o.Band.withDefaults()
	rates := RatesOf(rows)
	p := &Publication{Mode: o.Mode, Band: o.Band, RLShaped: o.Mode == RL || rates.list.n < len(rows), Findings: []stats.Finding{}}
	p.Calibration = Calibrate(rows, o.Student)
	p.Signal = rates.Signal(o.Band)
	for i := range rows {
		if trust := memberOf(member(&rows[i], "judge_meta"), "trust"); truthy(trust) {
			p.JudgeTrust = stats.Of(trust)
			break
		}
	}
	p.refuse(o)
	if p.OK && p.RLShaped {
		p.warn()
	}
	t, _ := tableOf(rows)
	all := make([]uint32, len(rows))
	for i := range all {
		all[i] = uint32(i)
	}
	p.Length = t.lengthsOf(all)
	p.Duplicates = t.dropDuplicates()
	if f, ok := p.Duplicates.finding("are still there"); ok {
		p.Findings = append(p.Findings, f)
	}
	p.Findings = append(p.Findings, p.Length.findings()...)
	if p.OK {
		p.Findings = append(p.Findings, o.Scan...)
	}
	return p
}

func (p *Publication) refuse(o PublishOptions) {
	switch {
	case p.RLShaped && p.Signal.Tasks == 0:
		p.Refusal = stats.Of(finding(CodeUngradedRL, stats.Blocking, "not one row has a verdict of 0 or 1: grade them first", "rows", p.Calibration.Rows))
	case p.RLShaped && p.Signal.Mixed == 0:
		p.Refusal = stats.Of(finding(CodeNoMixed, stats.Blocking, "no task has both a pass and a failure: every group-relative advantage is zero", "tasks", p.Signal.Tasks))
	case p.RLShaped && o.RefuseHacks && o.Regime == regimeRewardHack:
		p.Refusal = stats.Of(finding(CodeRewardHack, stats.Blocking, "the hack scan says that the reward pays for something else"))
	}
	p.OK = !p.Refusal.Valid
}

// warn says what is thin about a set that may be published.
func (p *Publication) warn() {
	add := func(code stats.Code, n int, text string) {
		if n > 0 {
			p.Findings = append(p.Findings, finding(code, stats.Warning, fmt.Sprintf(text, n), "n", n))
		}
	}
	s := p.Signal
	add(CodeOutOfBand, s.Mixed-s.InBand, "%d mixed tasks are outside the band")
	add(CodeUnanimousTasks, s.AllZero+s.AllOne, "%d tasks have one verdict only and teach nothing")
	add(CodeUnlabelled, p.Calibration.Unstamped, "%d rows have no verdict of 0 or 1")
	add(CodeCarriedStamps, p.Calibration.Carried, "%d rows keep a difficulty that was measured elsewhere")
}
