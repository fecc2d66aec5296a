// Package gen makes synthetic rollouts: as many rows as a measurement needs,
// the same bytes on every run, with known faults in known places.
//
// A row is a row v1 of about 3 KB: a chat with tool calls, a final answer, a
// gold answer and a reward. Eight rollouts make a task. Row i depends on the
// seed and on i alone, so a smaller set is a prefix of a larger one.
//
//	var rows bytes.Buffer
//	err := gen.Write(&rows, gen.Config{Rows: 1000, Seed: 1})
//
// Some rows are faulty on purpose, in the shares that the constants of this
// package give: what leaked from the evaluation set of [WriteEval],
// duplicates, cut replies, rewards that pay for a phrase, missing rewards.
// [WriteTruth] says which rows, so that every gate can be held against it.
package gen
