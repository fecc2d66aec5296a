package parquet

import (
	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Codec is how pages are compressed.
type Codec uint8

const (
	Zstd   Codec = iota // at its fastest level
	Snappy              // larger, faster to read
	None
)

var codecs = [...]compress.Codec{&zstd.Codec{Level: zstd.SpeedFastest}, &fastSnappy{}, &parquet.Uncompressed}

// fastSnappy writes the blocks that snappy reads with the faster encoder of s2.
type fastSnappy struct{ snappy.Codec }

func (*fastSnappy) Encode(dst, src []byte) ([]byte, error) {
	return s2.EncodeSnappy(dst[:cap(dst)], src), nil
}
