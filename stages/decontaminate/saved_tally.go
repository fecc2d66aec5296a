package decontaminate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// ErrSaved says that what was saved is no tally of this index and these options.
var ErrSaved = errors.New("is no tally of this index and these options")

// savedTally is a tally as it is saved.
type savedTally struct {
	Rows       int64            `json:"rows"`
	Flagged    int64            `json:"flagged"`
	Tasked     int64            `json:"tasked"`
	Discounted int64            `json:"discounted"`
	Blank      int64            `json:"blank"`
	Beside     map[string]int64 `json:"beside"`
	Prompts    States           `json:"prompts"`
	Rules      []savedRule      `json:"rules"`
	First      []savedExample   `json:"first"`
	Top        []savedExample   `json:"top"`
	ByMeaning  int64            `json:"by_meaning"`
	Meaning    []int64          `json:"meaning_parts"`
}

type savedRule struct {
	Rows   int64   `json:"rows"`
	Kinds  []int64 `json:"kinds"`
	Parts  []int64 `json:"parts"`
	Scores []int64 `json:"scores"`
	Sets   []int64 `json:"sets"`
	Items  []int   `json:"items"` // that were found, in their order
}

// savedExample is an example with its position, which reports leave out.
type savedExample struct {
	Row     rollout.Pos `json:"row"`
	Example Example     `json:"example"`
}

// MarshalJSON saves what was counted.
func (t *Tally) MarshalJSON() ([]byte, error) {
	s := savedTally{
		Rows: t.rows, Flagged: t.flagged, Tasked: t.tasked, Discounted: t.discounted, Blank: t.blank, Beside: t.beside.rows, Prompts: t.prompts,
		First: savedExamples(t.first), Top: savedExamples(t.top), ByMeaning: t.byMeaning, Meaning: t.meaningParts[:],
	}
	for i := range t.rules {
		r := &t.rules[i]
		one := savedRule{Rows: r.rows, Kinds: r.kinds[:], Parts: r.parts[:], Scores: r.scores[:], Sets: r.sets, Items: []int{}}
		for item := range r.items.all() {
			one.Items = append(one.Items, item)
		}
		s.Rules = append(s.Rules, one)
	}
	return json.Marshal(&s, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// UnmarshalJSON takes what MarshalJSON saved in the place of what was counted. The
// tally is one of [NewTally], of the same index and options; what does not fit them
// is [ErrSaved].
func (t *Tally) UnmarshalJSON(text []byte) error {
	var s savedTally
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("decontaminate: a saved tally: %w", err)
	}
	if len(s.Rules) != len(t.rules) || len(s.Meaning) != len(t.meaningParts) {
		return fmt.Errorf("decontaminate: what was saved %w", ErrSaved)
	}
	for i := range s.Rules {
		if err := t.rules[i].restore(&s.Rules[i], len(t.x.items)); err != nil {
			return err
		}
	}
	t.blank, t.beside = s.Blank, besideTally{s.Beside}
	t.rows, t.flagged, t.tasked, t.discounted, t.prompts, t.byMeaning = s.Rows, s.Flagged, s.Tasked, s.Discounted, s.Prompts, s.ByMeaning
	copy(t.meaningParts[:], s.Meaning)
	t.first, t.top = restoredExamples(s.First), restoredExamples(s.Top)
	return nil
}

// restore takes the counts of a rule over an index of so many items.
func (r *ruleTally) restore(s *savedRule, items int) error {
	if len(s.Kinds) != len(r.kinds) || len(s.Parts) != len(r.parts) || len(s.Scores) != len(r.scores) || len(s.Sets) != len(r.sets) ||
		slices.ContainsFunc(s.Items, func(item int) bool { return item < 0 || item >= items }) {
		return fmt.Errorf("decontaminate: what was saved %w", ErrSaved)
	}
	r.rows = s.Rows
	copy(r.kinds[:], s.Kinds)
	copy(r.parts[:], s.Parts)
	copy(r.scores[:], s.Scores)
	copy(r.sets, s.Sets)
	clear(r.items)
	for _, item := range s.Items {
		r.items.set(item)
	}
	return nil
}

func savedExamples(list []Example) []savedExample {
	saved := make([]savedExample, len(list))
	for i, e := range list {
		saved[i] = savedExample{e.Row, e}
	}
	return saved
}

func restoredExamples(saved []savedExample) []Example {
	list := make([]Example, len(saved))
	for i := range saved {
		list[i] = saved[i].Example
		list[i].Row = saved[i].Row
	}
	return list
}
