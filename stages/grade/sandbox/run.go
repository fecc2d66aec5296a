//go:build linux || darwin

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// leaveDelay is how long a dead command's outputs may stay open: at Weak a
	// process that left the group may hold them, and on a crowded machine what
	// is in the pipes takes time to be read.
	leaveDelay = 10 * time.Second
	// startDelay is how long a helper may take to start the command, beside its
	// wall time, on a crowded machine.
	startDelay = time.Minute
)

// errWall and errOutput are the reasons for which a run is ended early.
var (
	errWall   = errors.New("wall time is over")
	errOutput = errors.New("too much output")
)

// errUnstarted says that a helper ended before it started the command, which
// says nothing about the command.
var errUnstarted = errors.New("the helper was ended before it started the command")

// probe runs the helper up to the point where a command would start.
func (b *Box) probe(ctx context.Context) error {
	r, err := b.start(ctx, order{Command: Command{Path: "/"}, Limits: b.limits, Level: b.level, Probe: true})
	if err == nil && !r.OK() {
		return fmt.Errorf("the helper ended with exit code %d, limit %q", r.Exit, r.Limit)
	}
	return err
}

func (b *Box) run(ctx context.Context, c Command) (Result, error) {
	if _, err := os.Stat(c.Path); errors.Is(err, fs.ErrNotExist) {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	r, err := b.start(ctx, order{Command: c, Limits: b.limits, Level: b.level})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", ErrStart, err)
	}
	return r, err
}

// start runs a helper and says how its command ended.
func (b *Box) start(ctx context.Context, o order) (Result, error) {
	began := time.Now()
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// At Full the supervisor watches the time, which starts with the command,
	// and this only the supervisor. At Weak the bound of the start comes first.
	bound := startDelay
	if b.level == Full {
		bound += b.limits.Wall
	}
	clock := time.AfterFunc(bound, func() { cancel(errWall) })
	defer clock.Stop()

	stdout := &capture{max: b.limits.Output, full: func() { cancel(errOutput) }}
	stderr := &capture{max: b.limits.Output, full: func() { cancel(errOutput) }}
	cmd, err := b.helper(run, &o)
	if err != nil {
		return Result{}, err
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = leaveDelay

	if b.level == Weak {
		folder, err := workingFolder(o.Command.Files)
		if err != nil {
			return Result{}, err
		}
		defer os.RemoveAll(folder)
		cmd.Dir = folder
		o.Command.Files = nil
	}
	said, err := converse(cmd, o, clock)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	switch {
	case said.Failed != "":
		return Result{}, errors.New(said.Failed)
	case !said.Started && !said.Probed:
		return Result{}, errUnstarted
	}
	r := Result{
		Exit: said.Exit, Signal: said.Signal, Level: b.level,
		Stdout: stdout.kept, Stderr: stderr.kept,
		CPU: time.Duration(said.CPU), Wall: time.Since(began),
	}
	r.Limit = b.limitOf(&r, said, context.Cause(run), stdout.over || stderr.over)
	if r.Limit != LimitNone && r.Exit == 0 {
		r.Exit = -1
	}
	return r, nil
}

// limitOf says at which limit a run ended.
func (b *Box) limitOf(r *Result, said outcome, cause error, over bool) Limit {
	switch {
	case over:
		return LimitOutput
	case said.Wall || errors.Is(cause, errWall):
		if said.Crowd || complaint(r.Stderr) == LimitProcesses {
			return LimitProcesses
		}
		return LimitWall
	case said.Lost:
		return LimitLost
	case r.Signal == "SIGXCPU" || r.Signal == "SIGKILL" && r.CPU >= b.limits.CPU:
		return LimitCPU
	case r.Signal == "SIGXFSZ":
		return LimitFileSize
	case r.Exit == 0:
		return LimitNone
	}
	if l := complaint(r.Stderr); l != LimitNone {
		return l
	}
	if said.Crowd {
		return LimitProcesses
	}
	return LimitNone
}

// outcome is a report, and whether there was one.
type outcome struct {
	report
	Lost bool // the command had been started, and nothing reported its end
}

// converse starts the helper, gives it its order and waits for its end. At Weak
// it sets the clock anew when the command starts.
func converse(cmd *exec.Cmd, o order, clock *time.Timer) (outcome, error) {
	ordersIn, ordersOut, err := os.Pipe()
	if err != nil {
		return outcome{}, err
	}
	defer ordersOut.Close()
	defer ordersIn.Close()
	reportsIn, reportsOut, err := os.Pipe()
	if err != nil {
		return outcome{}, err
	}
	defer reportsIn.Close()
	defer reportsOut.Close()
	cmd.ExtraFiles = []*os.File{ordersIn, reportsOut} // 3 and 4
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	ordersIn.Close()
	reportsOut.Close()
	orderErr := writeOrder(ordersOut, o)
	var said report
	if o.Level == Weak {
		// The helper becomes the command, and then its pipe ends.
		said, err = readReport(reportsIn, o)
		if errors.Is(err, errNoReport) && clock.Stop() {
			said.Started = true
			clock.Reset(o.Limits.Wall)
		}
	}
	waitErr := cmd.Wait()
	killGroup(cmd)
	var bad *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &bad) && !errors.Is(waitErr, exec.ErrWaitDelay) && !ended(waitErr) {
		return outcome{}, waitErr
	}
	if o.Level == Full {
		said, err = readReport(reportsIn, o)
	}
	out, err := outcomeOf(cmd, said, err, o.Level)
	if orderErr != nil && err == nil && out.Failed == "" && !ended(waitErr) {
		return outcome{}, orderErr
	}
	return out, err
}

// ended reports whether a wait was cut short by the context's end.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errWall) || errors.Is(err, errOutput)
}

// outcomeOf makes an outcome of what the helper said. At Weak the helper has
// become the command, and only its failure says anything.
func outcomeOf(cmd *exec.Cmd, said report, err error, level Level) (outcome, error) {
	if err == nil {
		return outcome{report: said}, nil
	}
	if !errors.Is(err, errNoReport) {
		return outcome{}, fmt.Errorf("the helper's report: %w", err)
	}
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	out := outcome{report: said, Lost: level == Full}
	out.CPU = int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())
	out.Exit = status.ExitStatus()
	if status.Signaled() {
		out.Exit, out.Signal = -1, unix.SignalName(status.Signal())
	}
	return out, nil
}

// killGroup ends what is left of a command's process group.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL)
	}
}

// workingFolder makes a folder that holds the files.
func workingFolder(files []File) (string, error) {
	folder, err := os.MkdirTemp("", "rollmill-sandbox-")
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o644); err != nil {
			os.RemoveAll(folder)
			return "", err
		}
	}
	return folder, nil
}
