// Command rollmill reads rollouts of language-model agents, says what is in
// them and what is wrong with them, and converts them. See rollmill --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

func main() {
	sandbox.Main() // this program is the helper process of its own sandbox
	os.Exit(run(os.Args[1:]))
}

// run executes a command line and returns the exit code.
func run(args []string) int {
	signal.Ignore(syscall.SIGPIPE) // a closed pipe shows as an error of the write
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once

	out := newStdout(os.Stdout)
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(os.Stderr)
	err := root.ExecuteContext(ctx)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	code, line := verdict(err)
	if line != "" {
		os.Stderr.WriteString("rollmill: " + line + "\n")
	}
	return code
}
