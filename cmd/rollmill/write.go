package main

import (
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
)

// writer is the end of the conversion, for the format of its target.
func (c *conversion) writer() sink {
	switch {
	case c.to.dry:
		return &counter{}
	case c.to.format() == files.Parquet:
		return c.tableWriter()
	}
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

func (c *conversion) tableWriter() sink {
	opts := []parquet.WriteOption{parquet.WriteWorkers(c.flags.in.parallel()), parquet.NoEmpty()}
	if c.to.quarantine != "" {
		c.rejects = jsonl.NewRejectFile(c.to.quarantine, c.reader.InputName, c.to.force)
		opts = append(opts, parquet.Rejects(c.rejects.Add))
	}
	if c.to.force {
		opts = append(opts, parquet.Replace())
	}
	if c.to.parts {
		opts = append(opts, parquet.RowsPerFile(c.flags.rowsPerFile))
	}
	return &tableSink{parquet.Create(c.to.path, opts...), c.rejects}
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

// tableSink is a writer of Parquet that sums up as one of JSON Lines does.
type tableSink struct {
	*parquet.Writer
	rejects *jsonl.RejectFile
}

// Summary returns what was written.
func (s *tableSink) Summary() jsonl.Summary {
	t := s.Writer.Summary()
	sum := jsonl.Summary{Rows: t.Rows, Dropped: t.Dropped, Rejected: t.Rejected}
	for _, p := range t.Parts {
		sum.Parts = append(sum.Parts, jsonl.Part(p))
	}
	if s.rejects != nil {
		sum.Rejects = s.rejects.Part()
	}
	return sum
}
