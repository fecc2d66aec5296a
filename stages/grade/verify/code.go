package verify

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

// CodeOptions are the arguments of [CodeExec]. The zero value is the default.
type CodeOptions struct {
	Options
	Tests string // of every row; default: privileged.tests, else the reference where that is a text
	Setup string // stands before the code

	// Command runs the code: the program and its arguments, one of which is File.
	// Tests pass when it ends with exit code 0. Default: Python, with a harness
	// that calls the test functions.
	Command []string
	File    string   // name of the file that holds setup, code and tests; only with Command
	Words   []string // words of the fences that code stands in; default python and py, none with Command
}

//go:embed harness.py
var harness []byte

// CodeExec passes an answer whose code passes the tests: the last fenced block
// of Python, or of no language, else the whole answer. Setup, code and tests are
// one program, which runs in a box; in Python every function whose name begins
// with test_ is called behind it (spec of rows, section 3.4).
//
// What the package sandbox says of the level of the box holds for the code. Code
// and tests share a process, so that code which looks for its tests can find
// them, code may change what tests compare, and code that is written against the
// harness can say that its tests passed; a program that only ends before its
// tests are through does not pass. judge_meta tells the level.
//
// The error says that the interpreter is missing, or what is wrong with Command.
func CodeExec(ctx context.Context, box *sandbox.Box, o CodeOptions) (grade.Grader, error) {
	if box == nil {
		panic("verify: CodeExec wants a box")
	}
	c := &codeExec{box: box, o: o, words: o.Words, command: o.Command}
	var err error
	switch {
	case len(o.Command) == 0:
		c.program, err = findPython(ctx)
		if c.words == nil {
			c.words = []string{"python", "py", "python3"}
		}
	case !slices.Contains(o.Command[1:], o.File) || o.File == "":
		return nil, fmt.Errorf("verify: the command %q does not name the file %q", o.Command, o.File)
	default:
		c.program, err = findProgram(o.Command[0])
	}
	if err != nil {
		return nil, err
	}
	name := "code"
	if len(o.Command) > 0 {
		name = "code:" + o.Command[0]
	}
	c.source = newVerifier(name, "1", o.Options, nil)
	c.info = c.source.info
	c.info.Waits = true
	if o.Tests != "" && o.Gold.IsZero() {
		c.info.Needs &^= rollout.FieldPrivileged | rollout.FieldExtra
	}
	c.meta = []rollout.Member{{Name: "sandbox", JSON: string(rollout.AppendText(nil, box.Level().String()))}}
	return c, nil
}

// codeExec is the verifier.
type codeExec struct {
	info    grade.Info
	source  *Verifier // finds answer and reference
	box     *sandbox.Box
	o       CodeOptions
	words   []string
	command []string
	program interpreter
	meta    []rollout.Member
}

// Info says what the verifier is.
func (c *codeExec) Info() grade.Info { return c.info }

// Grade runs the code of an answer with its tests.
func (c *codeExec) Grade(ctx context.Context, row *rollout.Row) (grade.Result, error) {
	tests, private := c.tests(row)
	if tests == "" {
		return grade.CannotJudge("no tests"), nil
	}
	source := c.o.Setup + "\n" + c.code(c.source.answerOf(row)) + "\n" + tests + "\n"
	ran, word, err := c.run(ctx, source)
	if err != nil {
		return grade.Result{}, fmt.Errorf("verify: run the code: %w", err)
	}
	r := c.conclude(&ran, word, private)
	r.Meta = c.meta
	return r, nil
}

// tests finds the tests of a row; private ones may not be quoted.
func (c *codeExec) tests(row *rollout.Row) (text string, private bool) {
	if c.o.Tests != "" {
		return c.o.Tests, true
	}
	if c.o.Gold.IsZero() {
		if text, ok := rollout.TextOf(rollout.MemberOf(row.Privileged, "tests")); ok {
			return text, true
		}
	}
	gold := c.source.reference(row)
	if gold.JSON != "" && gold.JSON[0] != '"' {
		return "", false
	}
	return gold.Text, gold.Private
}

// code is the code in an answer.
func (c *codeExec) code(answer string) string {
	for _, block := range slices.Backward(fenced(answer)) {
		if block.word == "" || slices.Contains(c.words, block.word) {
			return block.text
		}
	}
	return answer
}

// run runs a program. word is what it has to say at the end, "" for nothing.
func (c *codeExec) run(ctx context.Context, source string) (ran sandbox.Result, word string, err error) {
	command := sandbox.Command{Path: c.program.path, Readable: c.program.readable}
	if len(c.command) > 0 {
		command.Args = c.command[1:]
		command.Files = []sandbox.File{{Name: c.o.File, Data: []byte(source)}}
	} else {
		secret := make([]byte, 16)
		if _, err := rand.Read(secret); err != nil {
			return ran, "", err
		}
		word = hex.EncodeToString(secret)
		command.Args = []string{"-I", "harness.py"}
		command.Files = []sandbox.File{
			{Name: "harness.py", Data: harness}, {Name: "program.py", Data: []byte(source)}, {Name: "word.txt", Data: []byte(word)},
		}
	}
	ran, err = c.box.Run(ctx, command)
	return ran, word, err
}

// conclude says what the end of a program means.
func (c *codeExec) conclude(ran *sandbox.Result, word string, private bool) grade.Result {
	switch {
	case ran.Limit != sandbox.LimitNone:
		return grade.Fail(c.atLimit(ran.Limit))
	case ran.Signal != "":
		return grade.Fail("ended by " + ran.Signal)
	case ran.Exit != 0:
		return grade.Fail(complaint(ran, private))
	case !strings.Contains(string(ran.Stdout), word): // what is printed at the exit stands behind it
		return grade.Fail("it ended before its tests were through")
	}
	return grade.Pass("the tests pass")
}

// atLimit says at which limit a program ended.
func (c *codeExec) atLimit(limit sandbox.Limit) string {
	l := c.box.Limits()
	switch limit {
	case sandbox.LimitWall:
		return fmt.Sprintf("not done within %v", l.Wall)
	case sandbox.LimitCPU:
		return fmt.Sprintf("more than %v of processor time", l.CPU)
	case sandbox.LimitMemory:
		return fmt.Sprintf("more than %d MiB of memory", l.Memory>>20)
	case sandbox.LimitOutput:
		return fmt.Sprintf("more than %d KiB of output", l.Output>>10)
	}
	return "stopped at a limit: " + string(limit)
}

// maxComplaint is how many bytes of what a program complains about are told.
const maxComplaint = 200

// complaint is the last line of standard error: of private tests only the kind
// of the error, since the rest may quote them.
func complaint(ran *sandbox.Result, private bool) string {
	line := strings.TrimSpace(lastLine(strings.ToValidUTF8(string(ran.Stderr), "")))
	if private {
		line, _, _ = strings.Cut(line, ":")
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' }) {
			line = ""
		}
	}
	if line == "" {
		return fmt.Sprintf("exit code %d", ran.Exit)
	}
	return cut(line, maxComplaint)
}
