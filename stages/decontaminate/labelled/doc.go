// Package labelled makes a labelled set to hold rules of contamination against:
// evaluation items of several kinds, training rows that hold one of them in one
// of ten forms, and rows that only look as if they did.
//
//	tuned, judged := labelled.New(labelled.Tune, 1), labelled.New(labelled.Judge, 1)
//	for _, row := range judged.Rows { ... row.Copied, row.Class, row.Item ... }
//
// A set is half of the whole: 1,000 rows that copy and 1,000 that do not. The
// halves have no template in common, neither of questions nor of instructions,
// formulas and prose, so that what is tuned on one can be judged on the other.
// The same seed gives the same set. The texts are made from a grammar; edits are
// mechanical: what a paraphrase would do to a rule this set cannot tell.
package labelled
