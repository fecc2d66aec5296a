package curate

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"time"

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

	spool     spool
	refused   int64 // records that could not become rows
	leftOut   int64 // records that were passed over
	continued int64 // rows that an earlier run had spooled
	all       bool  // the spool holds all rows
	clean     int   // rows that go on to the scan and the selection

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
// unfinished run of them is continued, which ends with the same bytes: no row of a
// part that was finished is graded or compared again. Any other folder that holds
// something is [ErrOther], unless Force is set, and one in which a run is at work is
// [ErrBusy]. A run that ends before its time is an [*UnfinishedError].
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
	if l.folder != nil {
		defer l.folder.release()
	}
	if earlier != nil || err != nil {
		return earlier, err
	}
	for _, pass := range []func(context.Context) error{l.first, l.second, l.third} {
		if err := pass(ctx); err != nil {
			return nil, l.unfinished(err)
		}
	}
	return l.finish(ctx)
}

// unfinished says of an error what is saved. Of an input that changed nothing is, and
// a run without a row is over: its folder is free for another.
func (l *line) unfinished(err error) error {
	if _, none := errors.AsType[*NoRowsError](err); none {
		l.folder.clear()
		return err
	}
	if errors.Is(err, ErrInputChanged) {
		l.spool = spool{dir: l.spool.dir}
		return errors.Join(err, l.sweep(false))
	}
	return &UnfinishedError{Rows: l.spool.rows(), All: l.all, Err: err}
}

// openFolder makes the folder ready, or returns what an earlier run found.
func (l *line) openFolder(ctx context.Context) (earlier *Result, err error) {
	if err := l.apart(); err != nil {
		return nil, err
	}
	l.stamps = stamps(l.Inputs)
	job, err := l.job(ctx)
	if err != nil {
		return nil, err
	}
	l.folder = &folder{path: l.Out, job: job}
	done, err := l.folder.open(ctx, l.Tmp, l.Force)
	if err != nil {
		return nil, err
	}
	if done != nil {
		r := &Result{Earlier: true, Counts: done.Counts, Manifest: done}
		return r, r.Counts.kept()
	}
	if err := l.folder.writeJobFile(l.JobFile); err != nil {
		return nil, err
	}
	l.spool = spool{dir: l.folder.dir(), sum: l.newPart()}
	if l.all, err = l.resume(ctx); err != nil {
		return nil, err
	}
	l.checkRoom()
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
	r := l.result
	if err := r.Counts.check(); err != nil {
		return nil, err
	}
	if err := l.writeQuarantine(ctx); err != nil {
		return nil, l.unfinished(err)
	}
	if err := l.writeReports(); err != nil {
		return nil, l.unfinished(err)
	}
	if err := l.writeManifest(ctx); err != nil {
		return nil, l.unfinished(err)
	}
	l.folder.clear()
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
