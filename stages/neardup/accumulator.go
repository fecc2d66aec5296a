package neardup

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
	"github.com/rollmill/rollmill/stream"
)

// Accumulator gathers the distinct prompts of rows. Prompts are the same that
// are equal byte for byte, and stand in the order of the rows that had them
// first by [rollout.Pos]: neither the order in which rows come nor how they are
// spread over accumulators that are merged makes a difference.
//
// It holds 80 bytes and the first 80 characters of a distinct prompt, 4 bytes
// for each of its words, and each different word once; nothing for a row. It is
// not safe for concurrent use: each worker has its own, see [Sink].
type Accumulator struct {
	words   dictionary
	prompts []prompt
	numbers map[xxh3.Uint128]int32 // of prompts by their hashes
	buf     []byte
}

// prompt is a distinct prompt.
type prompt struct {
	first stream.Pos
	head  string // its beginning, to show
	hash  xxh3.Uint128
	words []uint32 // numbers of its words, as they stand
}

// shown is how many characters of a prompt a report shows.
const shown = 80

// New returns an accumulator that has seen nothing.
func New() *Accumulator {
	return &Accumulator{words: newDictionary(), numbers: map[xxh3.Uint128]int32{}}
}

// Fields are the fields of a row that Add reads.
func Fields() rollout.Fields { return rollout.FieldPrompt }

// Add gathers the prompts of rows. A row without one has the empty prompt.
func (a *Accumulator) Add(rows []rollout.Row) {
	for i := range rows {
		a.AddPrompt(rows[i].Pos, rows[i].Prompt)
	}
}

// AddPrompt gathers one prompt. Of a text that it keeps it keeps a copy.
func (a *Accumulator) AddPrompt(at stream.Pos, s string) {
	hash := xxh3.HashString128(s)
	if a.met(hash, at) {
		return
	}
	a.buf = text.AppendWords(a.buf[:0], s)
	a.put(prompt{at, strings.Clone(cut(s, shown)), hash, a.words.numbersOf(a.buf)})
}

// met says whether a prompt is known, and makes its first place the earlier one.
func (a *Accumulator) met(hash xxh3.Uint128, at stream.Pos) bool {
	n, known := a.numbers[hash]
	if known && at.Compare(a.prompts[n].first) < 0 {
		a.prompts[n].first = at
	}
	return known
}

func (a *Accumulator) put(p prompt) {
	a.numbers[p.hash] = int32(len(a.prompts))
	a.prompts = append(a.prompts, p)
}

// Merge adds what another accumulator has gathered. The other must not be used
// any more.
func (a *Accumulator) Merge(o *Accumulator) {
	var numbers []uint32 // of the words of the other one here
	for _, p := range o.prompts {
		if a.met(p.hash, p.first) {
			continue
		}
		if numbers == nil {
			numbers = a.words.merge(&o.words)
		}
		for i, w := range p.words {
			p.words[i] = numbers[w]
		}
		a.put(p)
	}
}

// Prompts is the number of distinct prompts.
func (a *Accumulator) Prompts() int { return len(a.prompts) }

// inOrder lists the prompts as they were first seen.
func (a *Accumulator) inOrder() []prompt {
	all := slices.Clone(a.prompts)
	slices.SortStableFunc(all, func(p, q prompt) int { return p.first.Compare(q.first) })
	return all
}

// cut returns the first n characters of a text.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
