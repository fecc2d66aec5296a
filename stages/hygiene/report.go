package hygiene

import (
	"fmt"

	"github.com/rollmill/rollmill/stats"
)

// Report is what an [Accumulator] has found.
type Report struct {
	Lengths      Lengths         `json:"length"`
	Correlations Correlations    `json:"correlations"`
	Coverage     []stats.Finding `json:"coverage"`
}

// Codes of the findings of [Warnings].
const (
	CodeDuplicates     stats.Code = "duplicates"
	CodeNearDuplicates stats.Code = "near_duplicates"
	CodeTruncated      stats.Code = "truncated"
	CodeWideSpread     stats.Code = "wide_spread"
	CodeCorrelated     stats.Code = "correlated"
)

// Duplicates is what the search for duplicates found, by the package that did it.
type Duplicates struct {
	Dropped     int  // rows that repeat another
	Conflicting int  // of those, with another label than the first
	Present     bool // they were not dropped but are still there
	NearPairs   int  // pairs of prompts that are nearly the same
	NearPrompts int  // prompts in such pairs
}

// Warnings puts what a report and other gates found into findings, in the order
// of the reference implementation: duplicates, near duplicates, cut replies, wide
// spreads, one for each flagged correlation, and then those of the hack scan. It
// is empty when all is well.
func Warnings(d Duplicates, l Lengths, c Correlations, scan []stats.Finding) []stats.Finding {
	found := []stats.Finding{}
	warn := func(code stats.Code, subject, text string, numbers ...stats.Quantity) {
		found = append(found, stats.Finding{Code: code, Level: stats.Warning, Subject: subject, Numbers: append(stats.Quantities{}, numbers...), Text: text})
	}
	if d.Dropped > 0 {
		was := "were dropped"
		if d.Present {
			was = "are still there"
		}
		text := fmt.Sprintf("%d rows repeat another and %s", d.Dropped, was)
		if d.Conflicting > 0 {
			text += fmt.Sprintf("; %d of them with another reward for the same behaviour", d.Conflicting)
		}
		warn(CodeDuplicates, "", text, number("rows", d.Dropped), number("conflicting", d.Conflicting))
	}
	if d.NearPairs > 0 {
		warn(CodeNearDuplicates, "", fmt.Sprintf("%d prompts are nearly the same as another, in %d pairs", d.NearPrompts, d.NearPairs),
			number("prompts", d.NearPrompts), number("pairs", d.NearPairs))
	}
	if l.Truncated > 0 {
		warn(CodeTruncated, "", fmt.Sprintf("%d of %d replies are cut", l.Truncated, l.Rows), number("truncated", l.Truncated), number("rows", l.Rows))
	}
	if l.GroupsWide > 0 {
		warn(CodeWideSpread, "", fmt.Sprintf("in %d of %d tasks the longest reply is more than %g times the median", l.GroupsWide, l.GroupsMulti, l.MaxSpread),
			number("wide", l.GroupsWide), number("tasks", l.GroupsMulti))
	}
	for _, q := range c.Flagged {
		verb := "pays for"
		if q.Value.V < 0 {
			verb = "punishes"
		}
		warn(CodeCorrelated, q.Name, fmt.Sprintf("the reward %s %s (%+.2f over all rows)", verb, words(q.Name), q.Value.V), stats.Quantity{Name: "correlation", Value: q.Value})
	}
	return append(found, scan...)
}

func number(name string, n int) stats.Quantity {
	return stats.Quantity{Name: name, Value: stats.Of(float64(n))}
}
