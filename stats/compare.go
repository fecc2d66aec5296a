package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// MinPairedTasks is the fewest shared tasks that are compared in pairs: with
// fewer, no arrangement of signs is rare enough.
const MinPairedTasks = 5

// Verdict is what a comparison says of two sides.
type Verdict string

const (
	BBetter          Verdict = "b_better"               // the interval lies above 0
	ABetter          Verdict = "a_better"               // the interval lies below 0
	NoDifference     Verdict = "no_difference_detected" // it contains 0
	InsufficientData Verdict = "insufficient_data"      // there is none
)

// Codes that say how two sides were matched.
const (
	CodeUnpaired        Code = "unpaired"         // too few shared tasks
	CodeDropped         Code = "dropped"          // some tasks are on one side only
	CodeDroppedMajority Code = "dropped_majority" // more than half of them are
)

// CompareOptions say how two sides are compared. The zero value is the default
// of the reference.
type CompareOptions struct {
	Draws     int     // resamples and permutations; default 2000
	Seed      int64   // default 0
	MinPaired int     // shared tasks needed to pair; default 5
	Level     float64 // strictly between 0 and 1; default 0.95
	Method    Method  // default Auto
}

func (o CompareOptions) bootstrap() BootstrapOptions {
	return BootstrapOptions{Draws: o.Draws, Seed: o.Seed, Level: o.Level, Method: o.Method}.withDefaults()
}

// Comparison is the difference of one metric between two sides, A and B: paired
// over the tasks they share, with a bootstrap interval and a sign-flip
// permutation p-value (Miller 2024, arXiv:2411.00640, section 4; Efron and
// Tibshirani 1993). The interval decides, never the p-value.
type Comparison struct {
	Metric      string         `json:"metric"`
	Paired      bool           `json:"paired"`
	NPaired     int            `json:"n_paired"` // shared tasks
	NOnlyA      int            `json:"n_only_a"`
	NOnlyB      int            `json:"n_only_b"`
	PairedShare Null[float64]  `json:"paired_share"` // of all tasks of either side
	NUsed       int            `json:"n_used"`       // pairs, or tasks of the smaller side
	MeanA       Null[float64]  `json:"mean_a"`       // over all tasks of the side
	MeanB       Null[float64]  `json:"mean_b"`
	Delta       Null[float64]  `json:"delta"` // B - A; over the pairs when paired
	CI95        Null[Interval] `json:"ci95"`  // at Level
	Level       float64        `json:"level"`
	PValue      Null[float64]  `json:"p_value"` // absent when not paired
	Verdict     Verdict        `json:"verdict"`
	NoteCode    Code           `json:"note_code"`
	Note        string         `json:"note"`
	Resampling  Resampling     `json:"resampling"`
}

// Compare compares a metric of two sides.
func Compare(a, b Metric, o CompareOptions) Comparison {
	if o.MinPaired <= 0 {
		o.MinPaired = MinPairedTasks
	}
	boot := o.bootstrap()
	p := pair(a.Tasks, b.Tasks)
	c := Comparison{
		Metric: a.Name, NPaired: len(p.differences), NOnlyA: p.onlyA, NOnlyB: p.onlyB,
		PairedShare: share(len(p.differences), len(p.differences)+p.onlyA+p.onlyB),
		MeanA:       finite(a.Mean()), MeanB: finite(b.Mean()), Level: boot.Level,
	}
	if c.Metric == "" {
		c.Metric = b.Name
	}
	if c.NPaired >= o.MinPaired {
		c.Paired, c.NUsed = true, c.NPaired
		c.Delta = Of(Mean(p.differences))
		c.CI95 = BootstrapMean(p.differences, boot)
		c.PValue = Of(SignFlipP(p.differences, boot))
		c.Resampling = boot.resampling(c.NPaired)
	} else {
		c.NUsed = min(len(a.Tasks), len(b.Tasks))
		c.Delta = finite(b.Mean() - a.Mean())
		c.CI95 = bootstrapDifference(a.Means(), b.Means(), boot)
		c.Resampling = boot.resampling(max(len(a.Tasks), len(b.Tasks)))
	}
	c.Verdict = verdictOf(c.Delta, c.CI95)
	c.NoteCode, c.Note = matching(c)
	return c
}

