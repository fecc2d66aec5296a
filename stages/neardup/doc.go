// Package neardup finds training prompts that say nearly the same: pairs whose
// sets of words have a Jaccard index (shared words / words of both) of 0.8 or
// more. It reports and drops nothing.
//
//	a := neardup.New()
//	_, err := stream.Run(ctx, stream.To(rows, neardup.Sink(a, 4)))
//	report, err := a.Report(ctx, neardup.Options{})
//
// The counts are exact: an inverted index over the rarest words of each prompt
// passes over pairs that cannot reach the threshold, and no others. Where even
// that is too slow [Options].Method may be [MinHash], which misses at most about
// one in a thousand of the pairs that lie right at the threshold. The rule
// and the report are those of the spec of gates, section 3.
package neardup
