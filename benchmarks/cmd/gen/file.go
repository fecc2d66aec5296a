package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// writeFile opens what name stands for, has it written, and closes it. The
// name's ending says how it is compressed; - is standard output.
func writeFile(name string, write func(io.Writer) error) (err error) {
	if name == "-" {
		return write(os.Stdout)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var z io.WriteCloser
	switch filepath.Ext(name) {
	case ".zst":
		z, err = zstd.NewWriter(f)
	case ".gz":
		z, err = gzip.NewWriterLevel(f, gzip.BestSpeed)
	default:
		return write(f)
	}
	if err != nil {
		return err
	}
	return errors.Join(write(z), z.Close())
}
