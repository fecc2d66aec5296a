package decontaminate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// textKey tells texts apart. Those of which the reference implementation does
// not know take no number from one that it knows.
type textKey struct {
	norm        xxh3.Uint128
	inReference bool
}

// number decides which texts are indexed and numbers them and their words.
func (b *builder) number(sets []Set) error {
	x := b.x
	met := map[textKey]int32{}
	tokens := 0
	for c := range b.chunks {
		chunk := &b.chunks[c]
		for i := range chunk.drafts {
			d := &chunk.drafts[i]
			if len(d.words) == 0 {
				continue
			}
			key := textKey{d.norm, d.part.inReference()}
			text, there := met[key]
			if !there {
				text = int32(len(x.texts))
				met[key] = text
				d.keep = true
				x.texts = append(x.texts, textInfo{item: d.item, part: d.part, text: strings.Clone(d.text)})
				x.firsts = append(x.firsts, uint32(tokens))
				tokens += len(d.words)
			} else if x.texts[text].item != d.item {
				x.sets[x.items[d.item].set].Copies++
			}
			x.items[d.item].texts[d.place].text = text
			if tokens > maxValue {
				return fmt.Errorf("decontaminate: %w", ErrTooLarge)
			}
		}
		chunk.number = make([]uint32, chunk.words.len()+1)
		for id := 1; id <= chunk.words.len(); id++ {
			chunk.number[id] = x.words.add(chunk.words.hash(uint32(id)), chunk.words.word(uint32(id)))
		}
	}
	x.firsts = append(x.firsts, uint32(tokens))
	for i := range x.sets {
		if err := b.count(&x.sets[i], sets[i].Items); err != nil {
			return err
		}
	}
	x.tokens = make([]uint32, 0, tokens)
	for c := range b.chunks {
		chunk := &b.chunks[c]
		for i := range chunk.drafts {
			if d := &chunk.drafts[i]; d.keep {
				for _, w := range d.words {
					x.tokens = append(x.tokens, chunk.number[w])
				}
			}
		}
	}
	return nil
}

// count counts the questions of a set by their state.
func (b *builder) count(set *setInfo, items []Item) error {
	words := 0
	for i := range items {
		state := items[i].State
		for _, at := range b.x.items[set.First+i].texts {
			if at.text >= 0 {
				words++
			}
			if at.part == Question && (state == Usable || state == Missing) {
				state = b.stateOf(at.text)
			}
		}
		if state == Usable && !slices.ContainsFunc(items[i].Texts, func(t Text) bool { return t.Part == Question }) {
			state = Missing
		}
		set.States.Add(state)
	}
	if words == 0 {
		return fmt.Errorf("decontaminate: %q: %w among %d records", set.Name, ErrNoItems, len(items)+int(set.States.Malformed))
	}
	return nil
}

// stateOf is the state of a text that is there.
func (b *builder) stateOf(text int32) State {
	switch {
	case text < 0:
		return Empty
	case int(b.x.firsts[text+1]-b.x.firsts[text]) < b.config.shortest():
		return TooShort
	}
	return Usable
}
