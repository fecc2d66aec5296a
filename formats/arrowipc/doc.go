// Package arrowipc reads and writes rollouts as Arrow record batches: IPC files
// and streams, and batches in memory for programs that embed us.
//
//	in := arrowipc.Open("rollouts.arrow", arrowipc.Fields(rollout.FieldTaskID|rollout.FieldReward))
//	out := arrowipc.Create("out.arrow", arrowipc.Compress(arrowipc.Zstd))
//	_, err := stream.Run(ctx, stream.To(stream.From(in), out))
//
// The columns are the fields of row v1, as [Schema] has them; what a column does
// not give back exactly stands as JSON in the column "extra" and wins on the way
// back, so that a row comes back equal by its canonical text. Files of other
// programs are read too, row by row as records. Damage is an error that names
// the file, the record batch and the column; nothing is read wrongly.
//
// arrow-go encodes and compresses what is written. It does not load what is
// read: its reader takes all columns, so that two of them are read twice as fast
// as all (15 times here), and believes the lengths in a damaged file, which can
// end the process.
package arrowipc
