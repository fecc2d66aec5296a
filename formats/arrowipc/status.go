package arrowipc

import (
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/rollmill/rollmill/formats/rollout"
)

// statusView is the column of judge_status.
type statusView struct {
	places numbers[int8] // in words
	words  []string
	known  []rollout.Status // what the words say, StatusAbsent for others
	odd    bool             // some word says nothing that is known
}

func (v *statusView) see(a *array.Dictionary) {
	v.places = numbersOf[int8](a)
	words := textsOf(a.Dictionary())
	for i := range a.Dictionary().Len() {
		s, ok := rollout.ParseStatus(words.get(i))
		v.words = append(v.words, words.get(i))
		v.known = append(v.known, s)
		v.odd = v.odd || !ok
	}
}

// fill gives rows the status that the dictionary has a word for.
func (v *statusView) fill(rows []rollout.Row, from int) {
	for i := range rows {
		if !v.places.has(from + i) {
			continue
		}
		if s := v.known[v.places.values[from+i]]; s != rollout.StatusAbsent {
			rows[i].Status = s
			rows[i].Hold(rollout.FieldStatus)
		}
	}
}

// oddWord returns the word of row i if it is none of the five, else "".
func (v *statusView) oddWord(i int) string {
	if v.places.values == nil || !v.places.has(i) || v.known[v.places.values[i]] != rollout.StatusAbsent {
		return ""
	}
	return v.words[v.places.values[i]]
}