// verdictOf reads the interval. An end of 1e-17 that ought to be 0 decides as
// it stands, as in the reference. A value that is not a number makes the
// difference one as well, and that is no data.
func verdictOf(delta Null[float64], ci Null[Interval]) Verdict {
	switch {
	case !delta.Valid || !ci.Valid || math.IsNaN(delta.V):
		return InsufficientData
	case ci.V.Low > 0:
		return BBetter
	case ci.V.High < 0:
		return ABetter
	}
	return NoDifference
}

func matching(c Comparison) (Code, string) {
	switch {
	case !c.Paired:
		return CodeUnpaired, fmt.Sprintf("unpaired: %d shared tasks are too few to pair, so task difficulty is not cancelled", c.NPaired)
	case c.NOnlyA+c.NOnlyB == 0:
		return "", ""
	}
	text := fmt.Sprintf("%d tasks only in A and %d only in B are not compared", c.NOnlyA, c.NOnlyB)
	if c.PairedShare.V < 0.5 {
		return CodeDroppedMajority, "most tasks are unpaired: " + text
	}
	return CodeDropped, text
}

// pairing matches the tasks of two sides.
type pairing struct {
	differences  []float64 // B - A over shared tasks, sorted by key
	before       []float64 // their means on side A
	onlyA, onlyB int
}

func pair(a, b []TaskMean) pairing {
	sideB := make(map[string]int, len(b))
	for i, t := range b {
		sideB[t.Key] = i
	}
	type shared struct{ a, b int }
	both := make([]shared, 0, min(len(a), len(b)))
	for i, t := range a {
		if j, ok := sideB[t.Key]; ok {
			both = append(both, shared{i, j})
		}
	}
	slices.SortFunc(both, func(x, y shared) int { return cmp.Compare(a[x.a].Key, a[y.a].Key) })
	p := pairing{onlyA: len(a) - len(both), onlyB: len(b) - len(both)}
	for _, s := range both {
		p.differences = append(p.differences, b[s.b].Mean-a[s.a].Mean)
		p.before = append(p.before, a[s.a].Mean)
	}
	return p
}

// bootstrapDifference is the percentile interval of mean(b) - mean(a), each
// side resampled on its own; absent when a side has fewer than [MinCITasks].
func bootstrapDifference(a, b []float64, o BootstrapOptions) Null[Interval] {
	if len(a) < MinCITasks || len(b) < MinCITasks {
		return Null[Interval]{}
	}
	differences := make([]float64, o.Draws)
	if o.method(max(len(a), len(b))) == Parity {
		rng := NewMersenneTwister(o.Seed)
		for i := range differences {
			meanA := resampleMean(rng, a)
			differences[i] = resampleMean(rng, b) - meanA
		}
	} else {
		meansA := make([]float64, o.Draws)
		NewResampler(a).AllMeans(int64(splitmix(uint64(o.Seed))), meansA) // a stream apart from B's
		NewResampler(b).AllMeans(o.Seed, differences)
		for i := range differences {
			differences[i] -= meansA[i]
		}
	}
	return Of(PercentileInterval(differences, o.Level))
}

func resampleMean(rng *MersenneTwister, values []float64) float64 {
	n := uint32(len(values))
	shift := uint(32 - bits.Len32(n))
	sum := 0.0
	for range values {
		sum += values[rng.below(n, shift)]
	}
	return sum / float64(n)
}

// String prints the comparison in one line.
func (c Comparison) String() string {
	s := comparisonLine(c, tagOf(c.Verdict, false, false))
	if c.Note != "" {
		s += "  " + c.Note
	}
	return s
}

// comparisonLine is the line of a metric in a report: its means, difference,
// interval, tag and pairs.
func comparisonLine(c Comparison, tag string) string {
	s := fmt.Sprintf("%-28s %s -> %s  %s [%s]  %s", c.Metric,
		fixed(c.MeanA, 3), fixed(c.MeanB, 3), signed(c.Delta, 3), band(c.CI95, 3, signed), tag)
	if c.Paired {
		return s + fmt.Sprintf("  (%d paired)", c.NPaired)
	}
	return s + "  (unpaired)"
}

// tagOf is the word for a verdict: in capitals when it is for the worse, and
// noise when a move lies inside the band.
func tagOf(v Verdict, lowerIsBetter, inBand bool) string {
	switch {
	case v == InsufficientData:
		return "n/a"
	case v == NoDifference:
		return "flat"
	case inBand:
		return "noise"
	case v == BBetter && lowerIsBetter:
		return "UP"
	case v == BBetter:
		return "up"
	case lowerIsBetter:
		return "down"
	}
	return "DOWN"
}
