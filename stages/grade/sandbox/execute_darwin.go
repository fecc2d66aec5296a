package sandbox

import "golang.org/x/sys/unix"

// execute limits the address space, as far as the system heeds that, and
// becomes the program at path; it returns only an error.
func execute(path string, argv, env []string, memory uint64) error {
	if err := setLimit(unix.RLIMIT_AS, memory, memory); err != nil {
		return err
	}
	return unix.Exec(path, argv, env)
}
