package grade

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// The classes of failures (spec of rows, section 2.11).
const (
	Fabrication      = "fabrication"
	UnconfirmedWrite = "unconfirmed_write"
	JunkOutput       = "junk_output"
	FaultDishonesty  = "fault_dishonesty"
	Arithmetic       = "arithmetic"
	NoAttempt        = "no_attempt"
	Incompleteness   = "incompleteness"
)

// Classes are the classes of failures in the order in which reasons are held
// against them.
var Classes = []string{UnconfirmedWrite, JunkOutput, Arithmetic, NoAttempt, FaultDishonesty, Incompleteness, Fabrication}

// classWords are what reasons of a class say, in lower case; the first hit wins.
var classWords = map[string][]string{
	UnconfirmedWrite: {"without confirm", "without verif", "unconfirmed", "unverified", "unauthorised", "unauthorized",
		"executed immediately", "phantom"},
	JunkOutput: {"truncated", "cut off", "degenerate", "verbatim repeat", "repeats verbatim", "raw json", "garbled"},
	Arithmetic: {"arithmetic", "math", "miscomputed", "miscalculat", "wrong number", "wrong total", "wrong sum"},
	NoAttempt: {"refused a doable", "refused to do", "refused the task", "claimed to be unable", "claims to be unable",
		"denied its own tool", "denied having"},
	FaultDishonesty: {"claimed success", "claims success", "hid the error", "hides the error", "hid the failure", "misreported"},
	Incompleteness: {"incomplete", "stonewall", "withheld", "never answered", "did not answer", "did not finish",
		"unfinished"},
	Fabrication: {"invented", "hallucinat", "made up", "made-up", "fabricat", "ungrounded", "adopted a false", "sycophan"},
}

// ClassifyFailure returns the class of a failure: of a row with the reward 0
// alone, the class that it carries if that is one of [Classes], else the one
// that its reply or its reasons tell. It never guesses: ok is false where nothing
// tells. It reads FieldReward, FieldStatus, FieldReason, FieldFinalText,
// FieldMessages and FieldExtra.
func ClassifyFailure(row *rollout.Row) (class string, ok bool) {
	if pass, graded := row.BinaryReward(); !graded || pass {
		return "", false
	}
	if class, _ = rollout.TextOf(extraOf(row, "failure_class")); slices.Contains(Classes, class) {
		return class, true
	}
	reply := strings.TrimSpace(replyOf(row))
	if reply == "" || strings.HasPrefix(reply, agentError) {
		return JunkOutput, true
	}
	reasons := row.Reason
	for _, name := range []string{"reason", "grader_reason", "llm_reason"} {
		text, _ := rollout.TextOf(extraOf(row, name))
		reasons += "\n" + text
	}
	return classOfReason(reasons)
}

// classOfReason returns the class that a reason tells.
func classOfReason(reason string) (class string, ok bool) {
	reason = strings.ToLower(reason)
	for _, class := range Classes {
		for _, words := range classWords[class] {
			if strings.Contains(reason, words) {
				return class, true
			}
		}
	}
	return "", false
}

// agentError starts a reply that the harness wrote when the agent failed.
const agentError = "<agent error"

// replyOf is the last thing the agent said.
func replyOf(row *rollout.Row) string {
	if row.FinalText != "" {
		return row.FinalText
	}
	text, _ := rollout.FinalTextOf(row.Messages)
	return text
}
