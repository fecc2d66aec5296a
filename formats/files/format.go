package files

import (
	"bytes"
	"io"
	"os"
)

// Format is what a file of rollouts is made of.
type Format uint8

const (
	JSON Format = iota // JSON text in any layout, or a zip of it
	Parquet
	ArrowFile   // Arrow IPC, the format with a footer
	ArrowStream // Arrow IPC, the format without one
)

func (f Format) String() string {
	return [...]string{"JSON", "Parquet", "Arrow file", "Arrow stream"}[f]
}

// FormatOf tells the format of an output by its name.
func FormatOf(name string) Format {
	switch Ext(name) {
	case ".parquet":
		return Parquet
	case ".arrow":
		return ArrowFile
	case ".arrows":
		return ArrowStream
	}
	return JSON
}

// Sniff tells the format of an input by its first bytes, or by its name when it
// cannot be read twice: pipes and devices. Of standard input it waits for the
// first bytes, which Open then finds there still; what is packed is taken for
// JSON.
func Sniff(path string) (Format, error) {
	if path == Stdin {
		head, err := stdin().Peek(len(magicArrow))
		if err != nil && err != io.EOF {
			return JSON, inputError(stdinName, err)
		}
		return formatOf(head), nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return FormatOf(path), nil
	}
	in, err := Open(path)
	if err != nil {
		return JSON, err
	}
	defer in.Close()
	head, _, err := in.Head()
	if err != nil {
		return JSON, err
	}
	return formatOf(head), nil
}

const magicArrow = "ARROW1"

// formatOf tells a format by the first bytes.
func formatOf(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Parquet
	case bytes.HasPrefix(head, []byte(magicArrow)):
		return ArrowFile
	case bytes.HasPrefix(head, []byte{0xff, 0xff, 0xff, 0xff}): // a message begins
		return ArrowStream
	}
	return JSON
}
