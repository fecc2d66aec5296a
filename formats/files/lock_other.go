//go:build !linux && !darwin

package files

import (
	"errors"
	"io/fs"
	"os"
)

// Lock knows no locks here: it is errors.ErrUnsupported.
func Lock(*os.File) error { return errors.ErrUnsupported }

// Owned does not know whose a file is here.
func Owned(fs.FileInfo) bool { return false }
