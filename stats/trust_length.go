package stats

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
)

const lengthMinRows = 6 // rows a gold label for the length check

// LengthSensitivity says whether a judge passes long replies more often than
// short ones of the same gold label.
type LengthSensitivity struct {
	Gold1   LengthGap     `json:"gold_1"`
	Gold0   LengthGap     `json:"gold_0"`
	MaxGap  Null[float64] `json:"max_gap"` // the largest without its sign
	Flagged bool          `json:"flagged"`
}

// LengthGap compares the rows of one gold label below and from their median
// length on (the upper one of two).
type LengthGap struct {
	N         int           `json:"n"`
	Note      string        `json:"note,omitempty"` // why there is no gap
	Median    Null[int]     `json:"median_chars"`
	PassShort Null[float64] `json:"judge_pass_short"`
	PassLong  Null[float64] `json:"judge_pass_long"`
	Gap       Null[float64] `json:"gap_long_minus_short"`
	P         Null[float64] `json:"p_value"` // pooled z test
}

// lengthSensitivity checks each gold label; half of alpha is spent on each.
func lengthSensitivity(rows []TrustRow, gapFlag float64) LengthSensitivity {
	s := LengthSensitivity{Gold1: lengthGap(rows, Pass), Gold0: lengthGap(rows, Fail)}
	for _, g := range []LengthGap{s.Gold1, s.Gold0} {
		if !g.Gap.Valid {
			continue
		}
		gap := math.Abs(g.Gap.V)
		s.MaxGap = Of(max(s.MaxGap.V, gap))
		s.Flagged = s.Flagged || gap >= gapFlag && g.P.V < DefaultAlpha/2
	}
	return s
}

func lengthGap(rows []TrustRow, gold Label) LengthGap {
	var of []TrustRow
	for _, r := range rows {
		if r.Gold == gold {
			of = append(of, r)
		}
	}
	g := LengthGap{N: len(of)}
	if g.N < lengthMinRows {
		g.Note = "too few rows"
		return g
	}
	slices.SortStableFunc(of, func(a, b TrustRow) int { return cmp.Compare(a.Length, b.Length) })
	median := of[len(of)/2].Length
	var passes, n [2]int // short, long
	for _, r := range of {
		long := 0
		if r.Length >= median {
			long = 1
		}
		n[long]++
		passes[long] += int(r.Judge)
	}
	if n[0] == 0 {
		g.Note = "no spread of lengths"
		return g
	}
	g.Median = Of(median)
	g.PassShort, g.PassLong = share(passes[0], n[0]), share(passes[1], n[1])
	g.Gap = Of(g.PassLong.V - g.PassShort.V)
	g.P = TwoProportionP(passes[0], n[0], passes[1], n[1])
	if !g.P.Valid {
		g.P = Of(1.0) // both shares are 0, or both 1
	}
	return g
}

// Halves is the agreement on two halves of the tasks, so that a rubric tuned
// on one can be held against the other.
type Halves struct {
	A Half `json:"half_a"`
	B Half `json:"half_b"`
}

// Half is the agreement on one of them.
type Half struct {
	N         int           `json:"n"`
	Agreement Null[float64] `json:"agreement"` // rounded to 4 digits
	Kappa     Null[float64] `json:"kappa"`     // rounded to 4 digits
	exact     float64
}

// TaskHalf puts a task in half 0 or 1 by the parity of the first 32 bits of its
// key's SHA-256.
func TaskHalf(task string) int {
	sum := sha256.Sum256([]byte(task))
	return int(binary.BigEndian.Uint32(sum[:4]) & 1)
}

func heldOutHalves(labeled []TrustRow) Halves {
	var c [2]Confusion
	for _, r := range labeled {
		c[TaskHalf(r.Task)].Add(r.Judge, r.Gold)
	}
	half := func(c Confusion) Half {
		return Half{N: c.N(), Agreement: rounded(c.Agreement(), 4), Kappa: rounded(c.Kappa(), 4), exact: c.Agreement().V}
	}
	return Halves{half(c[0]), half(c[1])}
}

// skippedRewards counts gold rows that could not be compared, by why.
func skippedRewards(rows []TrustRow, used int, maxShare float64) SkippedRewards {
	s := SkippedRewards{Used: used, Examples: []float64{}}
	for _, r := range rows {
		switch {
		case r.Gold == NoLabel:
			continue
		case r.Judge != NoLabel:
		case r.Reward.Valid:
			s.Fractional++
			s.Examples = append(s.Examples, r.Reward.V)
		default:
			s.Unscored++
		}
		s.Gold++
	}
	exact := share(s.Fractional, s.Gold)
	s.Share = rounded(exact, 4)
	s.OverFloor = s.Fractional > 0 && exact.V > maxShare
	slices.Sort(s.Examples)
	s.Examples = slices.Compact(s.Examples)
	s.Examples = s.Examples[:min(5, len(s.Examples))]
	return s
}
