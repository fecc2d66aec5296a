package files

import (
	"bufio"
	"os"
	"sync"
)

const stdinName = "standard input"

// standard is what all that read standard input read from: Sniff looks at the
// first bytes before somebody opens it.
var standard struct {
	sync.Mutex
	file *os.File
	buf  *bufio.Reader
}

func stdin() *bufio.Reader {
	standard.Lock()
	defer standard.Unlock()
	if standard.file != os.Stdin {
		standard.file, standard.buf = os.Stdin, bufio.NewReaderSize(os.Stdin, 16) // of use only while something is peeked
	}
	return standard.buf
}
