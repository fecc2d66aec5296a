package main

import (
	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// writer is the end of the conversion, for the format of its target.
func (c *conversion) writer() sink {
	if c.to.dry {
		return &counter{}
	}
	format := c.to.format()
	if format != files.JSON && c.to.quarantine != "" {
		c.rejects = jsonl.NewRejectFile(c.to.quarantine, c.reader.InputName, c.to.force)
	}
	switch format {
	case files.Parquet:
		return c.parquetWriter()
	case files.ArrowFile, files.ArrowStream:
		return c.arrowWriter(format)
	}
	return c.jsonWriter()
}

func (c *conversion) jsonWriter() sink {
	opts := []jsonl.WriteOption{jsonl.WriteWorkers(c.flags.in.parallel())}
	if !c.to.toStdout() {
		opts = append(opts, jsonl.NoEmpty()) // nobody shall take it for the result
	}
	if c.to.quarantine != "" {
		opts = append(opts, jsonl.Quarantine(c.to.quarantine, c.reader.InputName))
	}
	if c.to.force {
		opts = append(opts, jsonl.Replace())
	}
	if c.to.parts {
		opts = append(opts, jsonl.RowsPerFile(c.flags.rowsPerFile))
	}
	return jsonl.Create(c.to.path, opts...)
}

func (c *conversion) parquetWriter() sink {
	opts := []parquet.WriteOption{parquet.WriteWorkers(c.flags.in.parallel())}
	if !c.to.toStdout() {
		opts = append(opts, parquet.NoEmpty())
	}
	if c.rejects != nil {
		opts = append(opts, parquet.Rejects(c.rejects.Add))
	}
	if c.to.force {
		opts = append(opts, parquet.Replace())
	}
	if c.to.parts {
		opts = append(opts, parquet.RowsPerFile(c.flags.rowsPerFile))
	}
	w := parquet.Create(c.to.path, opts...)
	return &tableSink{w, c.rejects, func() jsonl.Summary {
		t := w.Summary()
		return jsonl.Summary{Rows: t.Rows, Dropped: t.Dropped, Rejected: t.Rejected, Parts: partsOf(t.Parts)}
	}}
}

func (c *conversion) arrowWriter(format files.Format) sink {
	opts := []arrowipc.WriteOption{arrowipc.WriteWorkers(c.flags.in.parallel()), arrowipc.AsFile()}
	if format == files.ArrowStream {
		opts = append(opts, arrowipc.AsStream())
	}
	if !c.to.toStdout() {
		opts = append(opts, arrowipc.NoEmpty())
	}
	if c.rejects != nil {
		opts = append(opts, arrowipc.Rejects(c.rejects.Add))
	}
	if c.to.force {
		opts = append(opts, arrowipc.Replace())
	}
	if c.to.parts {
		opts = append(opts, arrowipc.RowsPerFile(c.flags.rowsPerFile))
	}
	w := arrowipc.Create(c.to.path, opts...)
	return &tableSink{w, c.rejects, func() jsonl.Summary {
		t := w.Summary()
		return jsonl.Summary{Rows: t.Rows, Dropped: t.Dropped, Rejected: t.Rejected, Parts: partsOf(t.Parts)}
	}}
}

func partsOf[P parquet.Part | arrowipc.Part](parts []P) (list []jsonl.Part) {
	for _, p := range parts {
		list = append(list, jsonl.Part(p))
	}
	return list
}

// settleRejects gives the rejects of a table their final name, or takes them
// back when the run failed.
func (c *conversion) settleRejects(done bool) error {
	switch {
	case c.rejects == nil:
		return nil
	case done:
		return c.rejects.Commit()
	}
	c.rejects.Abort()
	return nil
}

// tableSink is a writer of columns that sums up as one of JSON Lines does.
type tableSink struct {
	stream.ComposedSink[rollout.Row]
	rejects *jsonl.RejectFile
	written func() jsonl.Summary
}

// Summary returns what was written.
func (s *tableSink) Summary() jsonl.Summary {
	sum := s.written()
	if s.rejects != nil {
		sum.Rejects = s.rejects.Part()
	}
	return sum
}
