package semantic

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrSimilarity is for a threshold that is not in 0..1.
	ErrSimilarity = errors.New("similarity outside [0, 1]")
	// ErrNoEmbedder is for a missing embedder.
	ErrNoEmbedder = errors.New("no embedder")
	// ErrVectorCount is for an embedder that gives more or fewer vectors than it was given texts.
	ErrVectorCount = errors.New("wrong number of vectors")
	// ErrVector is for a vector that cannot be compared: another length than the
	// vectors before it, none at all, or a number that is not finite.
	ErrVector = errors.New("unusable vector")
)

// CheckSimilarity returns [ErrSimilarity] unless a threshold is in 0..1.
func CheckSimilarity(similarity float64) error {
	if math.IsNaN(similarity) || similarity < 0 || similarity > 1 {
		return fmt.Errorf("semantic: %w: %v", ErrSimilarity, similarity)
	}
	return nil
}
