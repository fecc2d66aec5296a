package grade

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// Scale says between which numbers a grader rates, Low < High. The zero Scale is
// none: the grader says a reward in 0..1.
type Scale struct{ Low, High float64 }

func (s Scale) given() bool { return s != Scale{} }

func (s Scale) check() {
	if s.given() && !(s.Low < s.High) {
		panic(fmt.Sprintf("grade: a scale from %g to %g: want it to rise", s.Low, s.High))
	}
}

// Verdict reads what a grader may return under the judge contract (spec of rows,
// section 2.1): a boolean, a number in 0..1, or an object with reward, else
// score, whose other members become evidence. It takes any value that has a JSON
// form. What is no verdict becomes a result without a reward that says why.
func Verdict(v any, scale Scale) Result {
	scale.check()
	switch x := v.(type) {
	case float64:
		return verdictNumber(x, scale)
	case float32:
		return verdictNumber(float64(x), scale)
	case string:
		return unusable(rollout.Value{Text: `""`})
	}
	text, err := json.Marshal(v)
	if err != nil {
		return invalid("returned_type", quoted(fmt.Sprintf("%T", v)))
	}
	return VerdictJSON(string(text), scale)
}

// VerdictJSON is [Verdict] of JSON text, which must be valid.
func VerdictJSON(text string, scale Scale) Result {
	scale.check()
	v := valueOf(text)
	switch v.Kind() {
	case rollout.KindBool:
		if scale.given() {
			return noReward(v)
		}
		return Score(boolNumber(v), "")
	case rollout.KindNumber:
		return verdictNumber(v.Num, scale)
	case rollout.KindObject:
		return verdictObject(text, scale)
	}
	return unusable(v)
}

// verdictObject reads an object: its number, its reason, and the rest as evidence.
func verdictObject(text string, scale Scale) Result {
	number, found := rollout.Value{}, false
	for _, name := range scale.names() {
		if member := rollout.MemberOf(text, name); member != "" {
			number, found = valueOf(member), true
			break
		}
	}
	r := Result{}
	switch {
	case !found:
		r = Result{Status: rollout.StatusMissingReward, Meta: setMeta(nil, "returned_keys", sortedNames(text))}
	case scale.given() && number.Kind() == rollout.KindNull:
		r = Result{Status: rollout.StatusMissingReward}
	case number.Kind() == rollout.KindNumber:
		r = verdictNumber(number.Num, scale)
	case number.Kind() == rollout.KindBool && !scale.given():
		r = Score(boolNumber(number), "")
	default:
		r = noReward(number)
	}
	r.takeEvidence(text, scale)
	return r
}

// names are the members that may hold the number, the one that counts first.
func (s Scale) names() []string {
	if s.given() {
		return []string{"rating", "score", "reward"}
	}
	return []string{"reward", "score"}
}

// takeEvidence copies what else an object says.
func (r *Result) takeEvidence(text string, scale Scale) {
	var inner string
	for name, value := range rollout.MembersOf(text) {
		switch {
		case name == "reason":
			r.Reason = cut(rollout.ScalarText(value), maxDetail)
		case name == "failure_class":
			r.Class, _ = rollout.TextOf(value)
		case name == "markers":
			r.Markers = r.Markers[:0]
			for marker, number := range rollout.MembersOf(value) {
				if v := valueOf(number); v.Kind() == rollout.KindNumber {
					r.Markers = append(r.Markers, rollout.Marker{Name: marker, Value: v})
				}
			}
		case name == "judge_meta":
			inner = value
		case slices.Contains(scale.names(), name):
		default:
			r.Meta = setMeta(r.Meta, name, value)
		}
	}
	for name, value := range rollout.MembersOf(inner) { // the inner value wins
		r.Meta = setMeta(r.Meta, name, value)
	}
}

// verdictNumber is the verdict that a number gives.
func verdictNumber(f float64, scale Scale) Result {
	if !scale.given() {
		if f >= 0 && f <= 1 {
			return Score(f, "")
		}
		return invalid(metaOutOfRange, numberText(f))
	}
	r := Result{Status: rollout.StatusInvalidResult}
	if f >= scale.Low && f <= scale.High {
		r = Score(stats.Round((f-scale.Low)/(scale.High-scale.Low), 6), "")
		r.Meta = setMeta(r.Meta, "rating", numberText(f))
	} else {
		r.Meta = setMeta(r.Meta, "rating_out_of_scale", numberText(f))
	}
	r.Meta = setMeta(r.Meta, "scale", "["+numberText(scale.Low)+","+numberText(scale.High)+"]")
	return r
}

// invalid is an answer without a verdict, with what says why.
func invalid(name, json string) Result {
	return Result{Status: rollout.StatusInvalidResult, Meta: setMeta(nil, name, json)}
}

// noReward is the verdict of a reward that is no number.
func noReward(v rollout.Value) Result { return invalid("reward_type", quoted(kindWord(v.Kind()))) }

// unusable is the verdict of a value that can be none.
func unusable(v rollout.Value) Result { return invalid("returned_type", quoted(kindWord(v.Kind()))) }

func kindWord(k rollout.Kind) string {
	return [...]string{"nothing", "null", "boolean", "number", "string", "array", "object"}[k]
}

func boolNumber(v rollout.Value) float64 {
	if v.Text == "true" {
		return 1
	}
	return 0
}

// valueOf is JSON text as a value.
func valueOf(text string) rollout.Value {
	v := rollout.Value{Text: text}
	if v.Kind() == rollout.KindNumber {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(f, 0) {
			f = math.NaN()
		}
		v.Num = f
	}
	return v
}

// setMeta gives evidence a member, or another value to one it has.
func setMeta(members []rollout.Member, name, json string) []rollout.Member {
	for i := range members {
		if members[i].Name == name {
			members[i].JSON = json
			return members
		}
	}
	return append(members, rollout.Member{Name: name, JSON: json})
}

// sortedNames is the list of the names of an object's members, as JSON.
func sortedNames(object string) string {
	var names []string
	for name := range rollout.MembersOf(object) {
		names = append(names, name)
	}
	slices.Sort(names)
	dst := []byte{'['}
	for i, name := range slices.Compact(names) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = rollout.AppendText(dst, name)
	}
	return string(append(dst, ']'))
}
