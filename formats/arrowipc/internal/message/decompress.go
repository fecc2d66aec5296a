package message

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/lz4frame"
)

// Codec is how the buffers of a batch are compressed.
type Codec uint8

const (
	None Codec = iota
	LZ4        // frames of LZ4
	Zstd
)

func (c Codec) String() string { return [...]string{"none", "lz4", "zstd"}[c] }

// rawLength stands for the length of a buffer that is not compressed among
// those that are.
const rawLength = -1

// maxWindow bounds the memory that a zstd frame may ask for: that of zstd's own
// --long.
const maxWindow = 128 << 20

var (
	zstdDecoders = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			panic("message: " + err.Error())
		}
		return d
	}}
	lz4Readers = sync.Pool{New: func() any { return lz4.NewReader(nil) }}
)

var errLength = errors.New("a buffer is not as long as it says")

// Decompress returns the bytes of a buffer. Those of None are src itself; others are
// in memory that room gives for so many bytes, where it can be said beforehand that
// they are as many.
func (c Codec) Decompress(src []byte, room func(n int) []byte) ([]byte, error) {
	if c == None || len(src) == 0 {
		return src, nil
	}
	if len(src) < 8 {
		return nil, errLength
	}
	length := int64(binary.LittleEndian.Uint64(src))
	src = src[8:]
	switch {
	case length == rawLength:
		return src, nil
	case length < 0:
		return nil, errLength
	}
	out, err := c.decompress(src, length, room)
	if err == nil && int64(len(out)) != length {
		err = errLength
	}
	if err != nil {
		return nil, fmt.Errorf("damaged %v data: %w", c, err)
	}
	return out, nil
}

const (
	zstdMost = 2000    // how many bytes one of zstd stands for in sober data
	sureSize = 1 << 20 // what may be allocated whatever the ratio
)

func (c Codec) decompress(src []byte, length int64, room func(n int) []byte) ([]byte, error) {
	if c == LZ4 {
		if lz4frame.Is(src) {
			if length > lz4frame.Bound(src) {
				return nil, errLength
			}
			out := room(int(length))
			return out, lz4frame.Decode(out, src)
		}
		if length > lz4frame.Ratio*int64(len(src)) {
			return nil, errLength
		}
		r := lz4Readers.Get().(*lz4.Reader)
		defer lz4Readers.Put(r)
		r.Reset(bytes.NewReader(src))
		return readWhole(r, length)
	}
	if length <= sureSize || length <= zstdMost*int64(len(src)) {
		var h zstd.Header
		if err := h.Decode(src); err != nil {
			return nil, err
		}
		if h.HasFCS && h.FrameContentSize != uint64(length) {
			return nil, errLength
		}
		d := zstdDecoders.Get().(*zstd.Decoder)
		defer zstdDecoders.Put(d)
		return d.DecodeAll(src, make([]byte, 0, length))
	}
	d, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return readWhole(d, length)
}

// readWhole reads all of r, which must be length bytes.
func readWhole(r io.Reader, length int64) ([]byte, error) {
	out, err := ReadBytes(r, nil, length)
	if err != nil {
		return nil, err
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != nil && err != io.EOF {
		return nil, errors.Join(errLength, err)
	}
	return out, nil
}
