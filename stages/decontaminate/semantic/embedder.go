package semantic

import (
	"context"
	"fmt"
	"math"
)

// Embedder turns texts into vectors, one a text, in their order. All vectors of
// one embedder have one length; they need not be of unit length. An embedder of
// float32 converts, which is exact.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float64, error)
}

// EmbedderFunc is a function that is an [Embedder].
type EmbedderFunc func(ctx context.Context, texts []string) ([][]float64, error)

// Embed calls the function.
func (f EmbedderFunc) Embed(ctx context.Context, texts []string) ([][]float64, error) {
	return f(ctx, texts)
}

// embed appends the vectors of texts to a matrix, a batch of texts a call.
func embed(ctx context.Context, e Embedder, batch int, texts []string, into *matrix) error {
	for from := 0; from < len(texts); from += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		some := texts[from:min(from+batch, len(texts))]
		vectors, err := e.Embed(ctx, some)
		if err != nil {
			return fmt.Errorf("semantic: embedding %d texts: %w", len(some), err)
		}
		if len(vectors) != len(some) {
			return fmt.Errorf("semantic: %w: the embedder returned %d for %d texts", ErrVectorCount, len(vectors), len(some))
		}
		for i, v := range vectors {
			if err := into.add(v); err != nil {
				return fmt.Errorf("semantic: text %d (%.80q): %w", from+i, some[i], err)
			}
		}
	}
	return nil
}

// norm is the Euclidean length of a vector.
func norm(v []float64) float64 {
	return math.Sqrt(dot(v, v))
}

// dot is the plain product, summed from left to right; the conversions keep
// compilers from fusing, so that all machines agree.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
