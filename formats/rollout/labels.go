package rollout

import (
	"math"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// The label readers differ on purpose and must not be merged (spec of
// statistics, section 1.2, and of gates, section 1.4). Those of pass and fail
// give pass and ok; ok is false for a row that has no such label, which then
// counts in no rate. A status that says that the grader failed makes its reward
// no label, whatever stands there.

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
// neither pass nor fail the reward that a judge overwrote. (Reader B; of pass@k,
// group signal and the gates, where a row that has no such label is unusable.)
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

// ScalarReward returns the finite number in the reward, else the one in the
// reward that a judge overwrote; a text that is a number counts, a boolean does
// not. (Of the selection for fine-tuning; spec of gates, section 1.4.)
func (r *Row) ScalarReward() (reward float64, ok bool) {
	if reward, ok = r.ScanReward(); ok {
		return reward, ok
	}
	return r.PriorReward.Float()
}

// ScanReward returns the finite number in the reward alone; a text that is a
// number counts, a boolean does not. (Of the hack scan; spec of gates, section
// 1.4.)
func (r *Row) ScanReward() (reward float64, ok bool) {
	if r.graderFailed() {
		return 0, false
	}
	return r.Reward.Float()
}

// PairScore returns the reward where it is a number from 0 to 1; texts are not.
// (Of preference pairs; spec of gates, section 1.4.)
func (r *Row) PairScore() (score float64, ok bool) {
	if r.graderFailed() {
		return 0, false
	}
	score, ok = r.Reward.finite()
	if !ok || score < 0 || score > 1 {
		return 0, false
	}
	return score, true
}

// VerifiedZero reports whether the reward is a number that is exactly 0 and was
// set by a trusted source: one whose name begins with claude or gold, in any
// case (spec of gates, section 1.4). Such a row failed for certain, however odd
// it looks.
func (r *Row) VerifiedZero() bool {
	pass, ok := r.StrictBinaryReward()
	if !ok || pass {
		return false
	}
	source := text.Lower(r.LabelSource)
	return strings.HasPrefix(source, "claude") || strings.HasPrefix(source, "gold")
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
