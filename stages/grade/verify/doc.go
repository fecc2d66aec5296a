// Package verify has graders that a program can stand behind: an answer is held
// against a reference, and the verdict is the same on every machine and in every
// year.
//
//	numeric := verify.Numeric(verify.NumericOptions{})
//	rows = stream.Through(rows, grade.Stage(numeric, grade.Workers(4)))
//
// The answer is the final text of the row, the reference what the grader alone
// may know, or a field named like one; [Options] name others (spec of rows,
// section 3). A row without a reference cannot be judged: it gets no reward.
// Verifiers read nothing but the row, quote no private reference in a reason,
// and combine: [All], [Any], [Weighted], [Not], [First]. [Parse] reads them from
// a line of text, such as any(exact,numeric:0.01).
package verify
