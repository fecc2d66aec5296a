package decontaminate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate/semantic"
	"github.com/rollmill/rollmill/stream"
)

// Meaning is the semantic rule: rows that no other rule flagged are flagged when
// the embedding of a text is near that of an evaluation question of another task
// (spec of gates, section 2.1). A flag is a question about what a row is, and no
// verdict.
type Meaning struct {
	Reference  *semantic.Reference  // of the [Questions] of the evaluation sets
	Similarity float64              // the cosine from which on a row is flagged; 0 is 0.85
	Known      semantic.Calibration // how near questions of different tasks are, where it was asked
}

// Questions lists the questions of sets, for a semantic.Reference.
func Questions(sets []Set) (prompts []semantic.Prompt) {
	for i := range sets {
		for k := range sets[i].Items {
			item := &sets[i].Items[k]
			for _, t := range item.Texts {
				if t.Part == Question {
					prompts = append(prompts, semantic.Prompt{Text: t.Text, Task: item.TaskID})
				}
			}
		}
	}
	return prompts
}

// MeaningStage asks about the rows of a flow that [Stage], with the same options
// and tally, did not flag. The embedder is called for one batch after the other.
func MeaningStage(m Meaning, o Options, tally *Tally) stream.Stage[rollout.Row, rollout.Row] {
	m.Similarity = or(m.Similarity, semantic.Similarity)
	o = o.settle()
	if tally != nil {
		tally.meaning = &m
	}
	return stream.Map(1, func(ctx context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		return b, m.check(ctx, o, b.Items, tally)
	}, stream.Name(GateName+" by meaning"))
}

func (m *Meaning) check(ctx context.Context, o Options, rows []rollout.Row, tally *Tally) error {
	var candidates []semantic.Candidate
	var places []Place
	for i := range rows {
		row := &rows[i]
		if row.Changed().Has(rollout.FieldGates) {
			continue
		}
		prompt, _ := promptOf(row)
		o.Parts.each(row, prompt, func(place Place, text string) {
			candidates = append(candidates, semantic.Candidate{
				Row: i, Field: place.String(), Prompt: semantic.Prompt{Text: text, Task: row.TaskID},
			})
			places = append(places, place)
		})
	}
	if len(candidates) == 0 {
		return nil
	}
	flags, err := m.Reference.Flags(ctx, candidates, m.Similarity)
	if err != nil {
		return fmt.Errorf("decontaminate: %w", err)
	}
	for _, f := range flags {
		row := &rows[f.Row]
		at := slices.IndexFunc(candidates, func(c semantic.Candidate) bool { return c.Row == f.Row && c.Field == f.Field })
		fields := rollout.FieldGates
		if row.Gate == "" {
			row.Gate = GateName
			fields |= rollout.FieldGate
		}
		row.Gates = append(slices.Clone(row.Gates), rollout.Finding{
			Gate: GateName, Code: Semantic,
			Detail: fmt.Sprintf("cosine %.4f of %s to an evaluation question", min(f.Similarity, 1), f.Field),
		})
		row.Touch(fields)
		if tally != nil {
			tally.addMeaning(row, places[at], f)
		}
	}
	return nil
}

// addMeaning counts a row that is flagged by its meaning alone.
func (t *Tally) addMeaning(row *rollout.Row, place Place, f semantic.Flag) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flagged++
	t.byMeaning++
	t.meaningParts[partNumber(&Found{Place: place})]++
	e := Example{
		Row: row.Pos, RowID: strings.Clone(row.RowKey()), Rule: Semantic, Kind: Semantic, Score: min(f.Similarity, 1), Place: place.String(),
		End: len(place.textOf(row)), Text: Excerpt(place.textOf(row), 0), ItemEnd: len(f.Text), ItemText: Excerpt(f.Text, 0),
	}
	t.first = t.keep(append(t.first, e), byRow)
}

// MeaningReport says what the semantic rule found.
type MeaningReport struct {
	Rows       int64       `json:"rows"`
	Parts      []NameCount `json:"by_part"`
	Similarity float64     `json:"similarity"`
	Questions  int         `json:"questions"`         // different ones that were compared with
	P99        *float64    `json:"distinct_task_p99"` // the cosine that 99 % of the pairs of different tasks do not pass
}

// reportMeaning adds what the semantic rule found to a report.
func (t *Tally) reportMeaning(r *Report) {
	m := t.meaning
	if m == nil {
		return
	}
	out := &MeaningReport{Rows: t.byMeaning, Parts: partCounts(t.meaningParts[:]), Similarity: m.Similarity, Questions: m.Reference.Len()}
	r.Meaning = out
	note := func(code, format string, args ...any) {
		r.Notes = append(r.Notes, Note{code, fmt.Sprintf(format, args...)})
	}
	if out.Questions == 0 && len(t.x.items) > 0 {
		r.Skipped = append(r.Skipped, Skipped{Semantic, "no evaluation item has a question"})
		note(NoteMeaningSkipped, "the semantic rule could not find anything: no evaluation item has a question")
	}
	if m.Known.Known {
		p99 := m.Known.P99
		out.P99 = &p99
		text := "99 %% of the questions of different tasks are no nearer than %.2f, of %d questions"
		if m.Known.TooLow(m.Similarity) {
			text += ": raise the threshold above it"
		}
		note(NoteCalibration, text, p99, m.Known.Prompts)
	}
	if t.byMeaning > 0 {
		note(NoteMeaningHits, "%d rows are near an evaluation question in meaning: a question about what they are, and no verdict", t.byMeaning)
	}
}
