package asks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

func (f *Figure) rowsFile(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("rows-%d-%d-%t.jsonl", f.Rows, f.Eval, f.Templated))
}

func (f *Figure) evalFile(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("eval-%d-%d-%t.jsonl", f.Rows, f.Eval, f.Templated))
}

// Make writes what the call reads to a folder, unless it is there.
func (f *Figure) Make(dir string) error {
	if _, err := os.Stat(f.rowsFile(dir)); err == nil {
		return nil
	}
	return create(f.rowsFile(dir), func(rows io.Writer) error {
		if f.Eval == 0 {
			return Write(rows, Config{Rows: f.Rows, Seed: 2})
		}
		return create(f.evalFile(dir), func(eval io.Writer) error {
			return WriteContaminated(rows, eval, Contaminated{Rows: f.Rows, Eval: f.Eval, Templated: f.Templated, Seed: 1})
		})
	})
}

func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	return f.Close()
}

// Run does what the call does, from the files that Make wrote.
func (f *Figure) Run(ctx context.Context, dir string) error { return f.run(ctx, f, dir) }

// compare is decontaminate with its defaults: 8-grams of the prompts, of ASCII words.
func compare(ctx context.Context, f *Figure, dir string) error {
	items, _, err := stream.Collect(ctx, stream.From(jsonl.Open(f.evalFile(dir), jsonl.Fields(decontaminate.ItemFields))))
	if err != nil {
		return err
	}
	set := decontaminate.Set{Name: "eval"}
	for i := range items {
		set.Items = append(set.Items, decontaminate.ItemOf(&items[i]))
	}
	x, err := decontaminate.Build(ctx, []decontaminate.Set{set}, decontaminate.Config{N: []int{8}, Words: decontaminate.ASCII}, workers())
	if err != nil {
		return err
	}
	o := decontaminate.Options{Rules: []decontaminate.Rule{decontaminate.Default80{}}, Parts: decontaminate.Prompt}
	tally := decontaminate.NewTally(x, o)
	rows := stream.Through(stream.From(jsonl.Open(f.rowsFile(dir), jsonl.Fields(o.Fields()))), decontaminate.Stage(x, o, workers(), tally))
	if _, err := stream.Run(ctx, stream.To(rows, stream.Gather(1, func(b *stream.Batch[rollout.Row]) int { return len(b.Items) }, func(int) {}))); err != nil {
		return err
	}
	if found := tally.Report().Flagged; found < int64(f.Rows)/200 || found > int64(f.Rows)/40 {
		return fmt.Errorf("asks: %d of %d rows hold an item, which are about 1.5 %%", found, f.Rows)
	}
	return nil
}

// scan is hack_scan, with the floor of the reference implementation.
func scan(handOnly bool) func(ctx context.Context, f *Figure, dir string) error {
	return func(ctx context.Context, f *Figure, dir string) error {
		o := hackscan.Options{Endorsed: []string{"lookup_order"}, HandOnly: handOnly}
		r, err := hackscan.Scan(ctx, func() (stream.Flow[rollout.Row], error) {
			return stream.From(jsonl.Open(f.rowsFile(dir), jsonl.Fields(o.Fields()))), nil
		}, o)
		if err == nil && r.Regime != hackscan.Train {
			err = fmt.Errorf("asks: the verdict is %s, want %s", r.Regime, hackscan.Train)
		}
		return err
	}
}

// choose is a selection with its defaults: of 1,000 rows.
func choose(mode selection.Mode) func(ctx context.Context, f *Figure, dir string) error {
	return func(ctx context.Context, f *Figure, dir string) error {
		o := selection.Options{Mode: mode, Target: 1_000}
		a, err := selection.New(o)
		if err != nil {
			return err
		}
		end := stream.To(stream.From(jsonl.Open(f.rowsFile(dir), jsonl.Fields(o.Fields()))), stream.Gather(workers(), func(b *stream.Batch[rollout.Row]) *selection.Accumulator {
			part := a.Fresh()
			part.Add(b.Items)
			return part
		}, func(part *selection.Accumulator) { a.Merge(part) }))
		if _, err := stream.Run(ctx, end); err != nil {
			return err
		}
		plan, err := a.Plan(ctx)
		if err == nil && plan.Kept() == 0 {
			err = plan.Err()
		}
		return err
	}
}

func workers() int { return runtime.GOMAXPROCS(0) }
