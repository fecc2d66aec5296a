package curate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stats"
	"github.com/rollmill/rollmill/stream"
)

// line is one run of the whole line.
type line struct {
	Options
	folder *folder
	start  time.Time
	stamps []stamp // of the inputs
	passes []passTimes

	spool      string
	quarantine *jsonl.RejectFile
	at         positions
	clean      int // rows that go on to the scan and the selection

	graded   []*grade.Tally
	compared *decontaminate.Tally
	measured *measure.Accumulator
	scanned  *hackscan.First
	selected *selection.Accumulator
	plan     *selection.Plan

	result *Result
}

// Run runs the whole line. The same inputs and options give the same files, but
// for run.json and the foot of report.html, whatever Workers and the batches of
// the source are.
//
// A folder that holds a finished run of the same inputs and options is left alone,
// and what that run found is returned, with Result.Earlier set; one that holds an
// unfinished run of them is begun anew, which ends with the same bytes. Any other
// folder that holds something is [ErrOther], unless Force is set.
//
// When nothing is kept the error is a [*NothingKeptError] beside the result:
// rows.arrow and the reports are there, and no training file.
func Run(ctx context.Context, o Options) (*Result, error) {
	o, err := o.settle()
	if err != nil {
		return nil, err
	}
	l := &line{Options: o, result: &Result{}}
	l.start = l.now()
	earlier, err := l.openFolder(ctx)
	if earlier != nil || err != nil {
		return earlier, err
	}
	defer l.quarantine.Abort() // nothing is left to abort after a commit
	for _, pass := range []func(context.Context) error{l.first, l.second, l.third} {
		if err := pass(ctx); err != nil {
			l.folder.abandon()
			return nil, err
		}
	}
	return l.finish(ctx)
}

// openFolder makes the folder ready, or returns what an earlier run found.
func (l *line) openFolder(ctx context.Context) (earlier *Result, err error) {
	l.stamps = stamps(l.Inputs)
	job, err := l.job(ctx)
	if err != nil {
		return nil, err
	}
	l.folder = &folder{path: l.Out, job: job}
	done, err := l.folder.open(l.Force)
	if err != nil {
		return nil, err
	}
	if done != nil {
		r := &Result{Earlier: true, Counts: done.Counts, Manifest: done}
		return r, r.Counts.kept()
	}
	dir := l.folder.hidden()
	if l.Tmp != "" {
		if dir, err = os.MkdirTemp(l.Tmp, "rollmill-*.spool"); err != nil {
			return nil, &files.OutputError{Path: l.Tmp, Err: err}
		}
		l.folder.tmp = dir
	}
	l.spool = filepath.Join(dir, rowsFile)
	l.quarantine = jsonl.NewRejectFile(l.folder.file(quarantineFile), l.inputName, true)
	return nil, nil
}

// flow runs the flow of a pass and notes how long it took.
func (l *line) flow(ctx context.Context, pass string, ends ...stream.End) (*stream.Stats, error) {
	running, err := stream.Start(pprof.WithLabels(ctx, pprof.Labels("pass", pass)), ends...)
	if err != nil {
		return nil, err
	}
	if l.Progress != nil {
		l.Progress(pass, running)
	}
	counts, err := running.Wait()
	if err != nil {
		return nil, err
	}
	l.passes = append(l.passes, timesOf(pass, counts))
	return counts, nil
}

// finish checks that every row ended somewhere, and writes the reports and, when
// all else is there, the manifest.
func (l *line) finish(ctx context.Context) (*Result, error) {
	r, whole := l.result, false
	defer func() {
		if whole {
			l.folder.clear()
		} else {
			l.folder.abandon() // the next run must see whose folder it is
		}
	}()
	if err := r.Counts.check(); err != nil {
		return nil, err
	}
	if err := l.quarantine.Commit(); err != nil {
		return nil, err
	}
	if err := l.writeReports(); err != nil {
		return nil, err
	}
	if err := l.writeManifest(ctx); err != nil {
		return nil, err
	}
	whole = true
	return r, r.Counts.kept()
}

// now is the time, and the zero time in a run that has no clock.
func (l *line) now() time.Time {
	if l.Now == nil {
		return time.Time{}
	}
	return l.Now()
}

// seconds is a time as reports have it.
func seconds(d time.Duration) float64 { return stats.Round(d.Seconds(), 3) }

// lost is a fault of the line itself.
func lost(format string, args ...any) error {
	return fmt.Errorf("curate: rows were lost: "+format, args...)
}
