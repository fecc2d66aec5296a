package stats

import (
	"math"
	"slices"
)

// Defaults of groupwise grading (MiMo-V2.6 report, section 4.3).
const (
	DefaultGroupwiseCap = 3.0
	DefaultMinFactor    = 0.5
	PassThreshold       = 0.5 // a reward from which on a rollout passes
)

// GroupwiseOptions are the arguments of [Redistribute]; zero values are the
// defaults.
type GroupwiseOptions struct {
	Cap           float64 // at least 1; default 3: how far the factors may be scaled up
	PassThreshold float64 // default 0.5
}

// Redistribute gives the advantages of a group of rollouts in which the passing
// ones are not equally good (MiMo-V2.6 report, section 4.3): A = R - mean; the
// advantage of each pass is scaled by its factor, all factors by one number
// that keeps the mass of the passes (up to the cap), and the new mean
// subtracted. A group without passes, or of passes alone, keeps A. Every pass
// needs a factor in (0, 1].
func Redistribute(rewards []float64, factors map[int]float64, o GroupwiseOptions) ([]float64, error) {
	if o.Cap == 0 {
		o.Cap = DefaultGroupwiseCap
	}
	if o.PassThreshold == 0 {
		o.PassThreshold = PassThreshold
	}
	if o.Cap < 1 {
		return nil, &ArgumentError{Name: "Cap", Got: o.Cap, Want: "1 or more"}
	}
	out := make([]float64, len(rewards))
	if len(rewards) == 0 {
		return out, nil
	}
	mean := Mean(rewards)
	var passes []int
	for i, reward := range rewards {
		out[i] = reward - mean
		if reward >= o.PassThreshold {
			passes = append(passes, i)
		}
	}
	if len(passes) == 0 || len(passes) == len(rewards) {
		return out, nil
	}
	mass, weighted := 0.0, 0.0
	for _, i := range passes {
		f, ok := factors[i]
		if !ok || !(f > 0 && f <= 1) {
			return nil, &ArgumentError{Name: "factors", Got: f, Want: "a factor in (0, 1] for each pass"}
		}
		mass += out[i]
		weighted += float64(f * out[i])
	}
	if weighted <= 0 {
		return out, nil
	}
	scale := min(mass/weighted, o.Cap)
	for _, i := range passes {
		out[i] *= float64(scale * factors[i])
	}
	mean = Mean(out)
	for i := range out {
		out[i] -= mean
	}
	return out, nil
}

// FactorsFromRanking turns a ranking, best first, into factors between 1 and
// minFactor: 1 - (1-min) * rank/(n-1). Those in one inner list are tied and take
// the mean of their ranks; a single one gets 1. minFactor 0 is the default of
// 0.5.
func FactorsFromRanking(bestFirst [][]int, minFactor float64) map[int]float64 {
	if minFactor == 0 {
		minFactor = DefaultMinFactor
	}
	n := 0
	for _, tied := range bestFirst {
		n += len(tied)
	}
	factors := make(map[int]float64, n)
	rank := 0
	for _, tied := range bestFirst {
		middle := float64(rank) + float64(len(tied)-1)/2
		for _, i := range tied {
			factors[i] = 1
			if n > 1 {
				factors[i] = 1 - (1-minFactor)*middle/float64(n-1)
			}
		}
		rank += len(tied)
	}
	return factors
}

// Limits of a grader's spread.
const (
	spreadMinSD   = 0.05
	spreadBand    = 0.05
	spreadCluster = 0.9
)

// SpreadReport says whether a grader tells rollouts apart.
type SpreadReport struct {
	OK         bool          `json:"ok"`
	N          int           `json:"n"`
	SD         float64       `json:"std"` // population
	Median     Null[float64] `json:"median"`
	WithinBand float64       `json:"within_band"` // share within 0.05 of the median
}

// Spread measures a grader's scores: it tells rollouts apart when they deviate
// by 0.05 and no more than nine in ten lie within 0.05 of the median.
func Spread(scores []float64) SpreadReport {
	r := SpreadReport{N: len(scores), WithinBand: 1}
	if r.N == 0 {
		return r
	}
	r.SD = math.Sqrt(populationVariance(scores))
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	median := sorted[r.N/2]
	if r.N%2 == 0 {
		median = (sorted[r.N/2-1] + median) / 2
	}
	r.Median = Of(median)
	within := 0
	for _, s := range scores {
		if math.Abs(s-median) <= spreadBand {
			within++
		}
	}
	r.WithinBand = float64(within) / float64(r.N)
	r.OK = r.N >= 2 && r.SD >= spreadMinSD && r.WithinBand <= spreadCluster
	return r
}
