package decontaminate

import (
	"encoding/binary"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zeebo/xxh3"
)

// parse reads an index. Whatever the bytes are, it returns an index that can be
// used, or an error.
func parse(data []byte) (*Index, error) {
	if len(data) < len(fileMagic) || string(data[:len(fileMagic)]) != fileMagic {
		return nil, fmt.Errorf("decontaminate: %w", ErrNotIndex)
	}
	f := &fileReader{rest: data[len(fileMagic):]}
	if version := f.number(); f.err == nil && version != fileVersion {
		return nil, fmt.Errorf("decontaminate: %w: it is of version %d, want %d", ErrVersion, version, fileVersion)
	}
	if len(f.rest) < 8 {
		return nil, damaged("it ends early")
	}
	end := len(data) - 8
	if binary.LittleEndian.Uint64(data[end:]) != xxh3.Hash(data[:end]) {
		return nil, damaged("its checksum does not fit: it is cut off, or its bytes have changed")
	}
	f.rest = f.rest[:len(f.rest)-8]
	x, err := f.index()
	if err != nil {
		return nil, err
	}
	if err := x.validate(); err != nil {
		return nil, err
	}
	x.words.index()
	x.link()
	for i := range x.grams {
		x.sift(&x.grams[i])
	}
	return x, nil
}

// fileReader reads arrays. After an error it reads nothing more.
type fileReader struct {
	rest []byte
	err  error
}

func (f *fileReader) index() (*Index, error) {
	var head header
	raw := f.bytes()
	if f.err != nil {
		return nil, f.err
	}
	if err := json.Unmarshal(raw, &head, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, damaged("its header: %v", err)
	}
	config, err := head.Config.settle()
	if err != nil || !config.equal(head.Config) {
		return nil, damaged("its configuration makes no sense")
	}
	x := &Index{config: config, sets: head.Sets, words: &vocabulary{}}
	f.items(x)
	f.indexed(x)
	x.firsts, x.tokens = f.words(), f.words()
	x.words.hashes, x.words.ends, x.words.text = f.longs(), f.words(), f.bytes()
	for _, n := range config.N {
		x.grams = append(x.grams, grams{n: n, power: power(n), table: f.table()})
	}
	x.wholes = f.table()
	if f.err == nil && len(f.rest) > 0 {
		f.err = damaged("%d bytes too many", len(f.rest))
	}
	return x, f.err
}

func (f *fileReader) items(x *Index) {
	sets, ids, tasks := f.words(), f.texts(), f.texts()
	ends, parts, numbers := f.words(), f.words(), f.words()
	if f.err != nil {
		return
	}
	if len(ids) != len(sets) || len(tasks) != len(sets) || len(ends) != len(sets) || len(numbers) != len(parts) {
		f.err = damaged("lists of items are not of one length")
		return
	}
	x.items = make([]itemInfo, len(sets))
	all := make([]partText, len(parts))
	for i := range parts {
		all[i] = partText{Part(parts[i]), int32(numbers[i])}
	}
	from := uint32(0)
	for i := range x.items {
		if ends[i] < from || int(ends[i]) > len(all) {
			f.err = damaged("texts of items are out of order")
			return
		}
		x.items[i] = itemInfo{sets[i], ids[i], tasks[i], all[from:ends[i]:ends[i]]}
		from = ends[i]
	}
}

func (f *fileReader) indexed(x *Index) {
	items, parts, list := f.words(), f.words(), f.texts()
	if f.err != nil {
		return
	}
	if len(parts) != len(items) || len(list) != len(items) {
		f.err = damaged("lists of texts are not of one length")
		return
	}
	x.texts = make([]textInfo, len(items))
	for i := range x.texts {
		x.texts[i] = textInfo{items[i], Part(parts[i]), list[i]}
	}
}

func (f *fileReader) number() uint64 {
	if f.err != nil || len(f.rest) < 8 {
		f.fail()
		return 0
	}
	n := binary.LittleEndian.Uint64(f.rest)
	f.rest = f.rest[8:]
	return n
}

func (f *fileReader) fail() {
	if f.err == nil {
		f.err = damaged("it ends early")
	}
}

// take takes so many numbers of a size.
func (f *fileReader) take(size uint64) (n int, b []byte) {
	count := f.number()
	if f.err != nil || count > uint64(len(f.rest))/size {
		f.fail()
		return 0, nil
	}
	b = f.rest[: count*size : count*size]
	f.rest = f.rest[count*size:]
	return int(count), b
}

func (f *fileReader) bytes() []byte {
	_, b := f.take(1)
	return append([]byte(nil), b...)
}

func (f *fileReader) words() []uint32 {
	n, b := f.take(4)
	list := make([]uint32, n)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return list
}

func (f *fileReader) longs() []uint64 {
	n, b := f.take(8)
	list := make([]uint64, n)
	for i := range list {
		list[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return list
}

// texts reads texts, which are parts of one.
func (f *fileReader) texts() []string {
	ends, raw := f.longs(), f.bytes()
	if f.err != nil {
		return nil
	}
	all := textOf(raw)
	list := make([]string, len(ends))
	from := uint64(0)
	for i, end := range ends {
		if end < from || end > uint64(len(all)) {
			f.err = damaged("texts are out of order")
			return nil
		}
		list[i], from = all[from:end], end
	}
	return list
}

func (f *fileReader) table() *table {
	t := &table{shift: uint(f.number())}
	t.filter, t.dir, t.lows, t.refs, t.lists = f.longs(), f.words(), f.words(), f.words(), f.words()
	return t
}
