// Package lz4frame compresses buffers as frames of LZ4, more than twice as fast as
// the library that is used for reading others' frames, at about the same size:
//
//	frame := lz4frame.Append(nil, text)
//	err := lz4frame.Decode(text, frame)
//
// The formats are those of the LZ4 block format and the LZ4 frame format 1.6. The
// compressor finds matches as Snappy does, which Arrow's readers do not take: three
// places are hashed before one is chosen, six bytes each, and where nothing is found
// the steps grow. Its output depends on its input alone, on every machine.
package lz4frame
