package profile

import (
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Validity counts what is wrong with the records of a flow, and what a reader
// of figures must know beforehand: how many rows are scored and how many tasks
// there are. It holds about 40 bytes for each distinct task. NewValidity makes
// one.
type Validity struct {
	kind   rollout.RecordKind
	places int

	rows, rejected, faulty int64
	states                 [rollout.Invalid + 1]int64
	tasks                  map[xxh3.Uint128]struct{} // hashes of task keys
	taskless               int64
	rejects, violations    faults
}

// ValidityResult is what a Validity has counted.
type ValidityResult struct {
	Rows     int64
	Rejected int64   // records that could not become rows
	Rejects  []Fault // of those, by code in alphabetical order

	Faulty     int64   // rows that break rules of their kind
	Violations []Fault // of those, a row once for each rule, by code in alphabetical order

	Scored, Unscored, Invalid int64 // rows by rollout.State

	Tasks    int64 // distinct task keys
	Taskless int64 // rows with neither a task id nor a prompt
}

// OK reports whether nothing is wrong.
func (r *ValidityResult) OK() bool { return r.Rejected == 0 && r.Faulty == 0 }

// NewValidity returns a validity that holds rows against the rules of a kind
// and remembers the first so many places of each fault. It panics for places
// less than 1.
func NewValidity(kind rollout.RecordKind, places int) *Validity {
	if places < 1 {
		panic("profile: NewValidity wants at least 1 place")
	}
	return &Validity{kind: kind, places: places, tasks: map[xxh3.Uint128]struct{}{}}
}

// Fields are the fields of a row that Add reads.
func (v *Validity) Fields() rollout.Fields {
	return rollout.FieldTaskID | rollout.FieldPrompt | rollout.FieldReward | rollout.FieldStatus
}

// Add counts the rows and the rejects of a batch.
func (v *Validity) Add(rows []rollout.Row, rejects []stream.Reject) {
	for i := range rejects {
		r := &rejects[i]
		v.rejected++
		v.rejects.add(r.Code, v.places, Place{r.Pos, r.Detail})
	}
	for i := range rows {
		v.addRow(&rows[i])
	}
}

func (v *Validity) addRow(r *rollout.Row) {
	v.rows++
	v.states[r.State()]++
	if key := r.TaskKey(); key != "" {
		v.tasks[xxh3.HashString128(key)] = struct{}{}
	} else {
		v.taskless++
	}
	codes := rollout.Validate(recordOf(r), v.kind)
	if len(codes) > 0 {
		v.faulty++
	}
	for _, code := range codes {
		word, detail, _ := strings.Cut(string(code), ":") // unknown_schema_version:2
		v.violations.add(word, v.places, Place{r.Pos, detail})
	}
}

// Merge adds what o has counted, whose rows stand behind those of v. Both must
// have been made alike.
func (v *Validity) Merge(o *Validity) {
	v.rows += o.rows
	v.rejected += o.rejected
	v.faulty += o.faulty
	v.taskless += o.taskless
	for state, n := range o.states {
		v.states[state] += n
	}
	for task := range o.tasks {
		v.tasks[task] = struct{}{}
	}
	v.rejects.merge(&o.rejects, v.places)
	v.violations.merge(&o.violations, v.places)
}

// Result returns what was counted.
func (v *Validity) Result() ValidityResult {
	return ValidityResult{
		Rows: v.rows, Rejected: v.rejected, Rejects: v.rejects.sorted(),
		Faulty: v.faulty, Violations: v.violations.sorted(),
		Scored: v.states[rollout.Scored], Unscored: v.states[rollout.Unscored], Invalid: v.states[rollout.Invalid],
		Tasks: int64(len(v.tasks)), Taskless: v.taskless,
	}
}
