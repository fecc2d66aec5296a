package rollout

import "math"

// The three label readers differ on purpose and must not be merged (spec of
// statistics, section 1.2). Each gives pass and ok; ok is false for a row that
// has no such label, which then counts in no rate. A status that says that the
// grader failed makes its reward no label, whatever stands there.

// BinaryReward reads the reward as pass or fail: a number, or a text that is
// one, that is exactly 1 or 0. (Reader A; of the statistics, of judge trust
// and of the verifier audit.)
func (r *Row) BinaryReward() (pass, ok bool) {
	if r.graderFailed() {
		return false, false
	}
	return r.Reward.Binary()
}

// BinaryOrPriorReward reads the reward as BinaryReward does, and where that is
// neither pass nor fail the reward that a judge overwrote. (Reader B; of pass@k
// and group signal.)
func (r *Row) BinaryOrPriorReward() (pass, ok bool) {
	if pass, ok = r.BinaryReward(); ok {
		return pass, ok
	}
	return r.PriorReward.Binary()
}

// StrictBinaryReward reads the reward as pass or fail from a number alone: 1
// or 0 as text is none. (Reader C; of agreement between judge and labels.)
func (r *Row) StrictBinaryReward() (pass, ok bool) {
	if r.graderFailed() {
		return false, false
	}
	return r.Reward.StrictBinary()
}

// GradedReward returns the finite number in the reward, else the one in the
// reward that a judge overwrote: any number, so that 0.75 is graded and still
// in no pass rate. Texts and booleans are not.
func (r *Row) GradedReward() (reward float64, ok bool) {
	if !r.graderFailed() {
		if reward, ok = r.Reward.finite(); ok {
			return reward, ok
		}
	}
	return r.PriorReward.finite()
}

func (r *Row) graderFailed() bool { return r.Status != StatusAbsent && r.Status != StatusOK }

// MarkerValue reads the marker name as Python's float() would: booleans are 0
// or 1, a text may be a number, NaN stays NaN. ok is false when the row does
// not carry the marker, or carries null or something else there.
func (r *Row) MarkerValue(name string) (value float64, ok bool) {
	for i := len(r.Markers) - 1; i >= 0; i-- {
		if r.Markers[i].Name == name {
			return r.Markers[i].Value.loose()
		}
	}
	return 0, false
}

// Binary reads a value that is exactly 1 or 0, as a number or as a text that
// is one.
func (v Value) Binary() (pass, ok bool) {
	f, ok := v.Float()
	return f == 1, ok && (f == 0 || f == 1)
}

// StrictBinary reads a number that is exactly 1 or 0.
func (v Value) StrictBinary() (pass, ok bool) {
	return v.Num == 1, v.Kind() == KindNumber && (v.Num == 0 || v.Num == 1)
}

func (v Value) finite() (float64, bool) {
	return v.Num, v.Kind() == KindNumber && !math.IsInf(v.Num, 0)
}

func (v Value) loose() (float64, bool) {
	switch v.Kind() {
	case KindNumber:
		return v.Num, true
	case KindBool:
		if v.Text == "true" {
			return 1, true
		}
		return 0, true
	case KindString:
		return parseNumericText(v.Text)
	}
	return 0, false
}
