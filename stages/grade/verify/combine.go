package verify

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stats"
)

// All gives the least reward of its parts, with the reason of the first part
// that does not pass. Where a part has no verdict there is none (spec of rows,
// section 3.1). It wants at least one part.
func All(parts ...grade.Grader) grade.Grader { return combined("all", parts, lowest) }

// Any gives the highest reward of the parts that have a verdict; where none has,
// there is none. The parts behind one that passes are not asked.
func Any(parts ...grade.Grader) grade.Grader { return combined("any", parts, highest) }

// First gives the verdict of the first part that has one.
func First(parts ...grade.Grader) grade.Grader { return combined("first", parts, first) }

// Not turns the verdict of a grader around: 1 becomes 0, and 0.25 becomes 0.75.
// No verdict stays none.
func Not(part grade.Grader) grade.Grader { return combined("not", []grade.Grader{part}, not) }

// Part is a part of [Weighted].
type Part struct {
	Weight float64 // above 0
	Grader grade.Grader
}

// Weighted gives the weighted mean of the rewards of its parts, to four decimals.
// Where a part has no verdict there is none. It wants at least one part.
func Weighted(parts ...Part) grade.Grader {
	graders := make([]grade.Grader, len(parts))
	weights := make([]float64, len(parts))
	sum := 0.0
	for i, p := range parts {
		if !(p.Weight > 0) || math.IsInf(p.Weight, 0) {
			panic(fmt.Sprintf("verify: Weighted with the weight %v: want a number above 0", p.Weight))
		}
		graders[i], weights[i] = p.Grader, p.Weight
		sum += p.Weight
	}
	return combine("weighted", graders, weights, func(ctx context.Context, parts []grade.Grader, row *rollout.Row) (grade.Result, error) {
		reward, usage, reason := 0.0, grade.Usage{}, ""
		for i, p := range parts {
			r, err := p.Grade(ctx, row)
			usage = usage.Plus(r.Usage)
			r.Usage = usage
			if err != nil || !r.OK() {
				return r, err
			}
			if r.Reward < 1 && reason == "" {
				reason = r.Reason
			}
			reward += weights[i] * r.Reward
		}
		return grade.Result{Reward: stats.Round(reward/sum, 4), Status: rollout.StatusOK, Reason: reason, Usage: usage}, nil
	})
}

// rule says what comes of the verdicts of parts.
type rule func(ctx context.Context, parts []grade.Grader, row *rollout.Row) (grade.Result, error)

func combined(word string, parts []grade.Grader, r rule) grade.Grader {
	return combine(word, parts, nil, r)
}

// combine makes one grader of several. Its name and version are made of theirs.
func combine(word string, parts []grade.Grader, weights []float64, r rule) grade.Grader {
	if len(parts) == 0 {
		panic("verify: " + word + " of nothing")
	}
	info := grade.Info{Kind: grade.Rule, Pure: true}
	names, versions := make([]string, len(parts)), make([]string, len(parts))
	for i, p := range parts {
		part := p.Info()
		names[i], versions[i] = part.Name, part.Version
		if weights != nil {
			names[i] = fmt.Sprintf("%g*%s", weights[i], part.Name)
		}
		info.Needs |= part.Needs
		info.Pure = info.Pure && part.Pure
		info.Waits = info.Waits || part.Waits
		if part.Kind != grade.Rule {
			info.Kind = grade.Judge
		}
	}
	info.Name = word + "(" + strings.Join(names, ",") + ")"
	info.Version = strings.Join(versions, ",")
	return grade.Func(info, func(ctx context.Context, row *rollout.Row) (grade.Result, error) { return r(ctx, parts, row) })
}

func lowest(ctx context.Context, parts []grade.Grader, row *rollout.Row) (least grade.Result, err error) {
	usage := grade.Usage{}
	for i, p := range parts {
		r, err := p.Grade(ctx, row)
		usage = usage.Plus(r.Usage)
		if err != nil || !r.OK() {
			r.Usage = usage
			return r, err
		}
		if i == 0 || r.Reward < least.Reward {
			reason := least.Reason
			failed := i > 0 && least.Reward < 1
			if least = r; failed {
				least.Reason = reason // that of the first that does not pass
			}
		}
	}
	least.Usage = usage
	return least, nil
}

func highest(ctx context.Context, parts []grade.Grader, row *rollout.Row) (best grade.Result, err error) {
	usage := grade.Usage{}
	for i, p := range parts {
		r, failed := p.Grade(ctx, row)
		if ctx.Err() != nil {
			return r, failed
		}
		usage = usage.Plus(r.Usage)
		if i == 0 || failed == nil && r.OK() && (err != nil || !best.OK() || r.Reward > best.Reward) {
			best, err = r, failed
		}
		if err == nil && best.OK() && best.Reward == 1 {
			break
		}
	}
	best.Usage = usage
	return best, err
}

func first(ctx context.Context, parts []grade.Grader, row *rollout.Row) (r grade.Result, err error) {
	usage := grade.Usage{}
	for _, p := range parts {
		r, err = p.Grade(ctx, row)
		usage = usage.Plus(r.Usage)
		if r.Usage = usage; err == nil && r.OK() || ctx.Err() != nil {
			break
		}
	}
	return r, err
}

func not(ctx context.Context, parts []grade.Grader, row *rollout.Row) (grade.Result, error) {
	r, err := parts[0].Grade(ctx, row)
	if err == nil && r.OK() {
		r.Reward = 1 - r.Reward
		r.Class = ""
	}
	return r, err
}
