package mathequal

import (
	"errors"
	"fmt"
)

// Verdict is what a comparison found.
type Verdict struct {
	// Equal reports whether answer and reference are the same.
	Equal bool

	// Answer is the text that was judged, cut out of the reply; empty when the
	// reply holds none.
	Answer string

	// Place is where in the reply the answer stood.
	Place Place

	// By is how the verdict came about.
	By Proof
}

// Proof is the means by which a verdict came about.
type Proof uint8

const (
	NoAnswer   Proof = iota // nothing in the reply can be an answer: not equal
	Unreadable              // the answer is no mathematics and its text differs: not equal
	Text                    // the texts are the same
	Number                  // both are plain numbers
	Exact                   // exact arithmetic, or the structure of sets and relations
	Rounded                 // a decimal was held against a number, both to six decimals
	Digits                  // constants evaluated to some 120 digits
	Sampled                 // evaluated at seeded points; equal is likely, not proven
)

var proofNames = [...]string{"no answer", "unreadable", "text", "number", "exact", "rounded", "digits", "sampled"}

// String returns the name of the means.
func (p Proof) String() string { return name(proofNames[:], int(p)) }

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}

// ErrNotMath is returned for a reference that is empty or cannot be read, so that
// nothing can be judged by it.
var ErrNotMath = errors.New("mathequal: the reference is not a mathematical expression")

// ErrBudget is returned when a comparison would cost more than it may: an answer
// that is too long, too deep, or names a number that is too large. It is matched
// with errors.Is; the error itself is a *BudgetError. Whoever trains on rewards
// should take no such answer out of the scores, since a policy can write them on
// purpose; see verify.MathEqual.
var ErrBudget = errors.New("mathequal: over the budget")

// BudgetError says which side of a comparison was refused, and why.
type BudgetError struct {
	Side  string // "reference", "answer", or "comparison" where it is both
	Limit string // what was exceeded
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("mathequal: over the budget: %s: %s", e.Side, e.Limit)
}

// Is makes every BudgetError match ErrBudget.
func (e *BudgetError) Is(target error) bool { return target == ErrBudget }
