package decontaminate

import (
	"context"
	"fmt"
	"strings"

	"github.com/sourcegraph/conc/iter"
	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Build makes an index of evaluation sets, with so many workers, at least 1. The
// same sets give the same index for any number of them. What the index keeps is
// copied.
//
// Texts are indexed in the order of sets, items and parts; one without words, or
// that an earlier one equals but for case and white space, is not indexed again
// (spec of gates, section 2.1).
func Build(ctx context.Context, sets []Set, config Config, workers int) (*Index, error) {
	if workers < 1 {
		panic("decontaminate: Build wants at least 1 worker")
	}
	config, err := config.settle()
	if err != nil {
		return nil, err
	}
	b := &builder{config: config, workers: workers, x: &Index{config: config, words: &vocabulary{}}}
	for _, step := range []func([]Set) error{b.collect, b.read, b.number, b.index} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(sets); err != nil {
			return nil, err
		}
	}
	return b.x, nil
}

// builder makes an index.
type builder struct {
	config  Config
	workers int
	x       *Index
	drafts  []draft
	chunks  []chunk
}

// draft is a text on its way into the index.
type draft struct {
	item  uint32
	place int // among the texts of the item
	part  Part
	text  string
	norm  xxh3.Uint128 // of its norm
	words []uint32     // by their numbers in the vocabulary of the chunk
	keep  bool
}

// chunk is a run of drafts that one worker reads.
type chunk struct {
	drafts []draft
	words  vocabulary
	number []uint32 // the numbers of its words in the vocabulary of the index
}

// chunkBytes is how much text a worker reads at a time. The chunks do not depend
// on the number of workers.
const chunkBytes = 256 << 10

// collect takes the items of the sets.
func (b *builder) collect(sets []Set) error {
	names := map[string]bool{}
	for _, s := range sets {
		if names[s.Name] {
			return fmt.Errorf("decontaminate: %q: %w", s.Name, ErrSameSet)
		}
		names[s.Name] = true
		info := setInfo{Name: strings.Clone(s.Name), Items: len(s.Items), First: len(b.x.items)}
		info.States.Malformed = int64(s.Malformed)
		for i := range s.Items {
			b.collectItem(uint32(len(b.x.sets)), &s.Items[i])
		}
		b.x.sets = append(b.x.sets, info)
	}
	size, from := 0, 0
	for i := range b.drafts {
		if size += len(b.drafts[i].text); size >= chunkBytes || i == len(b.drafts)-1 {
			b.chunks = append(b.chunks, chunk{drafts: b.drafts[from : i+1]})
			size, from = 0, i+1
		}
	}
	return nil
}

func (b *builder) collectItem(set uint32, item *Item) {
	n := uint32(len(b.x.items))
	info := itemInfo{set: set, id: strings.Clone(item.ID), taskID: strings.Clone(item.TaskID)}
	for i, t := range item.Texts {
		info.texts = append(info.texts, partText{t.Part, -1})
		b.drafts = append(b.drafts, draft{item: n, place: i, part: t.Part, text: t.Text})
	}
	b.x.items = append(b.x.items, info)
}

// read splits and hashes the texts.
func (b *builder) read([]Set) error {
	it := iter.Iterator[chunk]{MaxGoroutines: b.workers}
	it.ForEach(b.chunks, func(c *chunk) {
		s := newSplitter(b.config.Words)
		for i := range c.drafts {
			d := &c.drafts[i]
			s.each(d.text, func(_ span, word []byte) {
				h := hashWord(word)
				d.words = append(d.words, c.words.add(h, word))
			})
			if len(d.words) > 0 {
				d.norm = xxh3.HashString128(text.Norm(d.text))
			}
		}
	})
	return nil
}
