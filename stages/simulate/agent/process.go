package agent

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxAnswer is how long an answer may be, in bytes.
const maxAnswer = 16 << 20

// process is one that runs.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stdout io.Closer
	stderr tail
	asked  int64
	buf    []byte

	mu struct {
		sync.Mutex
		ended bool // its number may be another's by now
	}
}

func startProcess(name string, args []string) (*process, error) {
	p := &process{cmd: exec.Command(name, args...)}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second // for what it started and left behind
	alone(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in, p.out, p.stdout = in, bufio.NewReaderSize(out, 64<<10), out
	return p, nil
}

// kill kills the process, and all that it has started: who waits for an answer
// gets none.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.mu.ended {
		kill(p.cmd)
		_ = p.stdout.Close() // somebody may hold its other end
	}
}

// end kills the process and waits for it.
func (p *process) end() {
	p.kill()
	p.mu.Lock()
	ended := p.mu.ended
	p.mu.ended = true
	p.mu.Unlock()
	if !ended {
		_ = p.in.Close()
		_ = p.cmd.Wait() // it was killed
	}
}

// ask asks one question. answered is false when the process is of no more use.
func (p *process) ask(ctx context.Context, c *Conversation) (r Reply, answered bool, err error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, true, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	p.asked++
	p.buf = appendQuestion(p.buf[:0], p.asked, c)
	_, err = p.in.Write(p.buf)
	var line []byte
	if err == nil {
		line, err = p.line()
	}
	switch {
	case ctx.Err() != nil:
		return Reply{}, false, fmt.Errorf("no answer: %w", ctx.Err())
	case errors.Is(err, io.EOF), err != nil && line == nil:
		p.end()
		return Reply{}, false, fmt.Errorf("it ended without an answer (%s)", p.cmd.ProcessState)
	}
	var id struct {
		ID    *int64 `json:"id"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal(line, &id, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return Reply{}, false, fmt.Errorf("%w: %q: %w", ErrReply, head(line), err)
	}
	if id.ID != nil && *id.ID != p.asked {
		return Reply{}, false, fmt.Errorf("%w: it answers question %d; want %d", ErrReply, *id.ID, p.asked)
	}
	r, err = ParseReply(line)
	return r, !errors.Is(err, ErrReply), err
}

// line reads a line.
func (p *process) line() ([]byte, error) {
	p.buf = p.buf[:0]
	for {
		part, err := p.out.ReadSlice('\n')
		p.buf = append(p.buf, part...)
		switch {
		case err == nil:
			return p.buf, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(p.buf) > maxAnswer:
			return p.buf, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
		}
	}
}

// head is the beginning of a line, as errors show it.
func head(line []byte) []byte {
	line = bytes.TrimSpace(line)
	return line[:min(len(line), 80)]
}

// shownTail is how many bytes of a process's standard error an error shows.
const shownTail = 200

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b[max(0, len(b)-shownTail):]...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-shownTail):]...)
	return len(b), nil
}

// quoted is the text behind an error, "" when there is none.
func (t *tail) quoted() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.text), "\uFFFD"))
	if text == "" {
		return ""
	}
	return "; it said: " + text
}
