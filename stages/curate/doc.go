// Package curate is the whole line: it grades rollouts, looks for what leaked from
// evaluation sets, scans for rewards that a policy can game, selects, and writes a
// training file, with every row accounted for.
//
//	result, err := curate.Run(ctx, curate.Options{
//		Rows:   jsonl.Open("rollouts.jsonl.zst"),
//		Inputs: []curate.Input{{Name: "rollouts.jsonl.zst"}},
//		Grade:  []curate.Grading{{Grader: verify.Numeric(verify.NumericOptions{})}},
//		Index:  index, // of the evaluation sets
//		Select: selection.Options{Mode: selection.RL},
//		Out:    "out/",
//	})
//	fmt.Println(result.Counts) // in 1,000 = kept 212 + dropped 785 + quarantined 3
//
// A first pass reads the rows once, grades and compares them, and leaves them in a
// spool; a second reads of the spool what terms are looked for in, and plans; a
// third writes rows.arrow, in which every row says at which gate it ended, and the
// training file in the order of the plan. Beside them stand quarantine.jsonl,
// report.json, report.html, run.json and, last of all, manifest.json. A run that was
// cut off goes on where its last finished part of the spool ends.
package curate
