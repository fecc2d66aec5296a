package sandbox

import "golang.org/x/sys/unix"

// execute sets the last limits, as far as the system heeds them, and becomes the
// program at path; it returns only an error.
func execute(path string, argv, env []string, last [2]ceiling) error {
	for _, c := range last {
		if err := setLimit(c.which, c.value, c.value); err != nil {
			return err
		}
	}
	return unix.Exec(path, argv, env)
}
