// Package hygiene reports what is odd about a set of rows before anything is
// done with it: how long replies are and how many are cut, what the reward goes
// with over all rows, tools that nobody calls or that never work, markers without
// a number, rewards that never vary (spec of gates, section 3). It drops nothing.
//
//	a := hygiene.New(hygiene.Options{Tools: []string{"lookup", "refund"}})
//	a.Add(rows)
//	report := a.Result()
//	fmt.Println(report.Lengths.MedianChars, report.Correlations.Flagged)
//
// An [Accumulator] holds 8 bytes a row and about 40 a task; it merges, and its
// result is the same for any order of rows that have positions.
//
// The correlations here are pooled: difficult tasks with long replies look like a
// reward that punishes length. Package hackscan looks within tasks.
package hygiene
