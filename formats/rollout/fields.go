package rollout

import "math/bits"

// Fields is a set of fields of a row: what a run needs decoded, what a row
// holds, what a stage changed.
type Fields uint64

// The fields, in the order in which a v1 record writes them.
const (
	FieldID Fields = 1 << iota
	FieldTaskID
	FieldGroupID
	FieldIndex
	FieldPrompt
	FieldMessages
	FieldTools
	FieldFinalText
	FieldFinishReason
	FieldLogprob
	FieldNTokens
	FieldReward
	FieldPriorReward
	FieldStatus
	FieldReason
	FieldJudge
	FieldLabelSource
	FieldMarkers
	FieldPrivileged
	FieldGate
	FieldGates
	FieldExtra // every member that is none of the above, and what a column does not reproduce
	fieldEnd

	// AllFields is every field there is.
	AllFields = fieldEnd - 1
)

// fieldNames has the v1 name of each field, by bit number.
var fieldNames = [...]string{
	"rollout_id", "scenario_id", "group_id", "rollout_index", "prompt", "messages", "tools",
	"final_text", "finish_reason", "logprob", "n_tokens", "reward", "qwen_reward", "judge_status",
	"reason", "judge_name", "label_source", "markers", "privileged", "rollmill_gate", "rollmill_gates",
	"extra",
}

// Has reports whether s holds every field of t.
func (s Fields) Has(t Fields) bool { return s&t == t }

// Names lists the v1 names of the fields in schema order.
func (s Fields) Names() []string {
	var names []string
	for t := s & AllFields; t != 0; t &= t - 1 {
		names = append(names, fieldNames[bits.TrailingZeros64(uint64(t))])
	}
	return names
}

