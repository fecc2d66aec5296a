package line

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"syscall"
	"time"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// Run says what is curated and how.
type Run struct {
	Rows    string // path of the rollouts
	Against string // path of the evaluation set; "": nothing is compared
	Out     string
	Workers int
	Batch   int // rows of the batches that are read; 0: as many as the reader likes
	NoScan  bool
}

// Result is what a run took. Bytes are those of the rows as plain JSON Lines.
type Result struct {
	Rows, Kept, Bytes int64
	Wall, CPU         time.Duration
	Peak              int64           // resident bytes of the process at most
	Runs              []time.Duration // the CPU times of all runs that this is the median of
	Costs             []Cost
	Profile           []byte // of the CPU, for go tool pprof
}

// Do runs the whole line: numeric grading, comparison with the evaluation set,
// hack scan, selection for RL, Arrow and Parquet out.
func (r Run) Do(ctx context.Context) (*Result, error) {
	read := []jsonl.Option{jsonl.Workers(r.Workers)}
	if r.Batch > 0 {
		read = append(read, jsonl.BatchRows(r.Batch))
	}
	rows := jsonl.Open(r.Rows, read...)
	o := curate.Options{
		Rows: rows, Inputs: []curate.Input{{Name: filepath.Base(r.Rows), Path: r.Rows}},
		Grade:  []curate.Grading{{Grader: verify.Numeric(verify.NumericOptions{})}},
		Select: selection.Options{Mode: selection.RL}, NoScan: r.NoScan,
		Out: r.Out, Workers: r.Workers, Now: time.Now, Force: true,
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return nil, err
	}
	defer pprof.StopCPUProfile()
	out, cpu, begin := &Result{}, cpuTime(), time.Now()
	if r.Against != "" {
		o.Against = []curate.Input{{Name: filepath.Base(r.Against), Path: r.Against}}
		var err error
		pprof.Do(ctx, pprof.Labels("pass", "index"), func(ctx context.Context) { o.Index, err = indexOf(ctx, r.Against, r.Workers) })
		if err != nil {
			return nil, err
		}
	}
	result, err := curate.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	out.Wall, out.CPU = time.Since(begin), cpuTime()-cpu
	pprof.StopCPUProfile()
	out.Rows, out.Kept, out.Peak = result.Counts.Rows, result.Counts.Kept, peak()
	out.Profile = profile.Bytes()
	out.Costs, err = costsOf(out.Profile)
	return out, err
}

// Median runs the line so many times and returns the run of median CPU time, the
// cheaper one of two, and the median of each limit. The limits are measured before
// each run, and once behind the last: a machine that is shared is faster at one moment
// than at another.
func (r Run) Median(ctx context.Context, runs int, limits func() ([]Limit, error)) (*Result, []Limit, error) {
	var all []*Result
	var rounds [][]Limit
	for n := range max(runs, 1) + 1 {
		round, err := limits()
		if err != nil {
			return nil, nil, err
		}
		rounds = append(rounds, round)
		if n == max(runs, 1) {
			break
		}
		one, err := r.Do(ctx)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *Result) int { return cmp.Compare(a.CPU, b.CPU) })
	median := all[(len(all)-1)/2]
	for _, one := range all {
		median.Runs = append(median.Runs, one.CPU)
	}
	return median, medianLimits(rounds), nil
}

// indexOf makes the index of an evaluation set.
func indexOf(ctx context.Context, path string, workers int) (*decontaminate.Index, error) {
	rows, rejects, err := stream.Collect(ctx, stream.From(jsonl.Open(path, jsonl.Workers(workers))))
	if err != nil {
		return nil, err
	}
	set := decontaminate.Set{Name: filepath.Base(path), Malformed: len(rejects)}
	for i := range rows {
		set.Items = append(set.Items, decontaminate.ItemOf(&rows[i]))
	}
	return decontaminate.Build(ctx, []decontaminate.Set{set}, decontaminate.Config{N: []int{decontaminate.Windowed{}.N()}, Words: decontaminate.Unicode}, workers)
}

func usage() (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprintf("line: %v", err)) // it has no way to fail
	}
	return u
}

// cpuTime is what the process has used of all cores.
func cpuTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that the process has had, in bytes.
func peak() int64 { return usage().Maxrss << 10 }
