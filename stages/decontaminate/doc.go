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
// Of 1,000 copies, whole, within other text, with words or numbers changed, and as
// many rows that only look like copies, in templates that no threshold was chosen
// on, the rules find (package labelled makes the set, testdata/study.txt has the
// intervals):
//
//	rule             precision  recall
//	windowed             1.000   1.000
//	default80            1.000   0.273
//	any8                 0.660   1.000
//	any13                0.678   0.712
//	tokenshare           0.820   0.982
//	itemshare            1.000   0.778
//	longestspan          0.797   0.847
//	llama2               0.968   0.628
//	decon                1.000   0.198
//	decon-question       1.000   0.563
//
// N-grams do not see paraphrases; package semantic compares embeddings.
package decontaminate
