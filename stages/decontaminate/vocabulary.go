package decontaminate

import "math/bits"

// vocabulary numbers different words from 1 on, in the order in which they were
// first met. 0 is no word of it. Words are told apart by their bytes; their
// hashes only find them.
type vocabulary struct {
	hashes []uint64 // of word id at id-1
	ends   []uint32 // where it ends in text
	text   []byte   // all words, one behind the other
	slots  []uint32 // ids by hash, open addressing, at most half full
}

// len is how many words there are.
func (v *vocabulary) len() int { return len(v.hashes) }

// word returns the bytes of a word.
func (v *vocabulary) word(id uint32) []byte {
	from := uint32(0)
	if id > 1 {
		from = v.ends[id-2]
	}
	return v.text[from:v.ends[id-1]]
}

// hash returns the hash of a word.
func (v *vocabulary) hash(id uint32) uint64 { return v.hashes[id-1] }

// id returns the number of a word, 0 when it is none of the vocabulary.
func (v *vocabulary) id(hash uint64, word []byte) uint32 {
	if len(v.slots) == 0 {
		return 0
	}
	mask := uint64(len(v.slots) - 1)
	for i := hash >> 20 & mask; ; i = (i + 1) & mask {
		id := v.slots[i]
		if id == 0 || v.hashes[id-1] == hash && string(v.word(id)) == string(word) {
			return id
		}
	}
}

// add returns the number of a word, a new one if it is new.
func (v *vocabulary) add(hash uint64, word []byte) uint32 {
	if id := v.id(hash, word); id != 0 {
		return id
	}
	v.hashes = append(v.hashes, hash)
	v.text = append(v.text, word...)
	v.ends = append(v.ends, uint32(len(v.text)))
	if 2*len(v.hashes) > len(v.slots) {
		v.index()
	} else {
		v.place(uint32(len(v.hashes)))
	}
	return uint32(len(v.hashes))
}

// index makes room for twice the words there are, at least, and places them.
func (v *vocabulary) index() {
	v.slots = make([]uint32, max(16, 1<<bits.Len(uint(4*len(v.hashes)-1))))
	for id := range v.hashes {
		v.place(uint32(id + 1))
	}
}

func (v *vocabulary) place(id uint32) {
	mask := uint64(len(v.slots) - 1)
	i := v.hashes[id-1] >> 20 & mask
	for v.slots[i] != 0 {
		i = (i + 1) & mask
	}
	v.slots[i] = id
}

// bytes is the memory that the vocabulary takes.
func (v *vocabulary) bytes() int {
	return 8*len(v.hashes) + 4*len(v.ends) + len(v.text) + 4*len(v.slots)
}
