package measure

import (
	"math"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// marker counts one named side measurement over tasks.
type marker struct {
	sums          column[markerSum] // by number of the task; those without the marker may be missing at the end
	rests         map[uint32][]float64
	rows          int
	atOne, atZero int
	value         float64 // the first value met
	varies        bool    // values differ after rounding to 9 digits
}

// markerSum is the marker on one task: 40 bytes.
type markerSum struct {
	first position // of the first row that carries it
	sum   exactSum
	n     uint32
}

func (m *marker) add(task uint32, x float64, at position) {
	s := m.sums.reach(task)
	if s.n == 0 {
		s.first = at
	}
	s.first = earlier(s.first, at)
	s.n++
	m.put(task, s, x)
	switch x {
	case 1:
		m.atOne++
	case 0:
		m.atZero++
	}
	m.vary(x, m.rows > 0)
	m.rows++
}

// put adds to the sum of a task.
func (m *marker) put(task uint32, s *markerSum, x float64) {
	if rest := s.sum.add(x); rest != 0 {
		if m.rests == nil {
			m.rests = map[uint32][]float64{}
		}
		m.rests[task] = expand(m.rests[task], rest)
	}
}

// vary notes whether values differ; any says whether there was one before.
func (m *marker) vary(x float64, any bool) {
	switch {
	case m.varies || any && x == m.value:
	case math.IsNaN(x):
		m.varies = true
	case !any:
		m.value = x
	default:
		m.varies = stats.Round(x, 9) != stats.Round(m.value, 9)
	}
}

// merge adds what another column of the same marker counted; numbers gives the
// number that a task of the other has here.
func (m *marker) merge(o *marker, numbers []uint32) {
	for i := range uint32(o.sums.n) {
		from := o.sums.at(i)
		if from.n == 0 {
			continue
		}
		task := numbers[i]
		s := m.sums.reach(task)
		if s.n == 0 {
			s.first = from.first
		}
		s.first = earlier(s.first, from.first)
		s.n += from.n
		m.put(task, s, from.sum.high)
		m.put(task, s, from.sum.low)
		for _, rest := range o.rests[i] {
			m.put(task, s, rest)
		}
	}
	if o.rows > 0 {
		m.varies = m.varies || o.varies
		m.vary(o.value, m.rows > 0)
	}
	m.rows += o.rows
	m.atOne += o.atOne
	m.atZero += o.atZero
}

// mean is the mean of a task that carries the marker.
func (m *marker) mean(task uint32) float64 {
	s := m.sums.at(task)
	return s.sum.rounded(m.rests[task]) / float64(s.n)
}

// markerValue reads a marker as [rollout.Row.MarkerValue] does, without a search
// for its name where that is not needed.
func markerValue(r *rollout.Row, m *rollout.Marker) (float64, bool) {
	if m.Value.Kind() == rollout.KindNumber {
		return m.Value.Num, true
	}
	return r.MarkerValue(m.Name)
}
