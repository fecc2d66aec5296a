package message

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Magic stands at both ends of a file in the file format.
const Magic = "ARROW1"

// Start is how far the first message of a file is from its beginning.
const Start = 8

var (
	// ErrUnended is returned at the end of an input that ends between two
	// messages without the mark that says so. Others' streams may do that.
	ErrUnended = errors.New("ends without the mark of its end")
	// ErrNotArrow is returned for what cannot be a message at all.
	ErrNotArrow = errors.New("not an Arrow IPC message")
	// ErrDamaged is returned for a message that contradicts itself.
	ErrDamaged = errors.New("damaged metadata")
	// ErrVersion is returned for a message or a footer of a version of the format
	// that is not known.
	ErrVersion = errors.New("of another version of the Arrow format; want V4 or V5")
)

// Kind is what a message is.
type Kind uint8

const (
	KindSchema     Kind = 1
	KindDictionary Kind = 2
	KindBatch      Kind = 3
)

// Slots of the tables in a message, as Arrow's Message.fbs numbers them.
const (
	messageVersion    = 0
	messageHeaderType = 1
	messageHeader     = 2
	messageBodyLength = 3
	messageMetadata   = 4

	keyValueKey   = 0
	keyValueValue = 1
)

// Head is the metadata of a message. Its body of BodyLength bytes follows it.
type Head struct {
	Kind       Kind
	Meta       []byte // the flatbuffer
	Size       int64  // bytes of the head, padding and all
	BodyLength int64

	header table
	pairs  map[string]string
}

// maxMeta bounds the bytes of a head: far more than a batch of thousands of
// columns needs, and less than what text taken for a length gives.
const maxMeta = 64 << 20

// ReadHead reads the head of the next message. The error is io.EOF at the mark
// of the end, ErrUnended when the input ends without it, io.ErrUnexpectedEOF
// within a head, and ErrNotArrow or ErrDamaged for what is no head.
func ReadHead(r io.Reader) (*Head, error) {
	var prefix [8]byte
	if _, err := io.ReadFull(r, prefix[:4]); err != nil {
		if err == io.EOF {
			return nil, ErrUnended
		}
		return nil, err
	}
	h := &Head{Size: 4}
	length := binary.LittleEndian.Uint32(prefix[:])
	if length == 0xffffffff { // older writers leave this mark out
		if _, err := io.ReadFull(r, prefix[4:]); err != nil {
			return nil, cut(err)
		}
		h.Size = 8
		length = binary.LittleEndian.Uint32(prefix[4:])
	}
	switch {
	case length == 0:
		return nil, io.EOF
	case length > maxMeta || length < 8:
		return nil, fmt.Errorf("%w: its length would be %d", ErrNotArrow, length)
	}
	var err error
	if h.Meta, err = ReadBytes(r, nil, int64(length)); err != nil {
		return nil, cut(err)
	}
	h.Size += int64(length)
	return h, h.parse()
}

func (h *Head) parse() error {
	f := &flat{b: h.Meta}
	m := rootOf(f)
	h.Kind = Kind(m.u8(messageHeaderType))
	h.BodyLength = m.i64(messageBodyLength)
	var ok bool
	h.header, ok = m.table(messageHeader)
	h.pairs = pairsOf(m, messageMetadata)
	if f.bad || !ok || h.BodyLength < 0 {
		return ErrDamaged
	}
	if !knownVersion(m, messageVersion) {
		return ErrVersion
	}
	if h.Kind < KindSchema || h.Kind > KindBatch {
		return fmt.Errorf("%w: a message of kind %d; want a schema, a dictionary or a record batch", ErrDamaged, h.Kind)
	}
	return nil
}

// The versions of the metadata that are known: those of Arrow 0.8 and of 1.0.
const (
	version4 = 3
	version5 = 4
)

func knownVersion(t table, field int) bool {
	v := t.i16(field)
	return v == version4 || v == version5
}

func pairsOf(t table, field int) map[string]string {
	var pairs map[string]string
	t.tables(field, func(kv table) {
		if pairs == nil {
			pairs = map[string]string{}
		}
		pairs[kv.text(keyValueKey)] = kv.text(keyValueValue)
	})
	return pairs
}

// readStep is how much is allocated at once on the word of a length alone.
const readStep = 16 << 20

// ReadBytes appends n bytes of r to dst. It allocates as they come, so that a
// wrong n costs no memory. An input that ends early is io.ErrUnexpectedEOF.
func ReadBytes(r io.Reader, dst []byte, n int64) ([]byte, error) {
	for n > 0 {
		step := int(min(n, max(readStep, int64(len(dst)))))
		at := len(dst)
		if cap(dst)-at < step {
			grown := make([]byte, at, at+step)
			copy(grown, dst)
			dst = grown
		}
		dst = dst[:at+step]
		if _, err := io.ReadFull(r, dst[at:]); err != nil {
			return dst[:at], cut(err)
		}
		n -= int64(step)
	}
	return dst, nil
}

// cut says that an input ended where it must not.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// AppendHead appends the head of a message whose metadata is the flatbuffer
// meta: the mark, its length, itself, and padding.
func AppendHead(dst, meta []byte) []byte {
	size := (len(meta) + 7) &^ 7
	dst = append(dst, 0xff, 0xff, 0xff, 0xff)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	dst = append(dst, meta...)
	return append(dst, make([]byte, size-len(meta))...)
}

// AppendEnd appends the mark of the end.
func AppendEnd(dst []byte) []byte { return append(dst, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0) }
