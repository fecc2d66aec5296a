package decontaminate

import "fmt"

// Codes of the notes of a [Report].
const (
	NoteOverlapOnly     = "overlap_only"      // what the method cannot see
	NoteSameTaskSkipped = "same_task_skipped" // a zero under that rule is no clearance
	NoteTooShort        = "items_too_short"   // items that only a text of the same words gives away
	NoteNotCheckable    = "items_not_checkable"
	NoteDiscounted      = "discounted"
	NoteNoText          = "rows_without_text"    // nothing of these rows was compared
	NoteBeside          = "members_not_compared" // members with texts that nobody looked at
	NoteMeaningSkipped  = "semantic_skipped"
	NoteMeaningHits     = "semantic_hits"
	NoteCalibration     = "similarity_calibration"
)

// note says what has to be known about a report.
func (t *Tally) note(r *Report) {
	add := func(code, format string, args ...any) {
		r.Notes = append(r.Notes, Note{code, fmt.Sprintf(format, args...)})
	}
	add(NoteOverlapOnly, "n-gram overlap only: paraphrases and translations were not tested")
	if reason := t.sameTaskSkipped(); reason != "" {
		r.Skipped = append(r.Skipped, Skipped{SameTask, reason})
		add(NoteSameTaskSkipped, "the rule of the same task could not find anything (%s): that it found nothing is no clearance", reason)
	}
	if t.blank > 0 {
		add(NoteNoText, "%d of %d rows have no text that was compared: they are not cleared (say with --map where their texts stand)", t.blank, t.rows)
	}
	if len(r.Beside) > 0 {
		add(NoteBeside, "texts of other members were not compared: %s", besideText(r.Beside))
	}
	short, unseen := int64(0), 0
	for i := range r.Sets {
		short += r.Sets[i].States.TooShort
		unseen += r.Sets[i].NotSeen
	}
	if short > 0 {
		add(NoteTooShort, "%d items have questions of fewer than %d words: only a text of the same words gives them away", short, t.x.config.shortest())
	}
	for _, r := range t.o.Rules {
		if w, ok := r.(Windowed); ok && w.minWords() > t.x.config.shortest() {
			if n := t.x.questionsBelow(w.minWords()) - int(short); n > 0 {
				add(NoteTooShort, "%d more have fewer than %d: windowed finds them in a text of the same words alone", n, w.minWords())
			}
		}
	}
	if unseen > 0 {
		add(NoteNotCheckable, "%d items have no question with any words and cannot be checked by it", unseen)
	}
	if t.discounted > 0 {
		add(NoteDiscounted, "stock phrases were found %d times and taken for no evidence", t.discounted)
	}
}

// sameTaskSkipped says why the rule of the same task could find nothing, where a
// rule asks for the task and one side says none (spec of gates, section 2.1).
func (t *Tally) sameTaskSkipped() string {
	asks := false
	for _, r := range t.o.Rules {
		_, ok := r.(taskRule)
		asks = asks || ok
	}
	records := 0
	for i := range t.x.sets {
		records += t.x.sets[i].Items
	}
	switch {
	case !asks || records == 0:
		return ""
	case len(t.x.tasks) == 0:
		return fmt.Sprintf("0 of %d evaluation rows have a task id", records)
	case t.rows > 0 && t.tasked == 0:
		return fmt.Sprintf("0 of %d rows have a task id", t.rows)
	}
	return ""
}

// questionsBelow is how many items have a question of fewer words.
func (x *Index) questionsBelow(words int) (n int) {
	for i := range x.items {
		for _, t := range x.items[i].texts {
			if t.part == Question && t.text >= 0 && len(x.wordsOf(int(t.text))) < words {
				n++
				break
			}
		}
	}
	return n
}
