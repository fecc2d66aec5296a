package sandbox

import "errors"

var (
	// ErrNotInstalled is returned by New when the program did not call Main
	// first: its binary cannot serve as the helper process.
	ErrNotInstalled = errors.New("sandbox: the program must call sandbox.Main first in its main function")

	// ErrIsolation is wrapped by New when the system does not allow the level
	// that was asked for.
	ErrIsolation = errors.New("sandbox: this system does not allow the isolation")

	// ErrStart is wrapped by Run when the command could not be started, such as
	// when the program does not exist: a fault of the set-up and not of the
	// command.
	ErrStart = errors.New("sandbox: the command could not be started")
)
