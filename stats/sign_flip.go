package stats

import "math"

// SignFlipP is the two-sided p-value of the sign-flip permutation test that
// paired differences are centred on zero (Fisher 1935): under that hypothesis
// every difference may as well have the other sign. It counts the flips whose
// mean is as far from zero as the observed one, itself included, so that it is
// never 0. The level of the options is not used.
func SignFlipP(differences []float64, o BootstrapOptions) float64 {
	o = o.withDefaults()
	observed := math.Abs(Mean(differences)) - 1e-12
	means := make([]float64, o.Draws)
	if o.method(len(differences)) == Parity {
		parityFlips(NewMersenneTwister(o.Seed), differences, means)
	} else {
		absolute := make([]float64, len(differences))
		for i, d := range differences {
			absolute[i] = math.Abs(d)
		}
		r, rest := NewResampler(absolute), means
		for stream := 0; len(rest) > 0; stream++ {
			n := min(StreamDraws, len(rest))
			r.FlipMeans(o.Seed, stream, rest[:n])
			rest = rest[n:]
		}
	}
	extreme := 1
	for _, m := range means {
		if math.Abs(m) >= observed {
			extreme++
		}
	}
	return float64(extreme) / float64(o.Draws+1)
}

// parityFlips keeps a sign when random() < 0.5, value by value: that is when the
// top bit of the first of its two outputs is 0.
func parityFlips(rng *MersenneTwister, differences, means []float64) {
	for i := range means {
		sum := 0.0
		for _, d := range differences {
			flip := uint64(rng.Uint32()>>31) << 63
			rng.Uint32()
			sum += math.Float64frombits(math.Float64bits(d) ^ flip)
		}
		means[i] = sum / float64(len(differences))
	}
}
