package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollmill/rollmill/stages/curate"
)

// say tells on standard error what people should know before a run begins.
func (c *curating) say(notice fmt.Stringer) {
	if !c.flags.report.quiet {
		fmt.Fprintln(c.cmd.ErrOrStderr(), "rollmill: "+clean(notice.String()))
	}
}

// unfinished says of a run that ended before its time what is saved and how to go on,
// and gives the error behind it.
func (c *curating) unfinished(err error) error {
	left, ok := errors.AsType[*curate.UnfinishedError](err)
	if !ok {
		return cause(err)
	}
	if err = cause(left.Err); err == nil {
		return left.Err
	}
	out, again := clean(c.flags.out), "the same command"
	if len(c.inputs.copies) > 0 {
		again += " with the same input"
	}
	saved := count(left.Rows, "row") + " are saved"
	if left.All {
		saved = "all " + saved
	}
	switch {
	case errors.Is(err, context.Canceled) && left.Rows == 0:
		return &commandError{exitInterrupted, "interrupted; nothing is saved in " + out + " yet: " + again + " begins anew"}
	case errors.Is(err, context.Canceled):
		return &commandError{exitInterrupted, "interrupted; " + saved + " in " + out + ": " + again + " continues"}
	case left.Rows > 0:
		fmt.Fprintf(c.cmd.ErrOrStderr(), "rollmill: %s in %s: %s continues when what is wrong is mended\n", saved, out, again)
	}
	return err
}
