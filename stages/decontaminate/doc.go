// Package decontaminate finds rollouts that hold items of evaluation sets, and
// says which bytes of which message are which item.
//
//	index, err := decontaminate.Build(ctx, sets, decontaminate.Config{N: []int{4}, Words: decontaminate.Unicode}, 8)
//	tally := decontaminate.NewTally(index, decontaminate.Options{})
//	rows = stream.Through(rows, decontaminate.Stage(index, decontaminate.Options{}, 8, tally))
//
// An [Index] maps the n-grams of words of evaluation sets to where they stand. A
// [Scanner] looks texts up in it: its [Evidence] holds what both have in common,
// verified word by word, and a [Rule] judges that, so that another rule or
// threshold needs no second scan. [Windowed] is the rule that we recommend;
// [Default80] is that of the reference implementation. A [Checker] does so for the
// texts of a rollout, a [Tally] counts what it finds, and merges.
//
// N-grams do not see paraphrases; package semantic compares embeddings.
package decontaminate
