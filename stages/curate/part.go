package curate

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/grade"
)

// part is a part of the spool that is finished, as its note has it: what the file
// holds, and what was counted of its rows and does not stand in them. Records that
// were refused are not noted: a run that continues reads its inputs again.
type part struct {
	Version  string               `json:"version"` // of the program
	First    int64                `json:"first"`   // row that it begins with
	Rows     int64                `json:"rows"`
	Bytes    int64                `json:"bytes"`
	Sum      string               `json:"xxh3"` // of the file
	At       positions            `json:"positions"`
	Graded   []*grade.Tally       `json:"graded"` // one a grader
	Compared *decontaminate.Tally `json:"compared"`
}

// newPart returns a part of this run in which nothing was counted.
func (l *line) newPart() *part {
	p := &part{Version: l.Version}
	for range l.Grade {
		p.Graded = append(p.Graded, &grade.Tally{})
	}
	if l.Index != nil {
		p.Compared = decontaminate.NewTally(l.Index, l.Decontaminate)
	}
	return p
}

// writeNote writes the note of a part.
func (l *line) writeNote(p *part, path string) error {
	text, err := json.Marshal(p, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err == nil {
		text, err = l.seal(text)
	}
	if err != nil {
		return err
	}
	return writeLoose(path, text)
}

// errUnfit says that a part is not one that this run could have made.
var errUnfit = errors.New("is not as this run left it")

// finished reads the note of a part of an earlier run, and checks that the file is
// what it says.
func (l *line) finished(ctx context.Context, n int) (*part, error) {
	text, err := os.ReadFile(l.spool.note(n))
	if err == nil {
		text, err = l.unseal(text)
	}
	if err != nil {
		return nil, err
	}
	p := l.newPart()
	compared := p.Compared != nil
	if err := json.Unmarshal(text, p, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	if p.Version != l.Version || len(p.Graded) != len(l.Grade) || (p.Compared != nil) != compared || p.First != l.spool.rows() || p.Rows < 1 || p.Rows != int64(p.At.n) {
		return nil, errUnfit
	}
	for _, g := range p.Graded {
		if g == nil || g.Counts().Rows != p.Rows {
			return nil, errUnfit
		}
	}
	sum, size, err := xxh3Of(ctx, l.spool.path(n))
	if err == nil && (sum != p.Sum || size != p.Bytes) {
		err = errUnfit
	}
	return p, err
}

// xxh3Of is the hash of a file of the spool, which is to tell damage and not malice.
func xxh3Of(ctx context.Context, path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h, buf := xxh3.New(), make([]byte, 1<<20)
	for {
		if ctx.Err() != nil {
			return "", 0, context.Cause(ctx)
		}
		n, err := f.Read(buf)
		_, _ = h.Write(buf[:n]) // it takes everything
		size += int64(n)
		if err == io.EOF {
			return sumText(h.Sum128().Bytes()), size, nil
		}
		if err != nil {
			return "", 0, err
		}
	}
}

func sumText(sum [16]byte) string { return hex.EncodeToString(sum[:]) }
