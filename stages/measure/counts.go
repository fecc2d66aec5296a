package measure

import (
	"math"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// counts is what is counted of a set of rows: all of them, a slice, a run.
type counts struct {
	tasks    tasks
	rates    column[rate]    // of the rewards themselves, by number of the task
	priors   column[rate]    // of the verdicts that a judge overwrote with none; mostly empty
	attempts column[attempt] // while every verdict has an index
	markers  map[string]*marker

	rows      int
	taskless  int // rows whose task key is empty
	worth     [noNumber + 1]int
	unknown   int // rows whose status is none of the words of row v1
	unindexed int // verdicts without an index
	lowIndex  uint32
	highIndex uint32
	graded    stats.Graded
	judging   judging
	crowded   bool // more than MaxMarkers markers were met
}

// MaxMarkers is how many different markers are measured. Rows that carry more
// names than that carry no names of measurements.
const MaxMarkers = 256

func newCounts(keys bool) *counts {
	c := &counts{markers: map[string]*marker{}, lowIndex: math.MaxUint32}
	if keys {
		c.tasks.text = &arena{}
	}
	return c
}

// row is a row as it is counted: what is read of it once for every set.
type row struct {
	*rollout.Row
	hash    xxh3.Uint128
	key     string
	at      position
	status  string
	verdict verdict
	graded  stats.Null[float64]
	marked  []stats.Null[float64] // values of Markers
}

func (c *counts) add(r *row) {
	task := c.tasks.number(r.hash, r.key)
	c.rows++
	if r.key == "" {
		c.taskless++
	}
	c.addVerdict(task, r)
	for i, x := range r.marked {
		if x.Valid {
			if m := c.marker(r.Markers[i].Name); m != nil {
				m.add(task, x.V, r.at)
			}
		}
	}
	c.addGraded(r.graded)
	c.judging.add(r)
	if r.Status == rollout.StatusAbsent && r.status != "" && r.status != rollout.StatusOK.String() {
		c.unknown++
	}
}

func (c *counts) addVerdict(task uint32, r *row) {
	own := c.rates.reach(task)
	switch v := r.verdict; {
	case v.own != stats.NoLabel:
		own.verdict(v.own, r.at)
	case v.prior != stats.NoLabel:
		c.priors.reach(task).verdict(v.prior, r.at)
	default:
		own.none(v.worth, r.at)
		c.worth[v.worth]++
	}
	if l := r.verdict.pass(); l != stats.NoLabel {
		c.addAttempt(task, l, r.Index)
	}
}

func (c *counts) addAttempt(task uint32, l stats.Label, index rollout.Value) {
	i, ok := index.Int()
	if !ok || i < 0 || i >= math.MaxUint32-1 {
		c.unindexed++
		c.attempts = column[attempt]{}
	}
	if c.unindexed > 0 {
		return
	}
	c.lowIndex, c.highIndex = min(c.lowIndex, uint32(i)), max(c.highIndex, uint32(i))
	c.attempts.reach(task).verdict(l, uint32(i))
}

func (c *counts) addGraded(x stats.Null[float64]) {
	if !x.Valid {
		return
	}
	if c.graded.Rows == 0 {
		c.graded.Value = x.V
	}
	c.graded.Varies = c.graded.Varies || x.V != c.graded.Value
	c.graded.Rows++
}

// marker gives the column of a name, nil where there is no room for it.
func (c *counts) marker(name string) *marker {
	m := c.markers[name]
	if m == nil {
		if len(c.markers) == MaxMarkers {
			c.crowded = true
			return nil
		}
		m = &marker{}
		c.markers[strings.Clone(name)] = m
	}
	return m
}

// merge adds what o counted.
func (c *counts) merge(o *counts) {
	numbers := make([]uint32, o.tasks.hashes.n)
	for i := range numbers {
		n := c.tasks.number(*o.tasks.hashes.at(uint32(i)), o.tasks.key(uint32(i)))
		numbers[i] = n
		c.rates.reach(n)
	}
	for i := range uint32(o.rates.n) {
		c.rates.at(numbers[i]).add(o.rates.at(i))
	}
	for i := range uint32(o.priors.n) {
		if p := o.priors.at(i); p.seen() {
			c.priors.reach(numbers[i]).add(p)
		}
	}
	c.unindexed += o.unindexed
	c.lowIndex, c.highIndex = min(c.lowIndex, o.lowIndex), max(c.highIndex, o.highIndex)
	if c.unindexed > 0 {
		c.attempts = column[attempt]{}
	} else {
		for i := range uint32(o.attempts.n) {
			c.attempts.reach(numbers[i]).add(*o.attempts.at(i))
		}
	}
	for name, from := range o.markers {
		if m := c.marker(name); m != nil {
			m.merge(from, numbers)
		}
	}
	c.rows += o.rows
	c.taskless += o.taskless
	for i, n := range o.worth {
		c.worth[i] += n
	}
	c.unknown += o.unknown
	c.crowded = c.crowded || o.crowded
	if o.graded.Rows > 0 {
		c.addGraded(stats.Of(o.graded.Value))
		c.graded.Varies = c.graded.Varies || o.graded.Varies
		c.graded.Rows += o.graded.Rows - 1
	}
	c.judging.merge(&o.judging)
}
