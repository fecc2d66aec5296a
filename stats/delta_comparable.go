package stats

import (
	"fmt"
	"math"
	"strings"
)

// Limits of comparability (spec of statistics, section 2).
const (
	truncatedShareGap = 0.05
	gradedShareWarn   = 0.95
)

// notComparable records a reason why the two sides cannot be compared.
func (d *delta) notComparable(cause string, fails bool) {
	d.r.NotComparable = append(d.r.NotComparable, cause)
	if fails {
		d.r.OK = false
	}
}

func blockingIf(fails bool) Level {
	if fails {
		return Blocking
	}
	return Warning
}

// checkSituations asks whether the two sides ran the same tasks.
func (d *delta) checkSituations() {
	pass := d.r.Metrics[0]
	if !pass.PairedShare.Valid || pass.PairedShare.V >= 0.5 || d.r.UnpairedTasks == 0 {
		return
	}
	d.notComparable("situations", true)
	d.add(CodeSituations, Blocking, "", quantities("paired_share", pass.PairedShare, "unpaired", d.r.UnpairedTasks),
		fmt.Sprintf("only %s of the tasks are on both sides: run both on the same tasks", percent(pass.PairedShare.V, 0)))
}

// checkConfig asks whether both sides were run and graded alike.
func (d *delta) checkConfig() {
	a, b := d.before.Config, d.after.Config
	if differ(a.PromptHash, b.PromptHash) {
		d.notComparable("prompt_hash", false)
		d.add(CodeConfigDiffers, Warning, "prompt_hash", nil, "the system prompt differs between the sides: prompt and policy moved together")
	}
	for _, x := range []struct {
		name   string
		differ bool
	}{
		{"judge_version", differ(a.JudgeVersion, b.JudgeVersion)},
		{"temperature", differ(a.Temperature, b.Temperature)},
		{"max_tokens", differ(a.MaxTokens, b.MaxTokens)},
	} {
		if x.differ {
			d.add(CodeConfigDiffers, Warning, x.name, nil, x.name+" differs between the sides")
		}
	}
	cutA, cutB := rounded(a.TruncatedShare(), 4), rounded(b.TruncatedShare(), 4)
	if cutA.Valid && cutB.Valid && math.Abs(cutA.V-cutB.V) > truncatedShareGap {
		d.add(CodeTruncatedGap, Warning, "truncated_share", quantities("before", cutA, "after", cutB),
			fmt.Sprintf("the token cap cut %s of the replies before and %s after", percent(cutA.V, 1), percent(cutB.V, 1)))
	}
}

func differ[T comparable](a, b Null[T]) bool { return a.Valid && b.Valid && a.V != b.V }

// checkGraded asks how far the rows without a grade could have moved the delta.
func (d *delta) checkGraded() {
	a, b := rounded(d.before.Config.GradedShare(), 4), rounded(d.after.Config.GradedShare(), 4)
	if !a.Valid || !b.Valid {
		return
	}
	odds := func(graded float64) float64 {
		missing := 1 - graded
		if missing >= 1 {
			return 1
		}
		return missing / (1 - missing)
	}
	bound := odds(a.V) + odds(b.V)
	d.r.GradedBound = Of(bound)
	bar := d.headline.NoiseBand
	if !bar.Valid && d.headline.CI95.Valid {
		bar = Of(d.headline.CI95.V.HalfWidth())
	}
	numbers := quantities("before", a, "after", b, "bound", bound, "bar", bar)
	shares := fmt.Sprintf("%s of the rows were graded before and %s after", percent(a.V, 1), percent(b.V, 1))
	switch {
	case bar.Valid && bound > bar.V:
		covers := d.headline.Delta.Valid && bound >= math.Abs(d.headline.Delta.V)
		if covers {
			d.notComparable("graded_share", true)
			shares += fmt.Sprintf(": the others could be all of the %s", signed(d.headline.Delta, 3))
		}
		d.add(CodeGradedShare, blockingIf(covers), "graded_share", numbers, shares)
	case min(a.V, b.V) < gradedShareWarn:
		d.add(CodeGradedShare, Warning, "graded_share", numbers, shares)
	}
}

// checkPolicy asks whether there are two policies at all.
func (d *delta) checkPolicy() {
	a, b := d.before.Config.PolicyVersion, d.after.Config.PolicyVersion
	if a.Valid && b.Valid && a.V == b.V {
		d.add(CodeSamePolicy, Warning, "policy_version", nil, "both sides come from the same policy: "+a.V)
	}
}

// checkAnswered asks whether one side falls silent more often.
func (d *delta) checkAnswered() {
	a, b := d.before.Config.Counts, d.after.Config.Counts
	p := TwoProportionP(a.Answered, a.Replies, b.Answered, b.Replies)
	if !p.Valid || p.V >= d.o.AnsweredAlpha {
		return
	}
	before, after := ratio(a.Answered, a.Replies), ratio(b.Answered, b.Replies)
	gap := math.Abs(after.V - before.V)
	fails := gap > d.headline.NoiseBand.Or(d.o.AnsweredGap)
	if fails {
		d.notComparable("answered", true)
	}
	d.add(CodeAnswered, blockingIf(fails), "answered", quantities("before", before, "after", after, "p", p),
		fmt.Sprintf("%s of the replies say something before and %s after", percent(before.V, 1), percent(after.V, 1)))
}

// checkPeers asks whether the same model played the user and wrote the tasks.
func (d *delta) checkPeers() {
	a, b := d.before.Config, d.after.Config
	if differ(a.UserModel, b.UserModel) {
		d.notComparable("user_model", true)
		d.add(CodeUserDiffers, Blocking, "user_model", nil, fmt.Sprintf("the user was played by %s before and %s after", a.UserModel.V, b.UserModel.V))
	}
	if differ(writer(a.WriterModel), writer(b.WriterModel)) {
		d.notComparable("writer_model", true)
		d.add(CodeWriterDiffers, Blocking, "writer_model", nil, fmt.Sprintf("the tasks were written by %s before and %s after", a.WriterModel.V, b.WriterModel.V))
	}
	nameA, nameB := servedName(a.PolicyVersion), servedName(b.PolicyVersion)
	if nameA == "" || nameA != nameB || !differ(a.PolicyVersion, b.PolicyVersion) {
		return
	}
	for _, x := range []struct {
		name  string
		model Null[string]
	}{{"user_model", a.UserModel}, {"writer_model", a.WriterModel}} {
		if x.model.Valid && x.model.V == nameA {
			d.add(CodePeerIsAgent, Warning, x.name, nil,
				fmt.Sprintf("%s is %s, the name under which the agent itself was served, and that changed between the sides", x.name, nameA))
		}
	}
}

// writer makes one of the writers that are not a model.
func writer(w Null[string]) Null[string] {
	switch w.V {
	case "seed", "template", "pinned", "callable-writer":
		w.V = "template"
	}
	return w
}

// servedName is the name before the stamp of a policy version.
func servedName(policy Null[string]) string {
	name, _, _ := strings.Cut(policy.V, "@")
	return name
}
