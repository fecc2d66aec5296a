// Package probes tries a scorer with replies that deserve nothing, to see whether
// it can be cheated before anything is trained on it (spec of gates, section 7).
//
// [Cheat] lets degenerate agents answer a sample of cases: one that refuses, asks
// back, says nothing, repeats the question, rambles, or always gives the most
// common answer. [Judge] changes replies that were scored, in ways that change
// nothing of substance, and counts what passes that failed before.
//
//	report, err := probes.Cheat(ctx, rows, scorer, probes.CheatOptions{})
//	fmt.Println(report.OK, report.Flagged) // false [echo]
//
// No model is needed: the scorer is a function. A scorer that fails gives no
// score, which is counted beside the figures and is never a zero.
package probes
