package agent

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Command is an agent that is a program: it speaks JSON lines over its standard
// input and output, as [Protocol] says. A process lives as long as it answers;
// there are as many as answers are waited for at a time. One that dies, answers
// with rubbish or not in time is killed, and another is started for the next
// question. Close ends them all. What only the grader may know is not told.
type Command struct {
	name string
	args []string

	mu struct {
		sync.Mutex
		idle   []*process
		all    map[*process]bool
		closed bool
	}
}

// ErrCommand is wrapped by errors of the program itself, with the end of what it
// wrote to its standard error.
var ErrCommand = errors.New("agent: command")

// NewCommand returns an agent that is the program of the given name with
// arguments. The error says that there is no such program; none is started yet.
func NewCommand(name string, args ...string) (*Command, error) {
	if _, err := exec.LookPath(name); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCommand, err)
	}
	c := &Command{name: name, args: args}
	c.mu.all = map[*process]bool{}
	return c, nil
}

// Name returns the last element of the program's path and its arguments.
func (c *Command) Name() string {
	return strings.Join(append([]string{filepath.Base(c.name)}, c.args...), " ")
}

// Waits reports that a program mostly makes us wait.
func (c *Command) Waits() bool { return true }

// Reply asks a process. When ctx is done the process is killed, and the error
// wraps that of ctx.
func (c *Command) Reply(ctx context.Context, conv *Conversation) (Reply, error) {
	p, err := c.take()
	if err != nil {
		return Reply{}, err
	}
	r, answered, err := p.ask(ctx, conv)
	if !answered {
		c.discard(p)
		return Reply{}, fmt.Errorf("%w %s: %w%s", ErrCommand, c.Name(), err, p.stderr.quoted())
	}
	c.put(p)
	return r, err
}

// Close ends all processes. A Reply from then on is an error.
func (c *Command) Close() error {
	c.mu.Lock()
	c.mu.closed = true
	all := c.mu.all
	c.mu.all, c.mu.idle = map[*process]bool{}, nil
	c.mu.Unlock()
	for p := range all {
		p.end()
	}
	return nil
}

// take returns a process that nobody talks to.
func (c *Command) take() (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mu.closed {
		return nil, fmt.Errorf("%w %s: it was closed", ErrCommand, c.Name())
	}
	if n := len(c.mu.idle); n > 0 {
		p := c.mu.idle[n-1]
		c.mu.idle = c.mu.idle[:n-1]
		return p, nil
	}
	p, err := startProcess(c.name, c.args)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrCommand, c.Name(), err)
	}
	c.mu.all[p] = true
	return p, nil
}

func (c *Command) put(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.mu.closed {
		c.mu.idle = append(c.mu.idle, p)
	}
}

func (c *Command) discard(p *process) {
	c.mu.Lock()
	delete(c.mu.all, p)
	c.mu.Unlock()
	p.end()
}
