// Package asks makes the rows on which the reference implementation was timed
// (spec of gates, appendix A), by our own code: asks of 40 words and replies of
// 260 with words by Zipf's law, eight rollouts an ask, a tool on half of them
// that drives the reward, and a delimiter that is noise; and prompts of 300 words, of
// which some hold an item of an evaluation set. [Figures] are what it was timed at.
//
//	err := asks.Write(w, asks.Config{Rows: 200_000, Seed: 2})
//	go test ./asks -bench Scan -benchtime 1x -rows 200000
package asks
