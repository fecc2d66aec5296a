package curate

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// seal puts a line behind a note that tells whether it is whole and of this job: the
// hash of both.
func (l *line) seal(note []byte) ([]byte, error) {
	sum, err := l.sealOf(note)
	if err != nil {
		return nil, err
	}
	return append(append(note, '\n'), sum+"\n"...), nil
}

// unseal returns a note that was sealed, and errUnfit for anything else.
func (l *line) unseal(text []byte) (note []byte, err error) {
	note, sealed, _ := bytes.Cut(text, []byte("\n"))
	sum, err := l.sealOf(note)
	if err != nil {
		return nil, err
	}
	if string(sealed) != sum+"\n" {
		return nil, errUnfit
	}
	return note, nil
}

func (l *line) sealOf(note []byte) (string, error) {
	job, err := l.folder.job.text()
	if err != nil {
		return "", err
	}
	h := xxh3.New()
	_, _ = h.Write(job) // it takes everything
	_, _ = h.Write(note)
	return sumText(h.Sum128().Bytes()), nil
}
