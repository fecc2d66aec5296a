package message

import (
	"encoding/binary"
	"errors"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Slots of a footer, as Arrow's File.fbs numbers them.
const (
	footerVersion      = 0
	footerSchema       = 1
	footerDictionaries = 2
	footerBatches      = 3
)

// Block is where a message stands in a file.
type Block struct {
	Offset int64
	Head   int64 // bytes of its head
	Body   int64 // bytes of its body
}

// Footer is the table of contents at the end of a file.
type Footer struct {
	Dictionaries []Block
	Batches      []Block
}

// ErrFooter is returned for a footer that cannot be one.
var ErrFooter = errors.New("the footer is damaged")

// TailSize is how many bytes behind the footer say how long it is and end the
// file.
const TailSize = 4 + len(Magic)

// FooterSize returns the length of the footer from the last TailSize bytes of a
// file. ok is false when they do not end a file.
func FooterSize(tail []byte) (size int64, ok bool) {
	if len(tail) != TailSize || string(tail[4:]) != Magic {
		return 0, false
	}
	size = int64(binary.LittleEndian.Uint32(tail))
	return size, size >= 8 && size <= maxMeta
}

// ParseFooter reads a footer.
func ParseFooter(b []byte) (*Footer, error) {
	f := &flat{b: b}
	t := rootOf(f)
	out := &Footer{blocksOf(t, footerDictionaries), blocksOf(t, footerBatches)}
	if _, ok := t.table(footerSchema); !ok || f.bad {
		return nil, ErrFooter
	}
	if !knownVersion(t, footerVersion) {
		return nil, ErrVersion
	}
	return out, nil
}

func blocksOf(t table, field int) []Block {
	start, n := t.vector(field, 24)
	blocks := make([]Block, n)
	for i := range blocks {
		at := start + 24*i
		blocks[i] = Block{t.f.i64(at), int64(t.f.i32(at + 8)), t.f.i64(at + 16)}
	}
	return blocks
}

// AppendFooter appends the footer of a file whose schema message has the
// metadata schemaMeta, and what ends the file.
func AppendFooter(dst, schemaMeta []byte, footer *Footer) []byte {
	f := flatbuffers.NewBuilder(1<<10 + len(schemaMeta) + 24*len(footer.Batches))
	schema := buildCopy(f, schemaMeta)
	batches := buildBlocks(f, footer.Batches)
	dictionaries := buildBlocks(f, footer.Dictionaries)
	f.StartObject(5)
	f.PrependUOffsetTSlot(footerSchema, schema, 0)
	f.PrependUOffsetTSlot(footerDictionaries, dictionaries, 0)
	f.PrependUOffsetTSlot(footerBatches, batches, 0)
	f.PrependInt16Slot(footerVersion, version5, 0)
	f.Finish(f.EndObject())
	out := f.FinishedBytes()
	dst = append(dst, out...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(out)))
	return append(dst, Magic...)
}

// buildCopy takes the whole flatbuffer of a schema message into another one and
// returns where its schema is then: the offsets within it stay as they are.
func buildCopy(f *flatbuffers.Builder, meta []byte) flatbuffers.UOffsetT {
	header, _ := rootOf(&flat{b: meta}).table(messageHeader)
	padded := (len(meta) + 7) &^ 7
	f.Prep(8, padded)
	for range padded - len(meta) {
		f.PlaceByte(0)
	}
	for i := len(meta) - 1; i >= 0; i-- {
		f.PlaceByte(meta[i])
	}
	return f.Offset() - flatbuffers.UOffsetT(header.pos)
}

func buildBlocks(f *flatbuffers.Builder, blocks []Block) flatbuffers.UOffsetT {
	f.StartVector(24, len(blocks), 8)
	for i := len(blocks) - 1; i >= 0; i-- {
		f.Prep(8, 24)
		f.PrependInt64(blocks[i].Body)
		f.Prep(4, 4)
		f.PrependInt32(0)
		f.PrependInt32(int32(blocks[i].Head))
		f.PrependInt64(blocks[i].Offset)
	}
	return f.EndVector(len(blocks))
}
