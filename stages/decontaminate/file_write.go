package decontaminate

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zeebo/xxh3"
)

// Write writes the index; see [Read].
func (x *Index) Write(w io.Writer) error {
	head, err := json.Marshal(header{x.config, x.sets}, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	f := &fileWriter{w: w, sum: xxh3.New()}
	f.raw([]byte(fileMagic))
	f.number(fileVersion)
	f.bytes(head)
	x.writeItems(f)
	x.writeTexts(f)
	f.words(x.firsts)
	f.words(x.tokens)
	f.longs(x.words.hashes)
	f.words(x.words.ends)
	f.bytes(x.words.text)
	for i := range x.grams {
		f.table(x.grams[i].table)
	}
	f.table(x.wholes)
	if f.err == nil {
		f.buf = binary.LittleEndian.AppendUint64(f.buf[:0], f.sum.Sum64())
		_, f.err = w.Write(f.buf)
	}
	return f.err
}

func (x *Index) writeItems(f *fileWriter) {
	var ids, tasks texts
	var sets, ends, parts, numbers []uint32
	for i := range x.items {
		item := &x.items[i]
		sets = append(sets, item.set)
		ids.add(item.id)
		tasks.add(item.taskID)
		for _, t := range item.texts {
			parts, numbers = append(parts, uint32(t.part)), append(numbers, uint32(t.text))
		}
		ends = append(ends, uint32(len(parts)))
	}
	f.words(sets)
	f.texts(&ids)
	f.texts(&tasks)
	f.words(ends)
	f.words(parts)
	f.words(numbers)
}

func (x *Index) writeTexts(f *fileWriter) {
	var list texts
	var items, parts []uint32
	for i := range x.texts {
		t := &x.texts[i]
		items, parts = append(items, t.item), append(parts, uint32(t.part))
		list.add(t.text)
	}
	f.words(items)
	f.words(parts)
	f.texts(&list)
}

// texts are texts one behind the other.
type texts struct {
	ends []uint64
	text []byte
}

func (t *texts) add(text string) {
	t.text = append(t.text, text...)
	t.ends = append(t.ends, uint64(len(t.text)))
}

// fileWriter writes arrays. After an error it writes no more.
type fileWriter struct {
	w   io.Writer
	sum *xxh3.Hasher
	buf []byte
	err error
}

func (f *fileWriter) raw(b []byte) {
	if f.err != nil {
		return
	}
	f.sum.Write(b)
	_, f.err = f.w.Write(b)
}

func (f *fileWriter) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	f.raw(b[:])
}

func (f *fileWriter) bytes(b []byte) {
	f.number(uint64(len(b)))
	f.raw(b)
}

// atOnce is how many numbers are turned into bytes at a time.
const atOnce = 64 << 10

func (f *fileWriter) words(list []uint32) {
	writeNumbers(f, list, binary.LittleEndian.AppendUint32)
}

func (f *fileWriter) longs(list []uint64) {
	writeNumbers(f, list, binary.LittleEndian.AppendUint64)
}

func writeNumbers[T any](f *fileWriter, list []T, appendTo func([]byte, T) []byte) {
	f.number(uint64(len(list)))
	for some := range slices.Chunk(list, atOnce) {
		f.buf = f.buf[:0]
		for _, n := range some {
			f.buf = appendTo(f.buf, n)
		}
		f.raw(f.buf)
	}
}

func (f *fileWriter) texts(t *texts) {
	f.longs(t.ends)
	f.bytes(t.text)
}

func (f *fileWriter) table(t *table) {
	f.number(uint64(t.shift))
	f.longs(t.filter)
	f.words(t.dir)
	f.words(t.lows)
	f.words(t.refs)
	f.words(t.lists)
}
