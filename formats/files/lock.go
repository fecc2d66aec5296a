package files

import "errors"

// ErrLocked says that somebody else holds the lock of a file.
var ErrLocked = errors.New("is locked by another process")
