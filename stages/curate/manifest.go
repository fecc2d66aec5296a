package curate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/selection"
)

// Manifest says what a run was and what it left. It is written last.
type Manifest struct {
	Version string `json:"version"` // of the program that wrote it
	Job     *Job   `json:"job"`
	Counts  Counts `json:"counts"`
	Sum     string `json:"sum"` // in = kept + dropped + quarantined, in words
	Parts   []Part `json:"parts"`
}

// consistent reports whether the figures of a manifest agree with each other, as they
// do in one that a run wrote.
func (m *Manifest) consistent() bool {
	rows := int64(0)
	for _, p := range m.Parts {
		if p.Kind == "rows" {
			rows += p.Rows
		}
	}
	return rows > 0 && rows == m.Counts.Rows && m.Counts.check() == nil && m.Sum == m.Counts.String()
}

// Job is all that decides what comes out.
type Job struct {
	Inputs    []InputFact           `json:"inputs"`
	Against   []InputFact           `json:"against"`
	Index     *decontaminate.Config `json:"index,omitempty"`
	Rules     []string              `json:"rules"` // of the comparison
	Parts     string                `json:"parts"` // that are compared
	Graders   []string              `json:"graders"`
	Mode      selection.Mode        `json:"mode"`
	Target    int                   `json:"target"`
	Holdout   float64               `json:"holdout"`
	Selection string                `json:"selection"` // the options of the mode
	Scan      string                `json:"scan"`
	K         []int                 `json:"k"`
	PartRows  int                   `json:"part_rows"` // record batches of rows.arrow end with a part
	Seed      int64                 `json:"seed"`
	Format    Format                `json:"format"`
	Arguments []Argument            `json:"arguments"`

	// What is left out where it says nothing.
	Shape       Shape       `json:"shape,omitempty"`     // but for rows
	Reference   string      `json:"reference,omitempty"` // the field that prompts take it from
	RowsPerFile int64       `json:"rows_per_file,omitempty"`
	Prior       []InputFact `json:"prior,omitempty"`
}

// InputFact is an input as it was when the run began.
type InputFact struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// job says what the run is.
func (l *line) job(ctx context.Context) (j *Job, err error) {
	o := &l.Options
	j = &Job{Mode: o.Select.Mode, Target: o.Select.Target, Holdout: o.Select.Holdout, K: append([]int{}, o.K...), Seed: o.Seed, PartRows: o.PartRows,
		Format: o.Format, RowsPerFile: o.RowsPerFile, Arguments: append([]Argument{}, o.Arguments...), Rules: []string{}, Graders: []string{}}
	if j.Inputs, err = factsOf(ctx, o.Inputs); err != nil {
		return nil, err
	}
	if j.Against, err = factsOf(ctx, o.Against); err != nil {
		return nil, err
	}
	if len(o.Prior) > 0 {
		if j.Prior, err = factsOf(ctx, o.Prior); err != nil {
			return nil, err
		}
	}
	if o.Shape != RowShape {
		j.Shape, j.Reference = o.Shape, o.Gold.Name()
	}
	if o.Index != nil {
		config := o.Index.Config()
		j.Index, j.Parts = &config, o.Decontaminate.Parts.String()
		for _, r := range o.Decontaminate.Rules {
			j.Rules = append(j.Rules, fmt.Sprintf("%s %+v", r.Name(), r))
		}
	}
	for _, g := range o.Grade {
		info := g.Grader.Info()
		name := info.Name + " " + info.Version
		if g.Marker != "" {
			name = g.Marker + "=" + name
		}
		j.Graders = append(j.Graders, name)
	}
	switch s := &o.Select; s.Mode {
	case selection.SFT:
		j.Selection = fmt.Sprintf("%+v", s.SFT)
	case selection.Pairs:
		j.Selection = fmt.Sprintf("%+v", s.Pairs)
	default:
		rl := s.RL
		rl.Prior = nil // its files stand in Prior
		j.Selection = fmt.Sprintf("%+v", rl)
	}
	j.Selection += fmt.Sprintf(" by %q, holdout seed %d", o.Select.ByName, o.Select.HoldoutSeed)
	j.Scan = "none"
	if s := &o.Scan; !o.NoScan {
		j.Scan = fmt.Sprintf("endorsed %q, sources %d, hand only %t, terms %d and %d, shuffles %d, min rows %d, seeds %d, seed %d, floor %d, alpha %v, features %d",
			s.Endorsed, s.Sources, s.HandOnly, s.TopTerms, s.ToolTerms, s.Shuffles, s.MinRows, s.Seeds, s.Seed, s.Floor, s.Alpha, s.TopFeatures)
	}
	return j, nil
}

