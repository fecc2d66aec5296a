package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rollmill/rollmill/stream"
)

// codeCount is how many records were refused for one reason.
type codeCount struct {
	Code    string `json:"code"`
	Records int64  `json:"records"`
}

// tally counts rejects by their code, of many workers at once.
type tally struct {
	mu struct {
		sync.Mutex
		counts []codeCount
	}
}

func (t *tally) add(rejects []stream.Reject) {
	if len(rejects) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range rejects {
		t.oneLocked(rejects[i].Code)
	}
}

func (t *tally) oneLocked(code string) {
	for i := range t.mu.counts {
		if t.mu.counts[i].Code == code {
			t.mu.counts[i].Records++
			return
		}
	}
	t.mu.counts = append(t.mu.counts, codeCount{code, 1})
}

// counts returns what was counted, by code in alphabetical order.
func (t *tally) counts() []codeCount {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.Clone(t.mu.counts)
	slices.SortFunc(list, func(a, b codeCount) int { return strings.Compare(a.Code, b.Code) })
	return list
}

// codesText is the counts in words: "bad_json 2, too_long 1".
func codesText(counts []codeCount) string {
	words := make([]string, len(counts))
	for i, c := range counts {
		words[i] = fmt.Sprintf("%s %s", c.Code, grouped(c.Records))
	}
	return strings.Join(words, ", ")
}
