package curate

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
	"github.com/rollmill/rollmill/stages/hackscan"
	"github.com/rollmill/rollmill/stages/selection"
	"github.com/rollmill/rollmill/stream"
)

// Options say what becomes of the rows. Rows and Out are needed.
type Options struct {
	Rows   stream.Source[rollout.Row] // all fields decoded; read once
	Inputs []Input                    // what Rows reads, by the number that positions give

	Grade []Grading // the first without a marker gives the reward; default: rows keep theirs

	Index         *decontaminate.Index // of the evaluation sets; default: nothing is compared
	Against       []Input              // what it was made of
	Decontaminate decontaminate.Options

	Scan   hackscan.Options // what functions it has, Arguments have to tell
	NoScan bool             // leave the hack scan out

	Select selection.Options
	K      []int // of pass@k; default: the rollouts of the smallest task, from 4 on
	Seed   int64 // of the intervals

	Out         string       // a folder, which is made if it is not there
	Format      Format       // of the training file; default Parquet, and JSONL of another shape than rows
	Shape       Shape        // of the training file; default RowShape
	Gold        verify.Field // where the reference stands that PromptShape writes; default: where verifiers look
	RowsPerFile int64        // begin a new training file after so many rows; default: one file
	Tmp         string       // folder of the spool; default: within Out
	// PartRows is how many rows a part of the spool has at most: so many a run that is
	// cut off may have to grade again. Record batches of rows.arrow end with a part.
	// Default: DefaultPartRows.
	PartRows int
	Force    bool // replace what another run left in Out

	Prior   []Input      // what Select.RL.Prior was made of
	LeftOut func() int64 // records that Rows passes over, told when it has ended; default: none
	JobFile []byte       // is written to Out as job.yaml; default: no such file

	// Arguments are further arguments that change what comes out, such as how
	// records become rows, and Version is that of the program; the manifest tells
	// both.
	Arguments []Argument
	Version   string

	Workers  int                                        // goroutines of each stage; default: one a core
	Now      func() time.Time                           // for the times in run.json; default: it tells none
	Progress func(pass string, running *stream.Running) // hears of each flow that starts; it may wait for it
	Tell     func(fmt.Stringer)                         // hears, before the first flow, of Continuing, Anew and ShortOfRoom
}

// Input is a file that a run reads.
type Input struct {
	Name string // as people call it
	Path string // where it stands; default: Name
}

func (in Input) path() string {
	if in.Path != "" {
		return in.Path
	}
	return in.Name
}

// Grading is a grader and what becomes of its verdict.
type Grading struct {
	Grader  grade.Grader
	Marker  string // the marker that it becomes; default: the reward
	Options []grade.Option
}

// Argument is an argument of a run as the manifest tells it.
type Argument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Format is what the training file is made of.
type Format string

// The formats of a training file.
const (
	Parquet Format = "parquet"
	JSONL   Format = "jsonl"
	Arrow   Format = "arrow"
)

// ErrOptions is wrapped by what is wrong with Options.
var ErrOptions = errors.New("curate: options")

// Check says what is wrong with options, as [Run] does before it reads anything. The
// error wraps [ErrOptions].
func (o Options) Check() error {
	_, err := o.settle()
	return err
}

// settle fills what was left out, and says what is wrong.
func (o Options) settle() (Options, error) {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.PartRows == 0 {
		o.PartRows = DefaultPartRows
	}
	if o.Shape == "" {
		o.Shape = RowShape
	}
	if o.Format == "" {
		o.Format = Parquet
		if o.Shape != RowShape {
			o.Format = JSONL
		}
	}
	if o.Select.Mode == "" {
		o.Select.Mode = selection.RL
	}
	if len(o.Decontaminate.Rules) == 0 {
		o.Decontaminate.Rules = []decontaminate.Rule{decontaminate.Windowed{}}
	}
	if o.Decontaminate.Parts == 0 {
		o.Decontaminate.Parts = decontaminate.AllParts
	}
	if o.Scan.Workers == 0 {
		o.Scan.Workers = o.Workers
	}
	wrong := func(format string, args ...any) (Options, error) {
		return o, fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
	}
	switch {
	case o.Rows == nil:
		return wrong("Rows: there is no source of rows")
	case o.Out == "":
		return wrong("Out: there is no folder to write to")
	case o.Workers < 1:
		return wrong("Workers %d: want at least 1", o.Workers)
	case o.PartRows < 1:
		return wrong("PartRows %d: want at least 1", o.PartRows)
	case o.Format != Parquet && o.Format != JSONL && o.Format != Arrow:
		return wrong("Format %q: want parquet, jsonl or arrow", o.Format)
	case o.Select.Mode == selection.Pairs && o.Format != JSONL:
		return wrong("Format %s: pairs are written as jsonl", o.Format)
	case o.Shape != RowShape && o.Shape != MessagesShape && o.Shape != PromptShape:
		return wrong("Shape %q: want row, messages or prompt", o.Shape)
	case o.Shape != RowShape && o.Format != JSONL:
		return wrong("Format %s: the shape %s is written as jsonl", o.Format, o.Shape)
	case o.Shape == PromptShape && o.Select.Mode == selection.Pairs:
		return wrong("Shape prompt: pairs have replies; want row or messages")
	case o.RowsPerFile < 0:
		return wrong("RowsPerFile %d: want at least 1", o.RowsPerFile)
	}
	rewards := 0
	for _, g := range o.Grade {
		if g.Marker == "" {
			rewards++
		}
	}
	if rewards > 1 {
		return wrong("Grade: %d graders give the reward; want one, and markers", rewards)
	}
	if o.Index != nil {
		for _, r := range o.Decontaminate.Rules {
			if err := o.Index.Serves(r); err != nil {
				return wrong("Decontaminate: %v", err)
			}
		}
	}
	if _, err := selection.New(o.Select); err != nil {
		return wrong("%v", err)
	}
	if err := o.Scan.Validate(); err != nil && !o.NoScan {
		return wrong("%v", err)
	}
	return o, nil
}

// inputName is what the input of a number is called.
func (o *Options) inputName(n uint32) string {
	if int(n) < len(o.Inputs) {
		return o.Inputs[n].Name
	}
	return fmt.Sprintf("input %d", n)
}

// place says where a row stands.
func (o *Options) place(at rollout.Pos) string {
	place := fmt.Sprintf("%s:%d", o.inputName(at.Input), at.Record)
	if at.Part > 0 {
		place += fmt.Sprintf(".%d", at.Part)
	}
	return place
}
