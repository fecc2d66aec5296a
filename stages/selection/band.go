package selection

import (
	"math"

	"github.com/rollmill/rollmill/stats"
)

// side is where a pass rate stands to a band.
type side int8

const (
	tooHard side = iota - 1
	within
	tooEasy
)

// place says where a rate stands; the ends belong to the band. n is how many
// verdicts are behind it, 0 if that is unknown.
func (b Band) place(rate float64, n int) side {
	low, high := rate, rate
	if b.Confidence > 0 && n > 0 {
		iv := stats.Wilson(int(math.Round(rate*float64(n))), n, stats.ZLevel(b.Confidence))
		low, high = iv.V.Low, iv.V.High
	}
	switch {
	case low > b.High:
		return tooEasy
	case high < b.Low:
		return tooHard
	}
	return within
}

// bandTrim is what the band took: rows, tasks by the side of the band that they
// were on, and how many tasks were judged by a rate that a row carries.
type bandTrim struct {
	rows, easy, hard, carried int
}

// dropOutOfBand drops the tasks whose pass rate is outside the band. Tasks with
// fewer than min verdicts, if their number is known, and unanimous ones stay.
func (t *table) dropOutOfBand(b Band, least int) (r bandTrim) {
	gates := make([]Gate, t.tasks)
	now := t.counts()
	judge := func(task int, rate float64, n int) {
		if n > 0 && n < max(2, least) || !(rate > 0 && rate < 1) {
			return
		}
		switch b.place(rate, n) {
		case tooEasy:
			gates[task] = GateTooEasy
			r.easy++
		case tooHard:
			gates[task] = GateTooHard
			r.hard++
		}
	}
	for task, s := range t.scores() {
		if s.n > 0 {
			judge(task, s.rate(), int(s.n))
		} else if c, ok := t.carried[uint32(task)]; ok && now[task] > 0 {
			judge(task, c.rate, c.n)
			r.carried++
		}
	}
	r.rows, _ = t.dropTasks(gates)
	return r
}

// middle is where order Middle begins.
func (b Band) middle() float64 { return (b.Low + b.High) / 2 }
