package hackscan

import "unicode/utf8"

// names are pieces of text that hold terms: a source, a length and the bytes of
// each, in blocks, so that nothing is copied when there are many.
type names struct {
	blocks [][]byte
	used   int // blocks that hold anything
}

const (
	nameBlockBits = 16

	// maxName bounds the text of a term that is kept; digits may run long.
	maxName = 200
)

// add keeps a piece of text that holds a term, and returns where.
func (n *names) add(source byte, piece []byte) uint32 {
	if len(piece) > maxName {
		piece = termText(nil, piece)
		for len(piece) > maxName {
			_, size := utf8.DecodeLastRune(piece)
			piece = piece[:len(piece)-size]
		}
	}
	if n.used == 0 || len(n.blocks[n.used-1])+2+len(piece) > 1<<nameBlockBits {
		if n.used == len(n.blocks) {
			n.blocks = append(n.blocks, make([]byte, 0, 1<<nameBlockBits))
		}
		n.used++
	}
	last := &n.blocks[n.used-1]
	at := (n.used-1)<<nameBlockBits | len(*last)
	*last = append(append(*last, source, byte(len(piece))), piece...)
	return uint32(at)
}

// at is what add kept.
func (n *names) at(at uint32) (source byte, piece []byte) {
	kept := n.blocks[at>>nameBlockBits][at&(1<<nameBlockBits-1):]
	return kept[0], kept[2 : 2+kept[1]]
}

// source is that of a piece.
func (n *names) source(at uint32) byte { return n.blocks[at>>nameBlockBits][at&(1<<nameBlockBits-1)] }

// clear forgets all pieces, and keeps the room.
func (n *names) clear() {
	for i := range n.blocks[:n.used] {
		n.blocks[i] = n.blocks[i][:0]
	}
	n.used = 0
}
