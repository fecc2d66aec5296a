package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stream"
)

// rowsStage is the name of the stage whose counts stand for the rows of a run.
const rowsStage = "rows"

// runFlow runs a flow to its end and shows how far it is.
func runFlow(cmd *cobra.Command, quiet bool, reader *source, ends ...stream.End) (*stream.Stats, error) {
	running, err := stream.Start(cmd.Context(), ends...)
	if err != nil {
		return nil, err
	}
	if !quiet {
		watch(cmd.ErrOrStderr(), reader, running)
	}
	stats, err := running.Wait()
	if err == nil {
		reader.sayMisses(cmd)
	}
	return stats, cause(err)
}

// cause is what made a flow fail, without the stage that was there. Code that
// still waits for input is no failure when its sink wanted no more.
func cause(err error) error {
	if stuck, ok := errors.AsType[*stream.StuckError](err); ok && stuck.Cause == nil {
		return nil
	}
	for {
		failed, ok := err.(*stream.StageError)
		if !ok {
			return err
		}
		err = failed.Err
	}
}

// stageNamed returns the counts of a stage.
func stageNamed(stats *stream.Stats, name string) stream.StageStats {
	for _, s := range stats.Stages {
		if s.Name == name {
			return s
		}
	}
	return stream.StageStats{}
}

// emptyError says that the inputs hold no record at all.
func emptyError(paths []string) error {
	return &files.InputError{Path: paths[0], Err: files.ErrEmpty, Hint: "want at least one rollout"}
}
