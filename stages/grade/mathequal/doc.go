// Package mathequal decides whether the final answer of a reply and a reference
// are the same mathematical object, written as LaTeX or as plain text.
//
//	m, err := mathequal.NewMatcher(`\frac{1}{2}`, mathequal.Options{})
//	v, err := m.Reply(`so the answer is \boxed{0.5}`)   // v.Equal == true
//
// A verdict says where the answer stood and by what means it was decided. Equal
// texts and plain numbers are settled without a tree; rational numbers, roots of
// rationals and polynomials by exact arithmetic; other constants to 120 digits.
// What is left (functions of symbols) is evaluated at fixed seeded real points on
// the principal branch: what differs at one is different, but agreement at all of
// them is no proof, and two expressions within one part in 10^9 of each other at
// every point are called equal. Every call works within a budget of operations, so
// no answer can hang it; over the budget is an error and never a verdict.
package mathequal
