package semantic

import (
	"context"
	"fmt"

	"github.com/sourcegraph/conc/iter"
)

// Match is the evaluation prompt that is nearest to a text.
type Match struct {
	Prompt     int     // its number, see [Reference.Prompt]; -1 when there is none to compare with
	Similarity float64 // the cosine, -1..1; -1 when there is none
}

// Best returns for each text the nearest evaluation prompt that is not of the
// same known task; the first of equals. Texts are embedded and compared some at
// a time, so memory does not grow with them beyond their matches.
//
// Fast products of float32 find what may be best, plain ones of float64 decide:
// the result is that of the plain ones alone.
func (r *Reference) Best(ctx context.Context, texts []Prompt) ([]Match, error) {
	matches := make([]Match, len(texts))
	for i := range matches {
		matches[i] = Match{-1, -1}
	}
	if r.Len() == 0 {
		return matches, nil
	}
	total := int64(len(texts)) * int64(r.Len())
	step := r.step()
	vectors := &matrix{dims: r.vectors.dims}
	some := make([]string, 0, step)
	for from := 0; from < len(texts); from += step {
		to := min(from+step, len(texts))
		some = some[:0]
		for _, p := range texts[from:to] {
			some = append(some, p.Text)
		}
		vectors.clear()
		if err := embed(ctx, r.embedder, r.o.Batch, some, vectors); err != nil {
			return nil, err
		}
		if err := r.best(ctx, vectors, texts[from:to], matches[from:to]); err != nil {
			return nil, err
		}
		r.tell(int64(to)*int64(r.Len()), total)
	}
	return matches, nil
}

// step is how many texts are compared between two reports of progress: about
// 2^24 pairs, half a second with 384 numbers a vector, and a whole number of
// tiles, at most 1,024 texts.
func (r *Reference) step() int {
	return max(side, min(1024, (1<<24)/r.Len()/side*side))
}

// best compares embedded texts, a row of tiles a task of a worker.
func (r *Reference) best(ctx context.Context, vectors *matrix, texts []Prompt, matches []Match) error {
	bands := make([]error, (len(texts)+side-1)/side)
	iter.Iterator[error]{MaxGoroutines: r.o.Workers}.ForEachIdx(bands, func(band int, err *error) {
		*err = sweep(ctx, vectors, r.vectors, band*side, 0, func(t *tile) {
			for i := range t.rows {
				at := t.i + i
				r.better(&matches[at], texts[at].Task, vectors.row(at), t.j, t.row(i))
			}
		})
	})
	return first(bands)
}

// better looks for a better match among the prompts from number j on, of which
// the narrow products are known.
func (r *Reference) better(m *Match, task string, v []float64, j int, products []float32) {
	slack := r.vectors.slack()
	floor := m.Similarity - slack
	for k, product := range products {
		if float64(product) <= floor {
			continue
		}
		if task != "" && task == r.prompts[j+k].Task {
			continue
		}
		if s := dot(v, r.vectors.row(j+k)); s > m.Similarity {
			*m = Match{j + k, s}
			floor = s - slack
		}
	}
}

// first returns the first error of some, so that it does not depend on which
// worker was fastest.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("semantic: %w", err)
		}
	}
	return nil
}
