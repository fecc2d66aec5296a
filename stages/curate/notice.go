package curate

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/report"
)

// Continuing says that a run goes on where an earlier one was cut off.
type Continuing struct {
	Rows int64 // that were read, graded and compared before
	All  bool  // there are no others
}

func (c Continuing) String() string {
	if c.All {
		return fmt.Sprintf("continuing: all %s rows were read before", report.Grouped(c.Rows))
	}
	return fmt.Sprintf("continuing: %s of the rows were read before", report.Grouped(c.Rows))
}

// Anew says that a run was cut off and cannot be continued, since one of its inputs
// can be read only once, as a pipe.
type Anew struct{}

func (Anew) String() string {
	return "beginning anew: what was read before cannot be told from what comes now, since an input is no file"
}

// UnfinishedError says that a run ended before its time, and what the same run
// begins with when it is started again.
type UnfinishedError struct {
	Rows int64 // that are graded, compared and saved
	All  bool  // they are all there are
	Err  error
}

func (e *UnfinishedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnfinishedError) Unwrap() error { return e.Err }

// told tells what people should know before a run begins.
func (l *line) told(notice fmt.Stringer) {
	if l.Tell != nil {
		l.Tell(notice)
	}
}
