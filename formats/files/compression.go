package files

import (
	"bytes"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Compression is how the bytes of a file are packed.
type Compression uint8

const (
	Plain Compression = iota
	Gzip
	Zstd
)

func (c Compression) String() string { return [...]string{"plain", "gzip", "zstd"}[c] }

// CompressionOf tells the compression that a file's name promises.
func CompressionOf(name string) Compression {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return Plain
}

var (
	gzipMagic      = []byte{0x1f, 0x8b}
	zstdMagic      = []byte{0x28, 0xb5, 0x2f, 0xfd}
	zstdSkippables = []byte{0x2a, 0x4d, 0x18} // behind 0x50 to 0x5f
)

// sniff tells the compression by the first bytes.
func sniff(head []byte) Compression {
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return Gzip
	case bytes.HasPrefix(head, zstdMagic):
		return Zstd
	case len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], zstdSkippables):
		return Zstd
	}
	return Plain
}

var (
	zstdEncoders = sync.Pool{New: func() any {
		// One goroutine an encoder: the callers are many already.
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			panic("files: " + err.Error()) // the options are constants
		}
		return e
	}}
	gzipWriters = sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		return w
	}}
)

// AppendFrame appends src as one frame of zstd or one member of gzip, or as it
// is. Frames that stand behind one another are one file, so they can be made
// by many workers. The same src gives the same bytes.
func (c Compression) AppendFrame(dst, src []byte) []byte {
	switch c {
	case Zstd:
		e := zstdEncoders.Get().(*zstd.Encoder)
		defer zstdEncoders.Put(e)
		return e.EncodeAll(src, dst)
	case Gzip:
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		b := bytes.NewBuffer(dst)
		w.Reset(b)
		w.Write(src) // a buffer takes everything
		w.Close()
		return b.Bytes()
	}
	return append(dst, src...)
}
