package verify

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoInterpreter says that the program that is to run code is not installed.
var ErrNoInterpreter = errors.New("verify: the interpreter is not installed")

// interpreter is a program that runs code, and the folders that it needs.
type interpreter struct {
	path     string
	readable []string
}

// findProgram finds a program by its name or path.
func findProgram(name string) (interpreter, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return interpreter{}, fmt.Errorf("%w: %s: install it, or name another command: %w", ErrNoInterpreter, name, err)
	}
	return interpreter{path: path, readable: []string{path}}, nil
}

// findPython finds the Python that python3 stands for. It may be a script that
// starts another one, so it is asked where it and its library are.
func findPython(ctx context.Context) (interpreter, error) {
	python, err := findProgram("python3")
	if err != nil {
		return interpreter{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	const ask = "import os, sys\nprint(os.path.realpath(sys.executable))\nprint(sys.base_prefix)\nprint(sys.base_exec_prefix)"
	out, err := exec.CommandContext(ctx, python.path, "-I", "-c", ask).Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 3 || !filepath.IsAbs(lines[0]) {
		return interpreter{}, fmt.Errorf("%w: %s does not say where it is: %w", ErrNoInterpreter, python.path, err)
	}
	found := interpreter{path: lines[0]}
	for _, dir := range lines[1:] {
		if dir != "/" && dir != "/usr" && dir != "/usr/local" { // those of the system are there anyway
			found.readable = append(found.readable, dir)
		}
	}
	return found, nil
}
