// Package semantic finds training texts that mean what an evaluation prompt
// means, by the cosine of their embeddings: the part of contamination that no
// n-gram can see.
//
//	ref, err := semantic.New(ctx, embedder, prompts, semantic.Options{})
//	flags, err := ref.Flags(ctx, candidates, semantic.Similarity)
//	note, err := ref.Calibrate(ctx)
//
// Whoever uses it brings the [Embedder]; this package calls no model. The work
// is candidates times prompts, so [Options].Progress hears of it as it goes.
// The rule is that of the spec of gates, section 2.1.
package semantic
