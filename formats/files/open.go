package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// HeadSize is how many decompressed bytes Head can show.
const HeadSize = 256 << 10

// maxWindow bounds the memory that a zstd frame may ask for: that of zstd's
// own --long, which is its decoder's default bound too.
const maxWindow = 128 << 20

// Input is a file that is being read, decompressed. It is not safe for
// concurrent use, Consumed excepted.
type Input struct {
	Name        string
	Compression Compression
	Size        int64 // bytes in the file; -1 when it is not a regular file

	file     *os.File
	from     io.Reader // behind buf
	consumed atomic.Int64
	buf      *bufio.Reader
	close    func()
}

// Open opens a file for reading, or standard input for "-". Its compression is
// told by its first bytes; gzip may have several members and zstd several
// frames. A name that promises a compression the content does not have is an
// *InputError.
func Open(path string) (*Input, error) {
	if path == Stdin {
		return newInput(stdinName, os.Stdin, stdin(), false)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, inputError(path, err)
	}
	in, err := newInput(path, f, f, true)
	if err != nil {
		f.Close()
	}
	return in, err
}

func newInput(path string, f *os.File, from io.Reader, owned bool) (*Input, error) {
	in := &Input{Name: path, Size: -1, file: f, close: func() {}}
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, inputError(path, err)
	case info.IsDir():
		return nil, &InputError{path, errors.New("is a folder"), "name the files in it"}
	case info.Mode().IsRegular():
		in.Size = info.Size()
	}
	raw := bufio.NewReaderSize(&counted{in, from}, in.atMost(256<<10))
	head, err := raw.Peek(4)
	if err != nil && err != io.EOF {
		return nil, inputError(path, err)
	}
	in.Compression = sniff(head)
	if promised := CompressionOf(path); owned && promised != Plain && promised != in.Compression && len(head) > 0 {
		return nil, &InputError{path, fmt.Errorf("%w: it is %v, not %v", ErrNotAsNamed, in.Compression, promised), "rename it"}
	}
	var r io.Reader = raw
	switch in.Compression {
	case Gzip:
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, &InputError{path, err, "the gzip header is damaged"}
		}
		in.close = func() { z.Close() }
		r = z
	case Zstd:
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, &InputError{path, err, "the zstd header is damaged"}
		}
		in.close = z.Close
		r = z
	}
	in.from, in.buf = r, bufio.NewReaderSize(r, in.atMost(HeadSize))
	if owned {
		stop := in.close
		in.close = func() { stop(); f.Close() }
	}
	return in, nil
}

// atMost is n, or what a small file needs, for the size of a buffer.
func (in *Input) atMost(n int) int {
	if in.Compression == Plain && in.Size >= 0 && in.Size < int64(n) {
		return int(in.Size) + 1 // one more shows the end of the file
	}
	return n
}

// BlockSize is n, or less for a file that is known to be smaller.
func (in *Input) BlockSize(n int) int { return in.atMost(n) }

// counted counts the bytes read from the file and tells which file failed.
type counted struct {
	in   *Input
	from io.Reader
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.in.consumed.Add(int64(n))
	return n, err
}

// Head returns the first decompressed bytes without consuming them, up to
// HeadSize. whole tells that there are no more.
func (in *Input) Head() (head []byte, whole bool, err error) {
	head, err = in.buf.Peek(in.buf.Size())
	if err == io.EOF {
		return head, true, nil
	}
	return head, false, in.wrap(err)
}

// Read reads decompressed bytes.
func (in *Input) Read(p []byte) (int, error) {
	from := io.Reader(in.buf)
	if in.Compression == Zstd && in.buf.Buffered() == 0 {
		from = in.from // which has a buffer of its own: nothing is copied twice
	}
	n, err := from.Read(p)
	return n, in.wrap(err)
}

func (in *Input) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return &InputError{in.Name, fmt.Errorf("packed with a window of more than %d MiB: %w", maxWindow>>20, err), "pack it again without --long, or with --long=27"}
	}
	if in.Compression != Plain {
		return &InputError{in.Name, fmt.Errorf("damaged %v data near byte %d: %w", in.Compression, in.Consumed(), err),
			"restore the file, or cut it with a tool that salvages"}
	}
	return inputError(in.Name, err)
}

// Consumed returns how many bytes of the file were read so far, compressed as
// they are. It may be called at any time.
func (in *Input) Consumed() int64 { return in.consumed.Load() }

// ReaderAt gives access to the file itself when it is a regular file and not
// compressed, as a zip needs.
func (in *Input) ReaderAt() (r io.ReaderAt, size int64, ok bool) {
	return in.file, in.Size, in.Size >= 0 && in.Compression == Plain
}

// Forget tells the system that what is in the file is not read again soon: what is
// written next takes the memory that holds it. New memory costs a virtual machine ten
// times as much as what is written into it.
func (in *Input) Forget() {
	if in.Size >= 0 {
		forget(in.file)
	}
}

// Close releases the decoder and closes the file. Standard input stays open.
func (in *Input) Close() error {
	in.close()
	in.close = func() {}
	return nil
}