// FieldNamed returns the field whose v1 name, or accepted other spelling, is name.
func FieldNamed(name string) (Fields, bool) {
	switch name {
	case "task_id":
		return FieldTaskID, true
	case "grader_reason":
		return FieldReason, true
	}
	for i, n := range fieldNames[:len(fieldNames)-1] { // "extra" names no single member
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Has reports whether the row holds a value for every field of f. A text field
// that is null or of another type is in Extra and not here; a Value is here
// whatever its type.
func (r *Row) Has(f Fields) bool { return r.has.Has(f) }

// filled returns the fields that are not empty.
func (r *Row) filled() (fs Fields) {
	for _, t := range [...]struct {
		f     Fields
		empty bool
	}{
		{FieldID, r.ID == ""}, {FieldTaskID, r.TaskID == ""}, {FieldGroupID, r.GroupID == ""}, {FieldIndex, r.Index.Text == ""},
		{FieldPrompt, r.Prompt == ""}, {FieldMessages, len(r.Messages) == 0}, {FieldTools, r.Tools == ""},
		{FieldFinalText, r.FinalText == ""}, {FieldFinishReason, r.FinishReason == ""}, {FieldLogprob, r.Logprob.Text == ""},
		{FieldNTokens, r.NTokens.Text == ""}, {FieldReward, r.Reward.Text == ""}, {FieldPriorReward, r.PriorReward.Text == ""},
		{FieldStatus, r.Status == StatusAbsent}, {FieldReason, r.Reason == ""}, {FieldJudge, r.Judge == ""},
		{FieldLabelSource, r.LabelSource == ""}, {FieldMarkers, len(r.Markers) == 0}, {FieldPrivileged, r.Privileged == ""},
		{FieldGate, r.Gate == ""}, {FieldGates, len(r.Gates) == 0},
	} {
		if !t.empty {
			fs |= t.f
		}
	}
	return fs
}

// Changed returns the fields that differ from the record the row was read from.
func (r *Row) Changed() Fields { return r.changed }

// Touch says that the fields f were assigned: they will be written with the
// row's values, and what Extra holds under their names is dropped.
func (r *Row) Touch(f Fields) {
	r.has |= f
	r.changed |= f
	r.kept &^= f
	if f == FieldExtra {
		return
	}
	for i := range r.Extra {
		if g, ok := FieldNamed(r.Extra[i].Name); ok && f&g != 0 {
			r.dropExtra(f)
			return
		}
	}
}

// Clear removes the fields f from the row and from what is written of it.
func (r *Row) Clear(f Fields) {
	r.Touch(f)
	r.has &^= f
	var zero Row
	r.assign(&zero, f)
}

func (r *Row) dropExtra(f Fields) {
	extra := make([]Member, 0, len(r.Extra)) // rows of a batch share their array
	for _, m := range r.Extra {
		if g, ok := FieldNamed(m.Name); !ok || f&g == 0 {
			extra = append(extra, m)
		}
	}
	r.Extra = extra
}

// SetReward sets the verdict and its status.
func (r *Row) SetReward(v Value, s Status) {
	r.Reward, r.Status = v, s
	r.Touch(FieldReward | FieldStatus)
	if v.Text == "" {
		r.has &^= FieldReward
	}
	if s == StatusAbsent {
		r.has &^= FieldStatus
	}
}

// SetMarker sets a named side measurement, replacing one of the same name.
func (r *Row) SetMarker(name string, v Value) { r.SetMarkers(Marker{name, v}) }

// SetMarkers sets named side measurements, each of which replaces one of the
// same name. The row's markers are copied first, since rows of a batch share
// their array.
func (r *Row) SetMarkers(list ...Marker) {
	markers := append(make([]Marker, 0, len(r.Markers)+len(list)), r.Markers...)
	for _, set := range list {
		found := false
		for i := range markers {
			if markers[i].Name == set.Name {
				markers[i].Value, found = set.Value, true
			}
		}
		if !found {
			markers = append(markers, set)
		}
	}
	r.Markers = markers
	r.Touch(FieldMarkers)
}

// AddFinding records what a gate found. The row travels on.
func (r *Row) AddFinding(f Finding) {
	r.Gates = append(r.Gates[:len(r.Gates):len(r.Gates)], f)
	r.Touch(FieldGates)
}

// EndAt sets the gate at which the row ends, unless it ended at one before.
func (r *Row) EndAt(gate string) {
	if r.Gate == "" {
		r.Gate = gate
		r.Touch(FieldGate)
	}
}

// assign copies the fields f of q, and nothing else.
func (r *Row) assign(q *Row, f Fields) {
	for ; f != 0; f &= f - 1 {
		switch f & -f {
		case FieldID:
			r.ID = q.ID
		case FieldTaskID:
			r.TaskID = q.TaskID
		case FieldGroupID:
			r.GroupID = q.GroupID
		case FieldIndex:
			r.Index = q.Index
		case FieldPrompt:
			r.Prompt = q.Prompt
		case FieldMessages:
			r.Messages = q.Messages
		case FieldTools:
			r.Tools = q.Tools
		case FieldFinalText:
			r.FinalText = q.FinalText
		case FieldFinishReason:
			r.FinishReason = q.FinishReason
		case FieldLogprob:
			r.Logprob = q.Logprob
		case FieldNTokens:
			r.NTokens = q.NTokens
		case FieldReward:
			r.Reward = q.Reward
		case FieldPriorReward:
			r.PriorReward = q.PriorReward
		case FieldStatus:
			r.Status = q.Status
		case FieldReason:
			r.Reason = q.Reason
		case FieldJudge:
			r.Judge = q.Judge
		case FieldLabelSource:
			r.LabelSource = q.LabelSource
		case FieldMarkers:
			r.Markers = q.Markers
		case FieldPrivileged:
			r.Privileged = q.Privileged
		case FieldGate:
			r.Gate = q.Gate
		case FieldGates:
			r.Gates = q.Gates
		case FieldExtra:
			r.Extra = q.Extra
		}
	}
}
