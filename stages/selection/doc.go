// Package selection keeps the rows that carry signal and says of every other one
// which gate dropped it: whole groups for reinforcement learning, replies to
// imitate, pairs of a better and a worse reply (spec of gates, sections 5 and 6).
//
//	s, err := selection.Select(rows, selection.Options{Target: 1000})
//	s.Rows                  // in the order in which a trainer should see them
//	s.Report.Dropped        // rows by gate: in = kept + all of these
//
// Rows that do not fit in memory come in batches to an [Accumulator], which keeps
// some 40 bytes of each; its [Plan] says in a second pass what to do with them.
package selection