func (j *Job) text() ([]byte, error) {
	text, err := json.Marshal(j, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	return append(text, '\n'), err
}

// differs says in which respect another job is another one.
func (j *Job) differs(o *Job) string {
	for _, d := range []struct {
		what string
		a, b any
	}{
		{"inputs", j.Inputs, o.Inputs}, {"evaluation sets", j.Against, o.Against}, {"graders", j.Graders, o.Graders},
		{"targets", j.Target, o.Target}, {"holdouts", j.Holdout, o.Holdout}, {"numbers k", j.K, o.K}, {"seeds", j.Seed, o.Seed}, {"rows a file", j.RowsPerFile, o.RowsPerFile}, {"rows a part", j.PartRows, o.PartRows},
		{"rules", j.Rules, o.Rules}, {"mode", j.Mode, o.Mode}, {"format", j.Format, o.Format}, {"shape", j.Shape, o.Shape}, {"earlier rounds", j.Prior, o.Prior}, {"selection", j.Selection, o.Selection},
		{"scan", j.Scan, o.Scan}, {"arguments", j.Arguments, o.Arguments},
	} {
		if fmt.Sprint(d.a) != fmt.Sprint(d.b) {
			return "its " + d.what + " were other"
		}
	}
	return "its arguments were other"
}

// factsOf reads the sizes and hashes of inputs. What is no regular file has none.
func factsOf(ctx context.Context, inputs []Input) ([]InputFact, error) {
	facts := make([]InputFact, len(inputs))
	for i, in := range inputs {
		facts[i] = InputFact{Name: in.Name, Bytes: -1}
		info, err := os.Stat(in.path())
		switch {
		case in.path() == files.Stdin:
			continue
		case err != nil:
			return nil, &files.InputError{Path: in.Name, Err: err}
		case !info.Mode().IsRegular():
			continue
		}
		if facts[i].SHA256, facts[i].Bytes, err = hashOf(ctx, in.path()); err != nil {
			return nil, &files.InputError{Path: in.Name, Err: err}
		}
	}
	return facts, nil
}

// stamp is when and how large a file was.
type stamp struct {
	size int64
	time time.Time
}

// stamps are those of the inputs that are regular files.
func stamps(inputs []Input) (list []stamp) {
	for _, in := range inputs {
		s := stamp{}
		if info, err := os.Stat(in.path()); err == nil && info.Mode().IsRegular() {
			s = stamp{info.Size(), info.ModTime()}
		}
		list = append(list, s)
	}
	return list
}

// unchanged is an error when an input is not what it was when the run began.
func (l *line) unchanged() error {
	for i, now := range stamps(l.Inputs) {
		if now != l.stamps[i] {
			return &files.InputError{Path: l.Inputs[i].Name, Err: ErrInputChanged}
		}
	}
	return nil
}

// readable reports whether all inputs can be told from others.
func (j *Job) readable() bool {
	return !slices.ContainsFunc(j.Inputs, func(in InputFact) bool { return in.SHA256 == "" })
}

// hashOf reads a file to its end.
func hashOf(ctx context.Context, path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h, buf := sha256.New(), make([]byte, 1<<20)
	for {
		if ctx.Err() != nil {
			return "", 0, context.Cause(ctx)
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		size += int64(n)
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), size, nil
		}
		if err != nil {
			return "", 0, err
		}
	}
}

// writeManifest hashes what was written and says so: the run has ended.
func (l *line) writeManifest(ctx context.Context) (err error) {
	r := l.result
	for i := range r.parts {
		p := &r.parts[i]
		if p.SHA256, p.Bytes, err = hashOf(ctx, l.folder.file(p.Path)); err != nil {
			return &files.OutputError{Path: l.folder.file(p.Path), Err: err}
		}
	}
	r.Manifest = &Manifest{Version: l.Version, Job: l.folder.job, Counts: r.Counts, Sum: r.Counts.String(), Parts: r.parts}
	text, err := json.Marshal(r.Manifest, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return writeFile(l.folder.file(manifestFile), append(text, '\n'))
}
