package simulate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zeebo/xxh3"
)

// journal keeps the answers of an agent. An answer is appended before it is
// used, so a run that is killed has lost none that came back; the next run of
// the same configuration finds it by what it was asked for, and everything else
// follows from the draws. So the rows are those of a run that nothing disturbed.
//
// The file is lines of JSON: the configuration first, then an answer a line. A
// last line that was not written to its end is cut off. A nil journal keeps
// nothing.
type journal struct {
	path string
	mu   struct {
		sync.Mutex
		file  *os.File
		known map[xxh3.Uint128]place // answers that were there
		size  int64
		found int64 // answers that were used again
		line  []byte
		err   error
	}
}

// place is where a line stands.
type place struct {
	offset int64
	length int32
}

// heading is the first line.
type heading struct {
	Journal   string         `json:"journal"`
	Version   int            `json:"version"`
	Arguments jsontext.Value `json:"arguments"`
}

// entry is an answer, or the error in its place.
type entry struct {
	Key     string         `json:"key"`
	Task    string         `json:"task"`
	Index   int            `json:"index"`
	Attempt int            `json:"attempt"`
	Turn    int            `json:"turn"`
	Reply   jsontext.Value `json:"reply,omitzero"`
	Error   string         `json:"error,omitzero"`
	Timeout bool           `json:"timeout,omitzero"`
}

const (
	journalName    = "rollmill simulate"
	journalVersion = 1
	maxErrorText   = 400 // bytes
)

// openJournal opens a journal, or begins one. arguments is JSON: what a run
// must have in common with the one that wrote it.
func openJournal(path string, arguments []byte) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	j := &journal{path: path}
	j.mu.file, j.mu.known = file, map[xxh3.Uint128]place{}
	if err := j.load(arguments); err != nil {
		_ = file.Close()
		return nil, err
	}
	return j, nil
}

// load reads what is there and cuts a torn end off.
func (j *journal) load(arguments []byte) error {
	r := bufio.NewReaderSize(j.mu.file, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF):
			return j.begin(arguments)
		case err != nil:
			return fmt.Errorf("%w: %w", ErrCheckpoint, err)
		case n == 1:
			err = sameRun(line, arguments)
		default:
			err = j.index(line)
		}
		if err != nil {
			return fmt.Errorf("%w: %s:%d: %w", ErrCheckpoint, j.path, n, err)
		}
		j.mu.size += int64(len(line))
	}
}

// begin makes the journal end behind its last whole line, and writes the first
// where there is none.
func (j *journal) begin(arguments []byte) error {
	err := j.mu.file.Truncate(j.mu.size)
	if err == nil && j.mu.size == 0 {
		var text []byte
		text, err = json.Marshal(heading{journalName, journalVersion, arguments})
		if err == nil {
			err = j.appendLocked(text)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	return nil
}

// index notes where an answer stands.
func (j *journal) index(line []byte) error {
	var e entry
	if err := json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("no answer: %w", err)
	}
	key, err := parseKey(e.Key)
	if err != nil {
		return err
	}
	if _, twice := j.mu.known[key]; !twice {
		j.mu.known[key] = place{j.mu.size, int32(len(line))}
	}
	return nil
}

func formatKey(k xxh3.Uint128) string { return fmt.Sprintf("%016x%016x", k.Hi, k.Lo) }

func parseKey(s string) (k xxh3.Uint128, err error) {
	if len(s) != 32 {
		return k, fmt.Errorf("key %s; want 32 hexadecimal digits", short(s))
	}
	var low error
	k.Hi, err = strconv.ParseUint(s[:16], 16, 64)
	k.Lo, low = strconv.ParseUint(s[16:], 16, 64)
	return k, errors.Join(err, low)
}

// find returns an answer that is known.
func (j *journal) find(key xxh3.Uint128) (e entry, ok bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	at, ok := j.mu.known[key]
	if !ok {
		return e, false, j.mu.err
	}
	line := make([]byte, at.length)
	if _, err := j.mu.file.ReadAt(line, at.offset); err != nil {
		return e, false, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	j.mu.found++
	return e, true, json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true))
}

// keep appends an answer. When it has returned the answer may be used.
func (j *journal) keep(e entry) error {
	text, err := json.Marshal(&e, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.mu.err == nil {
		if err := j.appendLocked(text); err != nil {
			j.mu.err = fmt.Errorf("%w: %w", ErrCheckpoint, err)
		}
	}
	return j.mu.err
}

// appendLocked writes a line with one call, so that another process, or the next
// run, finds it whole or torn and never mixed.
func (j *journal) appendLocked(text []byte) error {
	j.mu.line = append(append(j.mu.line[:0], text...), '\n')
	n, err := j.mu.file.WriteAt(j.mu.line, j.mu.size)
	if err == nil {
		j.mu.size += int64(n)
	}
	return err
}

// close closes the file.
func (j *journal) close() {
	if j != nil {
		_ = j.mu.file.Close() // every line was written
	}
}

// replayed returns how many answers were used again.
func (j *journal) replayed() int64 {
	if j == nil {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.mu.found
}
