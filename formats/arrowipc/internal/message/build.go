package message

import (
	"github.com/apache/arrow-go/v18/arrow"
	flatbuffers "github.com/google/flatbuffers/go"
)

// AppendBatch appends the head of a record batch whose body has the given
// length, with custom metadata. Its bytes are those that arrow-go writes for the
// same batch: the parts are built in the order of its writer.
func AppendBatch(dst []byte, b *Batch, bodyLength int64, meta arrow.Metadata) []byte {
	f := flatbuffers.NewBuilder(1<<10 + 16*(len(b.Nodes)+len(b.Buffers)))
	f.StartVector(16, len(b.Nodes), 8)
	for i := len(b.Nodes) - 1; i >= 0; i-- {
		buildPair(f, b.Nodes[i].Length, b.Nodes[i].Nulls)
	}
	nodes := f.EndVector(len(b.Nodes))
	f.StartVector(16, len(b.Buffers), 8)
	for i := len(b.Buffers) - 1; i >= 0; i-- {
		buildPair(f, b.Buffers[i].Offset, b.Buffers[i].Length)
	}
	buffers := f.EndVector(len(b.Buffers))
	var compression flatbuffers.UOffsetT
	if b.Codec != None {
		f.StartObject(2)
		f.PrependInt8Slot(compressionCodec, int8(b.Codec-LZ4), 0)
		f.PrependInt8Slot(compressionMethod, 0, 0)
		compression = f.EndObject()
	}
	f.StartObject(5)
	f.PrependInt64Slot(batchLength, b.Rows, 0)
	f.PrependUOffsetTSlot(batchNodes, nodes, 0)
	f.PrependUOffsetTSlot(batchBuffers, buffers, 0)
	f.PrependUOffsetTSlot(batchCompression, compression, 0)
	header := f.EndObject()
	pairs := buildPairs(f, meta)
	f.StartObject(5)
	f.PrependInt16Slot(messageVersion, version5, 0)
	f.PrependByteSlot(messageHeaderType, byte(KindBatch), 0)
	f.PrependUOffsetTSlot(messageHeader, header, 0)
	f.PrependInt64Slot(messageBodyLength, bodyLength, 0)
	f.PrependUOffsetTSlot(messageMetadata, pairs, 0)
	f.Finish(f.EndObject())
	return AppendHead(dst, f.FinishedBytes())
}

// buildPair adds a struct of two numbers.
func buildPair(f *flatbuffers.Builder, first, second int64) {
	f.Prep(8, 16)
	f.PrependInt64(second)
	f.PrependInt64(first)
}

func buildPairs(f *flatbuffers.Builder, meta arrow.Metadata) flatbuffers.UOffsetT {
	n := meta.Len()
	if n == 0 {
		return 0
	}
	pairs := make([]flatbuffers.UOffsetT, n)
	for i := range pairs {
		key := f.CreateString(meta.Keys()[i])
		value := f.CreateString(meta.Values()[i])
		f.StartObject(2)
		f.PrependUOffsetTSlot(keyValueKey, key, 0)
		f.PrependUOffsetTSlot(keyValueValue, value, 0)
		pairs[i] = f.EndObject()
	}
	f.StartVector(4, n, 4)
	for i := n - 1; i >= 0; i-- {
		f.PrependUOffsetT(pairs[i])
	}
	return f.EndVector(n)
}
