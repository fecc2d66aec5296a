package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/selection"
)

// Counts says where every record ended: In = Kept + Dropped + Quarantined, and
// LeftOut where a run reads a sample.
type Counts struct {
	In          int64       `json:"in"`   // rows, and records that could not become one
	Rows        int64       `json:"rows"` // those in rows.arrow
	Kept        int64       `json:"kept"` // rows in the training file; two make a pair
	Dropped     int64       `json:"dropped"`
	Quarantined int64       `json:"quarantined"`
	LeftOut     int64       `json:"left_out,omitzero"` // records that were passed over, as by a sample
	Gates       []GateCount `json:"gates"`             // rows by the gate that dropped them, in the order of the gates
}

// GateCount is how many rows ended at a gate.
type GateCount struct {
	Gate string `json:"gate"` // as rows say in rollmill_gate
	Rows int64  `json:"rows"`
}

// String is the sum: in 1,000 = kept 212 + dropped 785 + quarantined 3.
func (c Counts) String() string {
	sum := fmt.Sprintf("in %s = kept %s + dropped %s + quarantined %s",
		report.Grouped(c.In), report.Grouped(c.Kept), report.Grouped(c.Dropped), report.Grouped(c.Quarantined))
	if c.LeftOut > 0 {
		sum += " + left out " + report.Grouped(c.LeftOut)
	}
	return sum
}

// count sums up what the gates of the run dropped.
func (l *line) count() error {
	c := &l.result.Counts
	c.In = c.Rows + c.Quarantined + c.LeftOut
	c.Gates = []GateCount{}
	add := func(gate string, rows int64) {
		if rows > 0 {
			c.Gates = append(c.Gates, GateCount{gate, rows})
			c.Dropped += rows
		}
	}
	if l.compared != nil {
		l.result.Contamination = l.compared.Report()
		add(decontaminate.GateName, l.result.Contamination.Flagged)
	}
	if l.Shape != RowShape {
		add(ShapeGate, c.Rows-c.Dropped-int64(l.clean))
	}
	s := l.result.Selection
	for g, n := range s.Dropped {
		if gate := selection.Gate(g); gate != selection.Kept {
			add(gate.String(), int64(n))
		}
	}
	c.Kept = int64(s.Kept)
	if s.In != l.clean {
		return lost("%d went on to the selection, %d came", l.clean, s.In)
	}
	return c.check()
}

// check asserts the sum.
func (c *Counts) check() error {
	dropped := int64(0)
	for _, g := range c.Gates {
		dropped += g.Rows
	}
	if c.In != c.Rows+c.Quarantined+c.LeftOut || dropped != c.Dropped || c.Rows != c.Kept+dropped {
		return lost("%s, by gates %d, read %d", c, dropped, c.Rows)
	}
	return nil
}

// kept is an error where nothing was kept.
func (c *Counts) kept() error {
	if c.Kept > 0 {
		return nil
	}
	last := GateCount{}
	if n := len(c.Gates); n > 0 {
		last = c.Gates[n-1]
	}
	return &NothingKeptError{Gate: last.Gate, Took: last.Rows, Counts: *c}
}

// NothingKeptError says that rows came in and none was kept.
type NothingKeptError struct {
	Gate   string // took the last rows
	Took   int64
	Counts Counts
}

func (e *NothingKeptError) Error() string {
	return fmt.Sprintf("curate: nothing was kept of %s rows: %s took the last %s", report.Grouped(e.Counts.Rows), e.Gate, report.Grouped(e.Took))
}

// NoRowsError says that the inputs held no row, or none that was not passed over.
type NoRowsError struct{ Quarantined, LeftOut int64 }

func (e *NoRowsError) Error() string {
	switch {
	case e.LeftOut > 0:
		return fmt.Sprintf("curate: not one row: %s records were left out, and %s refused", report.Grouped(e.LeftOut), report.Grouped(e.Quarantined))
	case e.Quarantined == 0:
		return "curate: the inputs hold no record"
	}
	return fmt.Sprintf("curate: not one row: all %s records of the inputs were refused", report.Grouped(e.Quarantined))
}
