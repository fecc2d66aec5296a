package lz4frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/pierrec/lz4/v4"
)

// header is that of every frame written here: independent blocks of at most 4 MiB,
// no checksums, no length. The last byte is its own checksum.
const header = "\x04\x22\x4d\x18\x60\x70\x73"

const (
	maxBlock = 4 << 20
	stored   = 1 << 31 // in the length of a block: its bytes stand as they are
)

var tables = sync.Pool{New: func() any { return &table{} }}

// Append appends src to dst as a frame.
func Append(dst, src []byte) []byte {
	t := tables.Get().(*table)
	defer tables.Put(t)
	dst = append(dst, header...)
	for len(src) > 0 {
		n := min(len(src), maxBlock)
		at := len(dst)
		dst = slices.Grow(dst, 4+bound(n))[:at+4]
		clear(t[:])
		dst = appendBlock(dst, src[:n], t)
		length := uint32(len(dst) - at - 4)
		if int(length) >= n {
			dst, length = append(dst[:at+4], src[:n]...), stored|uint32(n)
		}
		binary.LittleEndian.PutUint32(dst[at:], length)
		src = src[n:]
	}
	return append(dst, 0, 0, 0, 0)
}

// Is reports whether a frame is of the kind that Append writes.
func Is(frame []byte) bool { return len(frame) >= len(header) && string(frame[:len(header)]) == header }

// Ratio is how many bytes one of LZ4 stands for at most, in anybody's frames.
const Ratio = 255

// Bound is how many bytes may be in a frame that Append wrote at most, by the lengths of
// its blocks, or a few more: before there is room for as many as somebody says.
func Bound(frame []byte) (most int64) {
	for frame = frame[min(len(header), len(frame)):]; len(frame) >= 4; {
		size := binary.LittleEndian.Uint32(frame)
		n := min(int(size&^stored), len(frame)-4)
		if size == 0 {
			break
		}
		if size&stored != 0 {
			most += int64(n)
		} else {
			most += min(int64(n)*Ratio, maxBlock)
		}
		frame = frame[4+n:]
	}
	return most
}

// ErrDamaged is returned for what is no frame, or not one of the length it should
// have.
var ErrDamaged = errors.New("not a frame of LZ4 of that length")

// Decode fills dst with what is in a frame that Append wrote, which must be as long.
func Decode(dst, frame []byte) error {
	if !Is(frame) {
		return ErrDamaged
	}
	at := 0
	for frame = frame[len(header):]; ; {
		if len(frame) < 4 {
			return ErrDamaged
		}
		size := binary.LittleEndian.Uint32(frame)
		if frame = frame[4:]; size == 0 {
			break
		}
		n := int(size &^ stored)
		if n > len(frame) {
			return ErrDamaged
		}
		block, room := frame[:n], dst[at:min(len(dst), at+maxBlock)]
		if size&stored != 0 {
			if n > len(room) {
				return ErrDamaged
			}
			at += copy(room, block)
		} else {
			got, err := lz4.UncompressBlock(block, room)
			if err != nil {
				return fmt.Errorf("%w: %w", ErrDamaged, err)
			}
			at += got
		}
		frame = frame[n:]
	}
	if len(frame) > 0 || at != len(dst) {
		return ErrDamaged
	}
	return nil
}
