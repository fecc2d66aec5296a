// Package grade runs graders over a stream of rows: what a program, and later a
// model, thinks of a rollout becomes the reward of its row.
//
//	var tally grade.Tally
//	rows = stream.Through(rows, grade.Stage(verify.Numeric(verify.NumericOptions{}), grade.Into(&tally)))
//	_, err := stream.Run(ctx, stream.To(rows, jsonl.Create("graded.jsonl")))
//	fmt.Println(tally.Counts().Passed)
//
// A [Grader] says what it needs of a row and gives a [Result]. Every row leaves
// with one of five statuses. A grader that fails, panics, does not answer in
// time or answers nonsense leaves a row without a reward, which is counted and
// never a zero; too many of them stop the run ([Budget]). Graders that keep a
// core busy work on batches, those that wait on many rows at a time.
//
// Verifiers, which are graders that a program can stand behind, are in the
// package verify beneath. Labels of people join rows through [AttachLabels]; a
// second look at verdicts is [Audit] and [SecondOpinion].
package grade
