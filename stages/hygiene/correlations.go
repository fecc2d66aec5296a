package hygiene

import (
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout/conduct"
	"github.com/rollmill/rollmill/stats"
)

// Correlations say what the label goes with over all rows (Pearson). Only rows
// whose label is pass or fail count.
type Correlations struct {
	Graded       int              `json:"n_graded"`
	Threshold    float64          `json:"threshold"`
	Correlations stats.Quantities `json:"correlations"` // to 3 digits; absent where a side never varies
	Flagged      stats.Quantities `json:"flagged"`
}

// Features, by number: three counts, the styles, the flags of conduct.
const (
	firstStyle   = 3
	firstFlag    = firstStyle + len(styleFeatures)
	conductFlags = len(conduct.Flags)
	features     = firstFlag + conductFlags
)

// featureName is the name without a prefix.
func featureName(i int) string {
	switch {
	case i < firstStyle:
		return [...]string{"reply_length", "tool_calls", "assistant_turns"}[i]
	case i < firstFlag:
		return styleFeatures[i-firstStyle].String()
	}
	return conduct.Flags[i-firstFlag].String()
}

func (a *Accumulator) correlations() Correlations {
	c := Correlations{Graded: a.labelled, Threshold: a.o.Threshold, Correlations: stats.Quantities{}, Flagged: stats.Quantities{}}
	for i := range a.sums {
		if i >= firstFlag && !a.fired[i-firstFlag] {
			continue
		}
		rho := a.sums[i].pearson()
		shown := rho
		if rho.Valid {
			shown.V = stats.Round(rho.V, 3)
		}
		c.Correlations = append(c.Correlations, stats.Quantity{Name: featureName(i), Value: shown})
		if rho.Valid && math.Abs(rho.V) >= a.o.Threshold {
			c.Flagged = append(c.Flagged, stats.Quantity{Name: featureName(i), Value: shown})
		}
	}
	return c
}

// sums are those of a feature of whole numbers and a label. They are exact, so
// that they do not depend on the order of rows.
type sums struct {
	n, passes    uint64
	x, xPass     uint64
	high, square uint64 // sum of squares, of 128 bits
}

func (s *sums) add(x uint64, pass bool) {
	s.n++
	s.x += x
	if pass {
		s.passes++
		s.xPass += x
	}
	high, low := bits.Mul64(x, x)
	s.addSquares(high, low)
}

func (s *sums) addSquares(high, low uint64) {
	var carry uint64
	s.square, carry = bits.Add64(s.square, low, 0)
	s.high, _ = bits.Add64(s.high, high, carry)
}

func (s *sums) merge(o *sums) {
	s.n += o.n
	s.passes += o.passes
	s.x += o.x
	s.xPass += o.xPass
	s.addSquares(o.high, o.square)
}

// pearson is the correlation, absent under three rows and where a side does not
// vary.
func (s *sums) pearson() stats.Null[float64] {
	if s.n < 3 {
		return stats.Null[float64]{}
	}
	whole := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	n, x, y := whole(s.n), whole(s.x), whole(s.passes)
	squares := new(big.Int).Lsh(whole(s.high), 64)
	squares.Add(squares, whole(s.square))
	times := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	sxx := times(n, squares)
	sxx.Sub(sxx, times(x, x))
	syy := times(n, y)
	syy.Sub(syy, times(y, y))
	sxy := times(n, whole(s.xPass))
	sxy.Sub(sxy, times(x, y))
	if sxx.Sign() == 0 || syy.Sign() == 0 {
		return stats.Null[float64]{}
	}
	float := func(a *big.Int) float64 {
		f, _ := new(big.Float).SetInt(a).Float64()
		return f
	}
	return stats.Of(float(sxy) / (math.Sqrt(float(sxx)) * math.Sqrt(float(syy))))
}

// words is a name as it stands in a sentence.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
