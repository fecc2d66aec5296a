package measure

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// judging counts the rows that say what became of their grading.
type judging struct {
	rows, ok int
	failed   []failedStatus // by status; few
	reason   string         // the first one given
	reasonAt position
}

type failedStatus struct {
	word  string
	first position
}

const (
	maxStatuses = 32  // words that are told apart
	maxStatus   = 40  // bytes of a word that are kept
	maxReason   = 480 // bytes of a reason that are kept
)

func (j *judging) add(r *row) {
	if r.status == "" {
		return
	}
	j.rows++
	if r.status == rollout.StatusOK.String() {
		j.ok++
		return
	}
	j.status(r.status, r.at)
	if r.Reason != "" {
		j.because(r.Reason, r.at)
	}
}

func (j *judging) status(word string, at position) {
	word = strings.ToValidUTF8(word[:min(len(word), maxStatus)], "")
	i := slices.IndexFunc(j.failed, func(f failedStatus) bool { return f.word == word })
	if i >= 0 {
		j.failed[i].first = earlier(j.failed[i].first, at)
		return
	}
	j.failed = append(j.failed, failedStatus{strings.Clone(word), at})
	if len(j.failed) > maxStatuses {
		j.sort() // so that it does not depend on the order which ones stay
		j.failed = j.failed[:maxStatuses]
	}
}

func (j *judging) sort() {
	slices.SortFunc(j.failed, func(a, b failedStatus) int {
		if c := a.first.compare(b.first); c != 0 {
			return c
		}
		return strings.Compare(a.word, b.word)
	})
}

func (j *judging) because(reason string, at position) {
	if j.reason == "" || at.compare(j.reasonAt) < 0 || at == j.reasonAt && reason < j.reason {
		j.reason, j.reasonAt = strings.Clone(reason[:min(len(reason), maxReason)]), at
	}
}

func (j *judging) merge(o *judging) {
	j.rows += o.rows
	j.ok += o.ok
	for _, f := range o.failed {
		j.status(f.word, f.first)
	}
	if o.reason != "" {
		j.because(o.reason, o.reasonAt)
	}
}

func (j *judging) result() stats.Judging {
	s := stats.Judging{Rows: j.rows, OK: j.ok, Reason: strings.ToValidUTF8(j.reason, "")}
	j.sort()
	for _, f := range j.failed {
		s.Statuses = append(s.Statuses, f.word)
	}
	return s
}
