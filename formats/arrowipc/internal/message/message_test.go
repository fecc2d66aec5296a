package message_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

var codecs = []message.Codec{message.None, message.LZ4, message.Zstd}

// options are those by which the library compresses.
var options = [][]ipc.Option{message.None: nil, message.LZ4: {ipc.WithLZ4()}, message.Zstd: {ipc.WithZstd()}}

// compressible draws bytes that repeat themselves, and some that do not.
func compressible() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		unit := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "unit")
		b := bytes.Repeat(unit, rapid.SampledFrom([]int{0, 1, 3, 50, 5000}).Draw(t, "times"))
		return append(b, rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "rest")...)
	})
}

// batch makes the message of a record batch of one text, as arrow-go writes it.
func batch(t testing.TB, codec message.Codec, text []byte, meta arrow.Metadata) (head, body []byte) {
	t.Helper()
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	b.Append(text)
	b.AppendNull()
	schema := arrow.NewSchema([]arrow.Field{{Name: "text", Type: arrow.BinaryTypes.Binary, Nullable: true}}, nil)
	rec := array.NewRecordBatchWithMetadata(schema, []arrow.Array{b.NewArray()}, 2, meta)
	p, err := ipc.GetRecordBatchPayload(rec, options[codec]...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n, err := p.WritePayload(&out)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()[:n], out.Bytes()[n:]
}

// buffer returns a buffer of a message as it stands in the body.
func buffer(t testing.TB, head, body []byte, i int) []byte {
	t.Helper()
	h, err := message.ReadHead(bytes.NewReader(head))
	if err != nil {
		t.Fatal(err)
	}
	b, err := h.Batch()
	if err != nil {
		t.Fatal(err)
	}
	e := b.Buffers[i]
	return body[e.Offset : e.Offset+e.Length]
}

// Buffers that arrow-go compressed come back.
func TestPropertyBuffersComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		src := compressible().Draw(rt, "src")
		for _, c := range codecs {
			head, body := batch(t, c, src, arrow.Metadata{})
			back, err := c.Decompress(buffer(t, head, body, 2), fresh)
			if err != nil || !bytes.Equal(back, src) {
				t.Fatalf("%v: %d bytes came back as %d: %v", c, len(src), len(back), err)
			}
		}
	})
}

func TestBuffersThatLie(t *testing.T) {
	src := bytes.Repeat([]byte("text "), 1000)
	for _, c := range codecs[1:] {
		head, body := batch(t, c, src, arrow.Metadata{})
		packed := buffer(t, head, body, 2)
		for _, length := range []uint64{0, 1, 4999, 5001, 1 << 20, 1 << 31, 1 << 45, 1 << 63, 1<<64 - 2} {
			bad := bytes.Clone(packed)
			binary.LittleEndian.PutUint64(bad, length)
			if out, err := c.Decompress(bad, fresh); err == nil {
				t.Errorf("%v: a length of %d gives %d bytes", c, length, len(out))
			}
		}
		for _, n := range []int{1, 7, 8, 9, len(packed) / 2, len(packed) - 1} {
			if _, err := c.Decompress(packed[:n], fresh); err == nil {
				t.Errorf("%v: the first %d of %d bytes are read", c, n, len(packed))
			}
		}
	}
}

func TestBatchesComeBack(t *testing.T) {
	meta := message.NewChecks(7, 2, "note", []uint64{11, 22}).Metadata()
	for _, codec := range codecs {
		head, body := batch(t, codec, bytes.Repeat([]byte("ij"), 500), meta)
		h, err := message.ReadHead(bytes.NewReader(head))
		if err != nil {
			t.Fatal(err)
		}
		if h.Kind != message.KindBatch || h.Size != int64(len(head)) || h.BodyLength != int64(len(body)) {
			t.Errorf("%+v, %d bytes and a body of %d", h, len(head), len(body))
		}
		b, err := h.Batch()
		if err != nil {
			t.Fatal(err)
		}
		if b.Rows != 2 || b.Codec != codec || !reflect.DeepEqual(b.Nodes, []message.Node{{Length: 2, Nulls: 1}}) || len(b.Buffers) != 3 {
			t.Errorf("%+v", b)
		}
		checks, err := h.Checks(b, 7)
		if err != nil || checks.Note != "note" {
			t.Fatalf("%+v %v", checks, err)
		}
		if !checks.Column(0, 11) || !checks.Column(1, 22) || checks.Column(1, 11) || checks.Column(2, 0) {
			t.Error("columns and checksums do not match")
		}
		if _, err := h.Checks(b, 8); err != message.ErrChecksum {
			t.Errorf("under another schema: %v", err)
		}
		b.Rows++
		if _, err := h.Checks(b, 7); err != message.ErrChecksum {
			t.Errorf("with another number of rows: %v", err)
		}
	}
}

