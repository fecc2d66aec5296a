package selection

import (
	"fmt"

	"github.com/rollmill/rollmill/stats"
)

// note says what is thin about a rejection sampling.
func (s *sampling) note(flat bool) {
	r := &s.out
	if r.Rows > 0 && r.CompletionsMean < wantsCompletions {
		text := fmt.Sprintf("%v replies a prompt: rejection sampling wants 10 to 30", r.CompletionsMean)
		if r.CompletionsMedian <= 1 && !flat {
			text += "; most prompts have one, so the rule had nothing to choose from"
		}
		r.add(CodeFewCompletions, stats.Note, text, "mean", r.CompletionsMean, "median", r.CompletionsMedian)
	}
	if flat {
		r.add(CodeNothingToRank, stats.Note, fmt.Sprintf("all that passes has one reward, so there is nothing to rank: the control that still measures something is %s with a least reward of 0 at the same count", RandomKOverall),
			"rows", len(s.pool))
	}
	if r.EvalSourced > 0 {
		r.add(CodeEvalSourced, stats.Warning, fmt.Sprintf("%d selected rows carry a score of an evaluation: training on them spends the evaluation", r.EvalSourced),
			"rows", r.EvalSourced)
	}
}

// add appends a finding.
func (r *SFTReport) add(code stats.Code, level stats.Level, text string, pairs ...any) {
	r.Findings = append(r.Findings, finding(code, level, text, pairs...))
}

// finding makes a finding of a sentence and alternating names and numbers.
func finding(code stats.Code, level stats.Level, text string, pairs ...any) stats.Finding {
	numbers := stats.Quantities{}
	for i := 0; i < len(pairs); i += 2 {
		q := stats.Quantity{Name: pairs[i].(string)}
		switch x := pairs[i+1].(type) {
		case int:
			q.Value = stats.Of(float64(x))
		case float64:
			q.Value = stats.Of(x)
		}
		numbers = append(numbers, q)
	}
	return stats.Finding{Code: code, Level: level, Numbers: numbers, Text: text}
}
