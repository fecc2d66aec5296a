package neardup

import (
	"bytes"
	"slices"
)

// dictionary numbers words from 0.
type dictionary struct {
	numbers map[string]uint32
	words   []string
}

func newDictionary() dictionary { return dictionary{numbers: map[string]uint32{}} }

func (d *dictionary) number(word []byte) uint32 {
	if n, known := d.numbers[string(word)]; known {
		return n
	}
	return d.add(string(word))
}

func (d *dictionary) add(word string) uint32 {
	n := uint32(len(d.words))
	d.numbers[word] = n
	d.words = append(d.words, word)
	return n
}

// numbersOf returns the numbers of words that stand apart by single spaces,
// each once, sorted.
func (d *dictionary) numbersOf(words []byte) []uint32 {
	if len(words) == 0 {
		return nil
	}
	set := make([]uint32, 0, bytes.Count(words, space)+1)
	for len(words) > 0 {
		word, rest, _ := bytes.Cut(words, space)
		set = append(set, d.number(word))
		words = rest
	}
	slices.Sort(set)
	return slices.Clip(slices.Compact(set))
}

var space = []byte{' '}

// merge adds the words of another dictionary and returns their numbers here.
func (d *dictionary) merge(o *dictionary) []uint32 {
	numbers := make([]uint32, len(o.words))
	for i, word := range o.words {
		n, known := d.numbers[word]
		if !known {
			n = d.add(word)
		}
		numbers[i] = n
	}
	return numbers
}
