package grade

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Result is what a grader thinks of a row.
type Result struct {
	Reward  float64          // in 0..1; only with StatusOK
	Status  rollout.Status   // without one there is no reward: missing_reward
	Reason  string           // why, short
	Class   string           // failure_class, one of [Classes] or another word
	Markers []rollout.Marker // side measurements; they replace those of the row by name
	Meta    []rollout.Member // evidence, which goes to judge_meta: names and JSON text
	Usage   Usage            // what it cost
}

// Usage is what verdicts cost. It is counted and stands in no row.
type Usage struct {
	Calls        int64   `json:"calls,omitzero"` // of a model
	InputTokens  int64   `json:"input_tokens,omitzero"`
	OutputTokens int64   `json:"output_tokens,omitzero"`
	USD          float64 `json:"usd,omitzero"`
}

// Plus is the sum of two.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.Calls + o.Calls, u.InputTokens + o.InputTokens, u.OutputTokens + o.OutputTokens, u.USD + o.USD}
}

// Score is a verdict between 0 and 1.
func Score(reward float64, reason string) Result {
	return Result{Reward: reward, Status: rollout.StatusOK, Reason: reason}
}

// Pass is the verdict 1.
func Pass(reason string) Result { return Score(1, reason) }

// Fail is the verdict 0.
func Fail(reason string) Result { return Score(0, reason) }

// CannotJudge is no verdict: the row lacks what the grader needs, such as a
// reference that it can read. Unlike an error it is no failure of the machinery.
func CannotJudge(reason string) Result {
	return Result{Status: rollout.StatusInvalidResult, Reason: reason}
}

// OK reports whether there is a verdict.
func (r *Result) OK() bool { return r.Status == rollout.StatusOK }

// Names of evidence that a failed grading leaves in judge_meta (spec of rows,
// section 1.5).
const (
	metaError      = "error"
	metaTimeout    = "timeout_s"
	metaOutOfRange = "reward_out_of_range"
)

// settle makes a result one that a row can hold: a reward lies in 0..1, and
// without a status there is none.
func (r *Result) settle() {
	switch {
	case r.Status == rollout.StatusAbsent:
		r.Status = rollout.StatusMissingReward
	case r.Status == rollout.StatusOK && !(r.Reward >= 0 && r.Reward <= 1):
		r.Status = rollout.StatusInvalidResult
		r.Meta = append(r.Meta[:len(r.Meta):len(r.Meta)], rollout.Member{Name: metaOutOfRange, JSON: numberText(r.Reward)})
	}
}

// numberText is a number as JSON, one that is not finite as a text.
func numberText(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return quoted(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return rollout.Number(f).Text
}

func quoted(text string) string { return string(rollout.AppendText(nil, text)) }

// maxDetail is how many bytes of an error a row keeps.
const maxDetail = 400

// failed is what comes of a grading that ended in an error.
func failed(err error) Result {
	r := Result{Status: rollout.StatusError, Meta: setMeta(nil, metaError, quoted(cut(err.Error(), maxDetail)))}
	if isTimeout(err) {
		r.Status = rollout.StatusTimeout
	}
	return r
}

// panicked is what comes of a grader that panicked.
func panicked(v any) Result { return failed(panicError(v)) }

func panicError(v any) error { return fmt.Errorf("panic: %v", v) }

// timedOut is what comes of a grader that did not answer in time.
func timedOut(late error, after time.Duration) Result {
	r := failed(late)
	r.Meta = setMeta(r.Meta, metaTimeout, numberText(after.Seconds()))
	return r
}

// isTimeout reports whether an error says that something did not answer in time.
func isTimeout(err error) bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && t.Timeout()
}

// cut is at most so many bytes of a text, whole characters of it.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
