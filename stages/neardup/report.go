package neardup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/stats"
)

// Jaccard is the threshold of the reference implementation.
const Jaccard = 0.8

// Method is how pairs are found.
type Method string

const (
	// Exact finds all of them. Of prompts of 40 words from 20,000 by Zipf's law
	// 10,000 took 0.07 s a core, 100,000 1.1 s, 1,000,000 12 s.
	Exact Method = "exact"
	// MinHash finds nearly all of them: 75,075 of the 75,079 pairs of those
	// 1,000,000 prompts, in 22 s. It pays where the index does not thin out: many
	// millions of prompts made of a few hundred words.
	MinHash Method = "minhash"
)

var (
	// ErrThreshold is for a threshold outside (0, 1]: at 0 all prompts pair with all.
	ErrThreshold = errors.New("threshold outside (0, 1]")
	// ErrRecall is for a recall outside (0, 1).
	ErrRecall = errors.New("recall outside (0, 1)")
	// ErrMethod is for a method that is not known.
	ErrMethod = errors.New("no such method")
)

// Options say which pairs are sought and how. The zero value asks for what the
// reference implementation reports.
type Options struct {
	Threshold float64 // least Jaccard index of a pair, above 0, at most 1; default 0.8
	Method    Method  // default Exact
	Examples  int     // pairs to show, the first ones; default 5, below 0 none
	Workers   int     // cores; default 1; no result depends on it

	Recall float64 // of MinHash: least probability that a pair at the threshold is found; default 0.999
	Seed   uint64  // of MinHash

	Progress func(Progress) // hears how far the work has come, from one goroutine at a time; default nobody
}

func (o *Options) settle() error {
	if o.Threshold == 0 {
		o.Threshold = Jaccard
	}
	if !(o.Threshold > 0 && o.Threshold <= 1) {
		return fmt.Errorf("neardup: %w: %v", ErrThreshold, o.Threshold)
	}
	if o.Recall == 0 {
		o.Recall = 0.999
	}
	if !(o.Recall > 0 && o.Recall < 1) {
		return fmt.Errorf("neardup: %w: %v", ErrRecall, o.Recall)
	}
	switch o.Method {
	case "":
		o.Method = Exact
	case Exact, MinHash:
	default:
		return fmt.Errorf("neardup: %w: %.80q; want %s or %s", ErrMethod, o.Method, Exact, MinHash)
	}
	switch {
	case o.Examples == 0:
		o.Examples = 5
	case o.Examples < 0:
		o.Examples = 0
	}
	o.Workers = max(o.Workers, 1)
	return nil
}

// Report tells how many prompts nearly repeat others.
type Report struct {
	Prompts   int     // distinct prompts
	Pairs     int64   // pairs at or above the threshold
	Involved  int     // prompts that are in a pair
	Threshold float64 // the threshold
	Method    Method
	Recall    float64 // probability that a pair right at the threshold was found; 1 when exact
	Examples  []Pair  // the first pairs, by where their prompts were first seen
}

// Pair is two prompts that say nearly the same.
type Pair struct {
	A, B    string  // the first 80 characters of each
	Jaccard float64 // words they share / words of both
}

// MarshalJSON writes the members of the reference implementation, and after
// them, for MinHash, how the pairs were found.
func (r Report) MarshalJSON() ([]byte, error) {
	out := struct {
		Prompts   int     `json:"n_prompts"`
		Pairs     int64   `json:"n_pairs"`
		Involved  int     `json:"n_prompts_involved"`
		Threshold float64 `json:"threshold"`
		Examples  []Pair  `json:"examples"`
		Method    Method  `json:"method,omitempty"`
		Recall    float64 `json:"recall_at_threshold,omitempty"`
	}{Prompts: r.Prompts, Pairs: r.Pairs, Involved: r.Involved, Threshold: r.Threshold, Examples: r.Examples}
	if out.Examples == nil {
		out.Examples = []Pair{}
	}
	if r.Method == MinHash {
		out.Method, out.Recall = r.Method, r.Recall
	}
	return json.Marshal(out)
}

// MarshalJSON writes a pair with 3 decimals.
func (p Pair) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		A       string  `json:"a"`
		B       string  `json:"b"`
		Jaccard float64 `json:"jaccard"`
	}{p.A, p.B, stats.Round(p.Jaccard, 3)})
}

// Report finds the pairs among the prompts gathered so far. Prompts without a
// word are counted, and pair with none. The errors are [ErrThreshold],
// [ErrRecall], [ErrMethod], and that of a context that has ended.
func (a *Accumulator) Report(ctx context.Context, o Options) (Report, error) {
	if err := o.settle(); err != nil {
		return Report{}, err
	}
	prompts := a.inOrder()
	s := gather(prompts, len(a.words.words))
	t := threshold(o.Threshold)
	r := Report{Prompts: len(prompts), Threshold: o.Threshold, Method: o.Method, Recall: 1}
	var found *pairs
	var err error
	if o.Method == Exact {
		found, err = exact(ctx, s, t, o)
	} else {
		b := bandsFor(t, o.Recall)
		r.Recall = b.recall(o.Threshold)
		found, err = minhash(ctx, s, a.words.words, t, b, o)
	}
	if err != nil {
		return Report{}, fmt.Errorf("neardup: %w", err)
	}
	r.Pairs, r.Involved = found.n, found.prompts()
	for _, p := range found.first {
		r.Examples = append(r.Examples, Pair{prompts[p.i].head, prompts[p.j].head, p.jaccard})
	}
	return r, nil
}
