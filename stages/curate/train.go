package curate

import (
	"context"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// writer is the end of a flow that writes a training file.
type writer interface {
	stream.Sink[rollout.Row]
	Summary() arrowipc.Summary
}

// trainWriter writes a file in the format of the run, none if no row comes; several
// of so many rows where that is not 0.
func (l *line) trainWriter(path string, rows int64) writer {
	switch l.Format {
	case JSONL:
		opts := []jsonl.WriteOption{jsonl.WriteWorkers(l.Workers), jsonl.Replace(), jsonl.NoEmpty()}
		if rows > 0 {
			opts = append(opts, jsonl.RowsPerFile(rows))
		}
		return jsonlWriter{jsonl.Create(path, opts...)}
	case Arrow:
		opts := []arrowipc.WriteOption{arrowipc.WriteWorkers(l.Workers), arrowipc.Replace(), arrowipc.NoEmpty()}
		if rows > 0 {
			opts = append(opts, arrowipc.RowsPerFile(rows))
		}
		return arrowipc.Create(path, opts...)
	}
	opts := []parquet.WriteOption{parquet.WriteWorkers(l.Workers), parquet.Replace(), parquet.NoEmpty()}
	if rows > 0 {
		opts = append(opts, parquet.RowsPerFile(rows))
	}
	return parquetWriter{parquet.Create(path, opts...)}
}

type jsonlWriter struct{ *jsonl.Writer }

func (w jsonlWriter) Summary() arrowipc.Summary {
	s := w.Writer.Summary()
	return arrowipc.Summary{Rows: s.Rows, Parts: partsOf(s.Parts)}
}

type parquetWriter struct{ *parquet.Writer }

func (w parquetWriter) Summary() arrowipc.Summary {
	s := w.Writer.Summary()
	return arrowipc.Summary{Rows: s.Rows, Parts: partsOf(s.Parts)}
}

func partsOf[P jsonl.Part | parquet.Part](parts []P) (list []arrowipc.Part) {
	for _, p := range parts {
		list = append(list, arrowipc.Part(p))
	}
	return list
}

// train writes what is on the shelf in the order of the plan.
func (l *line) train(ctx context.Context, kept *shelf) error {
	pairs := l.Select.Mode == selection.Pairs
	batches := stream.From(stream.SourceFunc[lot](kept.run), stream.Name("shelf"))
	rows := stream.Through(batches, stream.Map(l.Workers, func(_ context.Context, b stream.Batch[lot]) (stream.Batch[rollout.Row], error) {
		rows, err := b.Items[0].rows()
		if pairs && err == nil && l.Shape == RowShape {
			rows = selection.PairsOf(rows)
		}
		return stream.Carry(b, rows), err
	}), stream.Name("rows"))
	tasks := 0
	rows = l.shape(rows, &tasks)
	out := l.trainWriter(l.folder.file("train."+string(l.Format)), l.RowsPerFile)
	if _, err := l.flow(ctx, "train", stream.To(rows, out)); err != nil {
		return err
	}
	wanted := int64(l.plan.Kept())
	switch {
	case pairs:
		wanted /= 2
	case l.Shape == PromptShape:
		wanted = int64(tasks)
	}
	if n := out.Summary().Rows; n != wanted {
		return lost("%d are to be written, %d were", wanted, n)
	}
	l.result.addPart("train", out.Summary())
	return nil
}
