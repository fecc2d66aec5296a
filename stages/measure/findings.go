package measure

import (
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// Codes of the findings of a [Result], about the rows themselves.
const (
	CodeTaskless      stats.Code = "taskless"       // rows whose task key is empty
	CodeInvalidReward stats.Code = "invalid_reward" // rewards that are no number from 0 to 1
	CodeUnknownStatus stats.Code = "unknown_status" // grading ended in a word that row v1 does not have
	CodeManyMarkers   stats.Code = "many_markers"   // more than MaxMarkers
	CodeManyParts     stats.Code = "many_parts"     // more than MaxParts values of a field
	CodeUnsaid        stats.Code = "unsaid"         // rows without the field that slices
)

// Findings are what has to be known about the rows behind the figures.
func (r *Result) Findings() []stats.Finding {
	var list []stats.Finding
	c := r.counts
	add := func(code stats.Code, subject string, numbers stats.Quantities, format string, args ...any) {
		list = append(list, stats.Finding{
			Code: code, Level: stats.Warning, Subject: subject, Numbers: numbers, Text: fmt.Sprintf(format, args...),
		})
	}
	if c.taskless > 0 {
		add(CodeTaskless, "", numbers("rows", c.taskless),
			"%d rows name no task and count as one: say what names it, or all of them are repeats of one item", c.taskless)
	}
	if wrong := c.worth[outOfRange] + c.worth[noNumber]; wrong > 0 {
		add(CodeInvalidReward, "reward", numbers("rows", wrong, "out_of_range", c.worth[outOfRange], "no_number", c.worth[noNumber]),
			"%d rewards are no number from 0 to 1 (%d outside, %d something else): another scale, a failed grader, or tampering",
			wrong, c.worth[outOfRange], c.worth[noNumber])
	}
	if c.unknown > 0 {
		add(CodeUnknownStatus, "judge_status", numbers("rows", c.unknown),
			"%d rows have a grading status that is none of ok, missing_reward, invalid_result, error and timeout: "+
				"they are unscored (%s)", c.unknown, strings.Join(c.judging.result().Statuses, ", "))
	}
	if c.crowded {
		add(CodeManyMarkers, "markers", numbers("limit", MaxMarkers),
			"rows carry more than %d different markers: none is measured", MaxMarkers)
	}
	if r.crowdedRuns {
		add(CodeManyParts, r.RunField, numbers("limit", MaxParts), "%s has more than %d values: no runs by it", r.RunField, MaxParts)
	}
	for _, s := range r.Slices {
		switch {
		case s.Crowded:
			add(CodeManyParts, s.Field, numbers("limit", MaxParts), "%s has more than %d values: no slices by it", s.Field, MaxParts)
		case s.Unsaid > 0:
			add(CodeUnsaid, s.Field, numbers("rows", s.Unsaid), "%d rows have no %s and are in no slice", s.Unsaid, s.Field)
		}
	}
	return list
}

func numbers(pairs ...any) stats.Quantities {
	var list stats.Quantities
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, stats.Quantity{Name: pairs[i].(string), Value: stats.Of(float64(pairs[i+1].(int)))})
	}
	return list
}
