package message

import (
	"encoding/binary"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/lz4frame"
)

var zstdEncoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("message: " + err.Error())
	}
	return e
}}

// Append appends a buffer as it stands in a body: its length and what the codec
// makes of it, or its bytes as they are where that would be no shorter. Those of
// None have no length in front, and neither has what is empty.
func (c Codec) Append(dst, src []byte) []byte {
	if c == None || len(src) == 0 {
		return append(dst, src...)
	}
	at := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(src)))
	if c == LZ4 {
		dst = lz4frame.Append(dst, src)
	} else {
		e := zstdEncoders.Get().(*zstd.Encoder)
		defer zstdEncoders.Put(e)
		dst = e.EncodeAll(src, dst)
	}
	if len(dst)-at-8 < len(src) {
		return dst
	}
	raw := int64(rawLength)
	dst = binary.LittleEndian.AppendUint64(dst[:at], uint64(raw))
	return append(dst, src...)
}
