package semantic

import (
	"context"
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Similarity is the threshold of the reference implementation. It was read off
// one small model, whose unrelated prompts lie near 0.55; see
// [Reference.Calibrate] for what it is worth with another.
const Similarity = 0.85

// Prompt is a text and the task it belongs to, "" where that is not known.
type Prompt struct {
	Text string
	Task string
}

// Options say how the work is done; no result depends on them. The zero value
// is ready to use.
type Options struct {
	Batch    int            // texts a call of the embedder; default 128
	Workers  int            // cores for the products; default 1
	Progress func(Progress) // hears how far a comparison has come, from one goroutine at a time; default nobody
}

// Progress is how far one call of Best, Flags or Calibrate has come.
type Progress struct {
	Done, Total int64 // pairs of texts compared, and to compare
}

// Reference is the embedded prompts of evaluation sets. It is not changed after
// it was made, and is safe for concurrent use if its embedder and Progress are.
// It holds 12 bytes a number of each vector, beside the texts.
type Reference struct {
	embedder Embedder
	o        Options
	prompts  []Prompt
	vectors  *matrix
}

// New embeds the distinct prompts of evaluation sets. Prompts are the same that
// differ in letter case and white space alone; the first stands for them, with
// its task. Blank ones are left out. The errors are those of the embedder,
// [ErrNoEmbedder], [ErrVectorCount] and [ErrVector].
func New(ctx context.Context, e Embedder, prompts []Prompt, o Options) (*Reference, error) {
	if e == nil {
		return nil, fmt.Errorf("semantic: %w", ErrNoEmbedder)
	}
	if o.Batch < 1 {
		o.Batch = 128
	}
	if o.Workers < 1 {
		o.Workers = 1
	}
	r := &Reference{embedder: e, o: o, vectors: &matrix{}}
	seen := make(map[string]bool, len(prompts))
	var texts []string
	for _, p := range prompts {
		key := text.Norm(p.Text)
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		r.prompts = append(r.prompts, Prompt{strings.Clone(p.Text), strings.Clone(p.Task)})
		texts = append(texts, p.Text)
	}
	if err := embed(ctx, e, o.Batch, texts, r.vectors); err != nil {
		return nil, err
	}
	return r, nil
}

// Len is the number of distinct prompts.
func (r *Reference) Len() int { return len(r.prompts) }

// Prompt returns a distinct prompt, numbered from 0 as first seen.
func (r *Reference) Prompt(i int) Prompt { return r.prompts[i] }

// tell reports progress to whoever listens.
func (r *Reference) tell(done, total int64) {
	if r.o.Progress != nil {
		r.o.Progress(Progress{done, total})
	}
}