// A batch of another writer has no checksums.
func TestBatchesOfOthers(t *testing.T) {
	head, _ := batch(t, message.None, nil, arrow.Metadata{})
	h, err := message.ReadHead(bytes.NewReader(head))
	if err != nil {
		t.Fatal(err)
	}
	b, err := h.Batch()
	if err != nil {
		t.Fatal(err)
	}
	if c, err := h.Checks(b, 7); c != nil || err != nil {
		t.Errorf("%+v %v", c, err)
	}
}

func TestFootersComeBack(t *testing.T) {
	head, _ := batch(t, message.None, nil, arrow.Metadata{})
	want := &message.Footer{
		Dictionaries: []message.Block{{Offset: 8, Head: 16, Body: 64}},
		Batches:      []message.Block{{Offset: 88, Head: 24, Body: 1 << 40}, {Offset: 1 << 41, Head: 32, Body: 0}},
	}
	for _, n := range []int{0, 1, 2} {
		want.Batches = want.Batches[:n]
		file := message.AppendFooter(nil, head[8:], want)
		size, ok := message.FooterSize(file[len(file)-message.TailSize:])
		if !ok || int(size) != len(file)-message.TailSize {
			t.Fatalf("%d bytes of %d, %v", size, len(file), ok)
		}
		got, err := message.ParseFooter(file[:size])
		if err != nil || len(got.Batches) != n || n > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v: %v", got, want, err)
		}
	}
}

// Of the bytes that say 4, which is V5, one is the version.
func TestOtherVersions(t *testing.T) {
	head, _ := batch(t, message.None, nil, arrow.Metadata{})
	footer := message.AppendFooter(nil, head[8:], &message.Footer{})
	footer = footer[:len(footer)-message.TailSize]
	for name, c := range map[string]struct {
		data  []byte
		parse func([]byte) error
	}{
		"message": {head, func(b []byte) error { _, err := message.ReadHead(bytes.NewReader(b)); return err }},
		"footer":  {footer, func(b []byte) error { _, err := message.ParseFooter(b); return err }},
	} {
		found := false
		for i, b := range c.data {
			if b == 4 {
				bad := bytes.Clone(c.data)
				bad[i] = 6
				found = found || errors.Is(c.parse(bad), message.ErrVersion)
			}
		}
		if !found {
			t.Errorf("%s: no version is refused", name)
		}
	}
}

func TestWhatIsNoHead(t *testing.T) {
	head, _ := batch(t, message.LZ4, nil, arrow.Metadata{})
	long := append([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 2}, head[8:]...)
	for _, c := range []struct {
		name string
		in   []byte
		want error
	}{
		{"nothing", nil, message.ErrUnended},
		{"the end", message.AppendEnd(nil), io.EOF},
		{"the end of older writers", []byte{0, 0, 0, 0}, io.EOF},
		{"text", []byte(`{"prompt":"a question"}`), message.ErrNotArrow},
		{"half a mark", head[:3], io.ErrUnexpectedEOF},
		{"half a head", head[:len(head)/2], io.ErrUnexpectedEOF},
		{"a long head that is short", long, io.ErrUnexpectedEOF},
		{"zeros", append(bytes.Clone(head[:8]), make([]byte, len(head)-8)...), message.ErrDamaged},
	} {
		if _, err := message.ReadHead(bytes.NewReader(c.in)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// No flatbuffer makes a panic, however it is damaged.
func FuzzHead(f *testing.F) {
	for _, c := range codecs {
		head, _ := batch(f, c, []byte("text"), message.NewChecks(1, 2, "n", []uint64{3}).Metadata())
		f.Add(head)
		f.Add(message.AppendFooter(nil, head[8:], &message.Footer{Batches: []message.Block{{Offset: 8}}}))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		message.ParseFooter(data)
		h, err := message.ReadHead(bytes.NewReader(data))
		if err != nil {
			return
		}
		h.Schema()
		h.Dictionary()
		if b, err := h.Batch(); err == nil {
			h.Checks(b, 1)
			for _, e := range b.Buffers {
				if e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > h.BodyLength {
					t.Fatalf("a buffer at %+v of %d bytes", e, h.BodyLength)
				}
			}
		}
	})
}

func fresh(n int) []byte { return make([]byte, n) }

// There is no room for what a buffer of ours cannot hold by the lengths of its blocks.
func TestNoRoomForLies(t *testing.T) {
	src := bytes.Repeat([]byte("text "), 1<<18)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(src[:len(src)/2]) // of which nothing is saved
	packed := message.LZ4.Append(nil, src)
	if len(packed) < 100_000 {
		t.Fatalf("%d bytes", len(packed))
	}
	for _, length := range []int64{int64(len(src)) * 4, 250 * int64(len(packed))} {
		binary.LittleEndian.PutUint64(packed, uint64(length))
		if _, err := message.LZ4.Decompress(packed, func(n int) []byte {
			t.Errorf("room for %d bytes was asked for, of %d", n, len(src))
			return make([]byte, n)
		}); err == nil {
			t.Errorf("a length of %d is read", length)
		}
	}
}
