package semantic

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// Candidate is a text of a training row.
type Candidate struct {
	Row   int    // number of the row; the texts of a row follow each other
	Field string // where in the row the text stands, such as prompt
	Prompt
}

// Flag is a row that is suspected: a question about what its task is, and no verdict.
type Flag struct {
	Row        int
	Field      string  // the first field at or above the threshold
	Similarity float64 // the cosine
	Prompt     int     // number of the evaluation prompt, see [Reference.Prompt]
	Text       string  // that prompt
}

// MarshalJSON writes the members of the reference implementation: the cosine
// at most 1 and with 4 decimals, the prompt cut at 120 characters.
func (f Flag) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Row        int     `json:"index"`
		Field      string  `json:"field"`
		Match      string  `json:"match"`
		Similarity float64 `json:"similarity"`
		Prompt     string  `json:"eval_prompt"`
	}{f.Row, f.Field, "semantic", stats.Round(min(1, f.Similarity), 4), cut(f.Text, 120)})
}

// Flags returns the rows that have a text with a cosine of at least similarity
// to an evaluation prompt of another task, in their order, each under its first
// such field. Blank texts match nothing. [ErrSimilarity] is for a threshold
// outside 0..1; the other errors are those of the embedder.
func (r *Reference) Flags(ctx context.Context, candidates []Candidate, similarity float64) ([]Flag, error) {
	if err := CheckSimilarity(similarity); err != nil {
		return nil, err
	}
	var texts []Prompt
	var of []Candidate
	for _, c := range candidates {
		if strings.TrimSpace(c.Text) != "" {
			texts, of = append(texts, c.Prompt), append(of, c)
		}
	}
	matches, err := r.Best(ctx, texts)
	if err != nil {
		return nil, err
	}
	var flags []Flag
	for i, m := range matches {
		again := len(flags) > 0 && flags[len(flags)-1].Row == of[i].Row
		if m.Prompt < 0 || m.Similarity < similarity || again {
			continue
		}
		flags = append(flags, Flag{of[i].Row, of[i].Field, m.Similarity, m.Prompt, r.prompts[m.Prompt].Text})
	}
	return flags, nil
}

// cut returns the first n characters of a text.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
