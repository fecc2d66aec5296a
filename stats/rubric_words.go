package stats

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

const maxRubricWords = 8

var rubricWord = regexp.MustCompile(`[a-z]{5,}`)

// rubricStop are words of five letters and more that say nothing about a
// rubric.
var rubricStop = map[string]bool{
	"about": true, "above": true, "after": true, "again": true, "answer": true,
	"before": true, "being": true, "below": true, "between": true, "could": true,
	"during": true, "every": true, "other": true, "reply": true, "response": true,
	"shall": true, "should": true, "their": true, "there": true, "these": true,
	"those": true, "under": true, "until": true, "where": true, "which": true,
	"while": true, "within": true, "would": true,
}

// RubricWords are the up to eight words of a rubric that keyword stuffing would
// use: most frequent first, then by alphabet.
func RubricWords(rubric string) []string {
	count := map[string]int{}
	words := []string{}
	for _, w := range rubricWord.FindAllString(strings.ToLower(rubric), -1) {
		if rubricStop[w] {
			continue
		}
		if count[w]++; count[w] == 1 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return words[:min(maxRubricWords, len(words))]
}
