// Package hackscan says what a reward is really paying for, before it is trained
// on. Training on groups of rollouts learns from what differs within a task, so
// that is what is scanned: everything in which the rollouts of a task differ is
// correlated with their rewards about the mean of the task, and held against what
// the best of so many features shows when rewards are shuffled within tasks
// (spec of gates, section 4).
//
//	first, err := hackscan.NewFirst(hackscan.Options{Endorsed: []string{"tool:lookup"}})
//	_, err = stream.Run(ctx, stream.To(rows(), first.Sink(4)))
//	second := first.Second() // which terms are looked for is known now
//	if second.Needed() {
//		_, err = stream.Run(ctx, stream.To(rows(), second.Sink(4)))
//	}
//	report, err := second.Report(ctx)
//	fmt.Println(report.Regime, report.TopFeature.V) // reward_hack contains:verified
//
// [Scan] does the same with rows that can be read twice, [Rows] with rows in
// memory. Features are what an agent did and how long it spoke, tools, flags of
// package conduct, exploits ([Exploit]), markers, and the terms of what it said,
// of what tools answered and of what they were called with. No text is kept: a
// row takes less than 100 bytes, at the default number of terms.
//
// # Terms
//
// The terms that become features are those that occur in most rows. They are
// counted in bounded memory in the first pass, which leaves out rare ones. Those
// that lead after the first thousands of rows, and more of them than are wanted,
// are followed: in which rows they occur is noted from the first row on. Only
// where a term that came late may be among the most frequent ones is a second
// pass needed, which looks for it. What is kept is counted exactly. [TermCount]
// says whether the ones that were kept are the most frequent for certain: they
// are whenever the least frequent one of them occurs in more rows than the first
// pass may have missed, which it knows, and no more than a quarter more terms
// than wanted remain in the contest. A term of more than 200 bytes is cut.
//
// # How often it is wrong
//
// The floor of the reference implementation chooses conjunctions by the rewards
// as they are and holds them against shuffled ones. In 1,200 data sets without
// any signal (30 tasks of 8 rollouts, rewards shuffled within tasks) it calls 131
// a hack, 11 %. The [Calibrated] floor, which repeats the whole search on every
// shuffle, calls 18, 1.5 %; TestFalseAlarms holds it to 5 % of 200. The command
// uses the calibrated one; [Parity] reproduces the reference to the last digit.
//
// # What it finds, and what not
//
// Package gen of the benchmarks makes rows of which 5 % of the tasks pay for the
// phrase "as verified above", right or wrong. Of 24,000 rows with 200 terms the
// verdict is a hack, but the phrase is too rare to be among the terms: what shows
// is that cut replies are never paid, and parts of the phrase. With 2,000 terms
// it is on top, at +0.29; in the tasks that pay for it alone it is, at +1.00,
// with 200. In the other tasks it is not found (benchmarks/hacks).
//
// The 132 labelled trajectories of rewardhackwatch have no rewards, so that only
// flags and exploits can be tried on them, taking each piece of code for a file
// that was written. They find 24 of the 99 hacks and raise no false alarm:
//
//	alignment_faking      0 of  9
//	clean                 0 of 33
//	deceptive_reasoning   3 of 15  hack.suppressed 3
//	mock_exploit          3 of 12  lie.tests_claimed 3
//	oversight_subversion  0 of  9
//	sabotage              0 of  9
//	sycophancy            0 of  9
//	test_bypass           9 of 15  early_exit 9
//	test_manipulation     9 of 21  hack.suppressed 3  hack.test_weakened 6  lie.tests_claimed 3
//
// So flags see what code does to tests and little else; what an agent means is
// not read from its words. A correlation is no cause either: [Evidence] shows
// rollouts to look at.
package hackscan
