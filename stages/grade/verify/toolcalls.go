package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// ToolCallOptions are the arguments of [ToolCalls]. The zero value is the
// default.
type ToolCallOptions struct {
	Options
	// Answers are the calls that tasks want, by the id of the task or of the
	// row; see [ReadCallAnswers]. Default: the reference of each row.
	Answers map[string]CallAnswer
	Ordered bool // calls must come in the order of the reference; default: as a set
	Extra   bool // further calls do no harm
}

// CallAnswer is the calls that a task wants, as JSON text: a list of calls, each
// {"name": ..., "arguments": {...}} with the arguments that it must have, or
// {NAME: {ARGUMENT: [VALUE, ...]}} with those that it may have, as the Berkeley
// Function Calling Leaderboard writes it.
type CallAnswer string

// ToolCalls passes a row whose agent called the tools that the reference wants,
// with the arguments that it wants, no fewer and no more. Which calls those are
// is said as a [CallAnswer].
//
// Arguments of a call that is written out must be equal as JSON, where 1 and 1.0
// are the same number. Of possible values one must fit: texts but for case, space
// and the characters ,./-_*^ and with either quote; numbers by value; lists
// element by element; an object member by member, each of which has possible
// values of its own. An argument may be missing where the empty text is among its
// values, and no other argument may be there. Dots in the name of a tool may stand
// as underscores, since some servers allow no dots.
func ToolCalls(o ToolCallOptions) *Verifier {
	name := "tool-calls"
	for _, w := range []struct {
		on   bool
		word string
	}{{o.Ordered, "ordered"}, {o.Extra, "extra"}} {
		if w.on {
			name += ":" + w.word
		}
	}
	v := newVerifier(name, "1", o.Options, func(_ string, gold Reference, row *rollout.Row) grade.Result {
		want := gold.JSON
		if o.Answers != nil {
			answer, ok := answerFor(o.Answers, row)
			if !ok {
				return grade.CannotJudge("no answer for this task")
			}
			want = string(answer)
		}
		wanted, err := readWanted(want)
		if err != nil {
			return grade.CannotJudge(err.Error())
		}
		return o.judge(wanted, callsOf(row))
	})
	v.quotes = true
	v.info.Needs = o.Gold.needs | rollout.FieldMessages | rollout.FieldFinalText | rollout.FieldPrompt | rollout.FieldExtra
	if o.Answers != nil {
		v.bare = true
		v.info.Needs |= rollout.FieldTaskID | rollout.FieldID
	} else if o.Gold.IsZero() {
		v.info.Needs |= rollout.FieldPrivileged
	}
	return v
}

// answerFor finds the answer of a row by its task, its own id, or the id of its
// record.
func answerFor(answers map[string]CallAnswer, row *rollout.Row) (CallAnswer, bool) {
	for _, key := range [...]string{row.TaskID, row.ID, rollout.ScalarText(row.ExtraText("id"))} {
		if answer, ok := answers[key]; ok && key != "" {
			return answer, true
		}
	}
	return "", false
}

// callsOf are the calls that the agent made, in their order.
func callsOf(row *rollout.Row) (calls []rollout.ToolCall) {
	for i := range row.Messages {
		if m := &row.Messages[i]; m.Role == rollout.RoleAssistant {
			calls = append(calls, m.ToolCalls...)
		}
	}
	return calls
}

// judge holds calls against those that are wanted.
func (o *ToolCallOptions) judge(wanted []wantedCall, made []rollout.ToolCall) grade.Result {
	if len(made) < len(wanted) || len(made) > len(wanted) && !o.Extra {
		return grade.Fail(fmt.Sprintf("%d calls, want %d", len(made), len(wanted)))
	}
	fits := make([][]bool, len(wanted)) // by wanted call, then by made one
	for i := range wanted {
		fits[i] = make([]bool, len(made))
		for j := range made {
			fits[i][j] = wanted[i].misfit(&made[j]) == ""
		}
	}
	paired := pairInOrder
	if !o.Ordered {
		paired = pairAll
	}
	if missing := paired(fits); missing >= 0 {
		return grade.Fail(wanted[missing].closest(made))
	}
	return grade.Pass("the calls fit")
}

// pairInOrder pairs each wanted call with one that fits and comes after that of
// the one before. It returns the first that finds none, -1 when all do.
func pairInOrder(fits [][]bool) (missing int) {
	next := 0
	for i := range fits {
		for next < len(fits[i]) && !fits[i][next] {
			next++
		}
		if next == len(fits[i]) {
			return i
		}
		next++
	}
	return -1
}

// pairAll pairs each wanted call with one of its own that fits: a matching by
// augmenting paths, since a call may fit several. It returns the first that finds
// none, -1 when all do.
func pairAll(fits [][]bool) (missing int) {
	if len(fits) == 0 {
		return -1
	}
	pairedWith := slices.Repeat([]int{-1}, len(fits[0])) // by made call
	var seen []bool
	var pair func(i int) bool
	pair = func(i int) bool {
		for j, fit := range fits[i] {
			if !fit || seen[j] {
				continue
			}
			seen[j] = true
			if pairedWith[j] < 0 || pair(pairedWith[j]) {
				pairedWith[j] = i
				return true
			}
		}
		return false
	}
	for i := range fits {
		if seen = make([]bool, len(pairedWith)); !pair(i) {
			return i
		}
	}
	return -1
}

// closest says what keeps the call that comes closest from fitting.
func (w *wantedCall) closest(made []rollout.ToolCall) string {
	for i := range made {
		if sameTool(made[i].Name, w.name) {
			if why := w.misfit(&made[i]); why != "" {
				return w.name + ": " + why
			}
		}
	}
	return "no call of " + w.name + " that fits"
}

// sameTool compares names of tools; dots may stand as underscores.
func sameTool(made, wanted string) bool {
	return made == wanted || strings.ReplaceAll(wanted, ".", "_") == made
}
