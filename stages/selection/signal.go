package selection

import (
	"math"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Signal says how much a group-relative update can learn from rows: a task
// teaches when its verdicts differ (spec of gates, section 5.2). Rows without a
// verdict are in no number.
type Signal struct {
	Tasks     int                 `json:"n_groups"`
	Single    int                 `json:"n_single"` // tasks of one verdict
	Mixed     int                 `json:"n_mixed"`
	AllZero   int                 `json:"n_all_zero"` // of two verdicts or more
	AllOne    int                 `json:"n_all_one"`
	InBand    int                 `json:"n_in_band"`  // mixed, and within the band
	MixedRate stats.Null[float64] `json:"mixed_rate"` // of the tasks of two verdicts or more
	K         int                 `json:"k"`          // verdicts of the smallest task of two or more, else 1
	PassAt1   stats.Null[float64] `json:"pass_at_1"`
	PassPowK  stats.Null[float64] `json:"pass_pow_k"`
	PassAtK   stats.Null[float64] `json:"pass_at_k"`
	Headroom  stats.Null[float64] `json:"headroom"`
}

// signalOf sums up tasks in their order. Tasks without verdicts are left out.
func signalOf(tasks []score, b Band) Signal {
	list := make([]stats.Task, 0, len(tasks))
	var s Signal
	for _, t := range tasks {
		if t.n == 0 {
			continue
		}
		list = append(list, stats.Task{N: int(t.n), Passes: int(t.passes)})
		switch {
		case t.n == 1:
			s.Single++
		case t.passes == 0:
			s.AllZero++
		case t.passes == t.n:
			s.AllOne++
		default:
			s.Mixed++
			if b.place(t.rate(), int(t.n)) == within {
				s.InBand++
			}
		}
	}
	s.Tasks = len(list)
	if multi := s.Tasks - s.Single; multi > 0 {
		s.MixedRate = stats.Of(float64(s.Mixed) / float64(multi))
	}
	// The intervals would cost most of a selection, and nobody is shown them.
	p, err := stats.PassAt(stats.PassInput{Tasks: list}, stats.PassOptions{Bootstrap: stats.BootstrapOptions{Draws: 1}})
	if err != nil {
		panic("selection: " + err.Error()) // of a k, and none was asked for
	}
	s.K, s.PassAt1, s.PassPowK, s.PassAtK, s.Headroom = p.K, p.PassAt1, p.PassPowK, p.PassAtK, p.Headroom
	return s
}

// SignalOf says how much a group-relative update can learn from rows.
func SignalOf(rows []rollout.Row, b Band) Signal { return RatesOf(rows).Signal(b) }

// Signal says how much a group-relative update can learn from the rows that were
// counted.
func (t *TaskRates) Signal(b Band) Signal {
	list := make([]score, 0, t.list.n)
	for task := range t.all {
		list = append(list, task.score)
	}
	return signalOf(list, b.withDefaults())
}

// kWay is how many verdicts the smallest task of two or more has, 0 where none
// has two: from stats.DefaultMinK on, pass^k can be told.
func kWay(tasks []score) (k int) {
	for _, t := range tasks {
		if t.n >= 2 && (k == 0 || int(t.n) < k) {
			k = int(t.n)
		}
	}
	return k
}

// Histogram counts tasks by their pass rate: those at 0, those in each tenth
// above it, the last one without 1, and those at 1.
type Histogram [12]int

func histogramOf(tasks []score) (h Histogram) {
	for _, t := range tasks {
		switch {
		case t.n == 0:
		case t.passes == 0:
			h[0]++
		case t.passes == t.n:
			h[11]++
		default:
			h[1+min(9, int(math.Floor(10*t.rate())))]++
		}
	}
	return h
}

// Bin is what a bin of a [Histogram] holds: "0", "0.1-0.2" with its lower end
// included, "1".
func (h Histogram) Bin(i int) string {
	const ends = "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 "
	switch i {
	case 0:
		return "0"
	case len(h) - 1:
		return "1"
	}
	return ends[4*i-4:4*i-1] + "-" + ends[4*i:4*i+3]
}
