// Package message reads the messages of which Arrow's IPC format is made: a
// schema, dictionaries, record batches, and the footer of a file. It knows
// neither rows nor arrays, only where the bytes of each buffer are.
//
//	head, err := message.ReadHead(r)         // what the next message is
//	batch, err := head.Batch()               // its nodes and buffers
//	text, err := batch.Codec.Decompress(part, room)
//
// Whatever is read is checked: no offset or count of a damaged file leads out of
// the bytes that are there, makes a panic, or an allocation out of proportion.
// [Checks] are checksums beside a record batch, so that damage which still looks
// like data is found as well; others' readers pass over them.
package message
