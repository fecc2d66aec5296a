package decontaminate

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// Scanner looks texts up in an index. It keeps buffers between texts: make one
// for each worker. It is not safe for concurrent use.
type Scanner struct {
	x        *Index
	grams    []*grams // that are looked up
	split    *splitter
	prefixes []uint64
	evidence Evidence

	boilerplate *Boilerplate
}

// hit is an n-gram of a text that the index may hold: hashes are equal, words
// are not compared yet.
type hit struct {
	at    uint32 // its first word
	entry uint32 // in the table
}

// NewScanner returns a scanner that finds what the rules need. Without a rule it
// looks up all lengths that are indexed. It panics when a rule needs shorter
// n-grams than there are; see [Index.Serves].
func (x *Index) NewScanner(rules ...Rule) *Scanner {
	s := &Scanner{x: x, split: newSplitter(x.config.Words)}
	for i := range x.grams {
		g := &x.grams[i]
		wanted := len(rules) == 0
		for _, r := range rules {
			wanted = wanted || x.gramsFor(r.N()) == g
		}
		if wanted {
			s.grams = append(s.grams, g)
		}
	}
	for _, r := range rules {
		if err := x.Serves(r); err != nil {
			panic(err.Error())
		}
	}
	s.evidence.x = x
	s.evidence.found = make([]found, len(s.grams))
	for i, g := range s.grams {
		s.evidence.found[i].grams = g
		s.evidence.found[i].length = x.lengthOf(g)
	}
	s.evidence.split = newSplitter(x.config.Words)
	return s
}

// Discount tells the scanner which n-grams are no evidence; nil for none.
func (s *Scanner) Discount(b *Boilerplate) { s.boilerplate = b }

// Scan looks a text up. The evidence holds until the next text.
func (s *Scanner) Scan(text string) *Evidence {
	s.prefixes = s.split.prefixes(s.prefixes[:0], text)
	e := &s.evidence
	e.reset(text, s.prefixes)
	if len(s.prefixes) > 1 {
		if h := s.prefixes[len(s.prefixes)-1]; s.x.wholes.mayHold(h) {
			e.whole = s.x.wholes.find(h)
		}
	}
	for i := range e.found {
		e.found[i].look(s.prefixes)
		if s.boilerplate != nil {
			e.found[i].discount(s.boilerplate)
		}
	}
	if cap(s.prefixes) > keepWords {
		s.prefixes = nil // the evidence has it
	}
	return e
}

// keepWords bounds the buffers that are kept between texts: a text of more words
// has its own.
const keepWords = 1 << 20

// found are the n-grams of one length that were found in a text.
type found struct {
	grams  *grams
	length int // the number of their length
	hits   []hit
	runs   []Run
	done   bool // runs are made
	less   int  // n-grams that were found and are no evidence
	may    flags
}

// discount takes what is no evidence away.
func (f *found) discount(b *Boilerplate) {
	kept := f.hits[:0]
	for _, h := range f.hits {
		if !b.holds(f.length, h.entry) {
			kept = append(kept, h)
		}
	}
	f.less = len(f.hits) - len(kept)
	f.hits = kept
}

// lookAtOnce is how many n-grams are held against the filter before those that
// pass are looked up: the first does not wait for memory, the second may.
const lookAtOnce = 512

// look looks up all n-grams of a text.
func (f *found) look(prefixes []uint64) {
	f.hits = f.hits[:0]
	s := f.grams.sieve
	if s == nil {
		f.lookAtAll(prefixes)
		return
	}
	t, last := f.grams.table, len(prefixes)-1-f.grams.n
	for first := 0; first+s.n < len(prefixes); first += lookAtOnce * s.stride {
		for k := range f.may.all(s.pass(&f.may, prefixes, first)) {
			at := first + k*s.stride
			for i := max(at-s.stride+1, 0); i <= min(at, last); i++ {
				h := gramHash(prefixes, i, f.grams.n, f.grams.power)
				if !t.mayHold(h) {
					continue
				}
				if entry := t.find(h); entry >= 0 {
					f.hits = append(f.hits, hit{uint32(i), uint32(entry)})
				}
			}
		}
	}
}

// lookAtAll is look without a sieve.
func (f *found) lookAtAll(prefixes []uint64) {
	n, t, powerN := f.grams.n, f.grams.table, f.grams.power
	for first := 0; first+n < len(prefixes); first += lookAtOnce {
		begins := prefixes[first:min(first+lookAtOnce, len(prefixes)-n)]
		ends := prefixes[first+n:][:len(begins)]
		may := &f.may
		filter, shift := t.filter, t.shift&63
		for i, begin := range begins {
			h := ends[i] - begin*powerN
			may.set(i, filter[h>>shift], filterBits(h))
		}
		for i := range may.all(len(begins)) {
			if entry := t.find(ends[i] - begins[i]*powerN); entry >= 0 {
				f.hits = append(f.hits, hit{uint32(first + i), uint32(entry)})
			}
		}
	}
}

// flags say which of some n-grams may be there. To set one depends on no other, so
// that the next n-grams do not wait for the memory that this one waits for.
type flags [lookAtOnce]uint8

// set sets the flag of a number if all bits that are wanted are there.
func (f *flags) set(i int, there, want uint64) {
	flag := uint8(0)
	if there&want == want {
		flag = 1
	}
	f[i&(lookAtOnce-1)] = flag
}

// all yields the numbers of the first n flags that are set.
func (f *flags) all(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; from < n; from += 8 {
			w := binary.LittleEndian.Uint64(f[from&(lookAtOnce-1):])
			if n-from < 8 {
				w &= 1<<(8*(n-from)) - 1
			}
			for ; w != 0; w &= w - 1 {
				if !yield(from + bits.TrailingZeros64(w)/8) {
					return
				}
			}
		}
	}
}
