package decontaminate

// sieve tells of most texts that they hold no n-gram of the index, by shorter
// n-grams at every second or fourth word: each n-gram of n words holds one of them
// whole. To look up is to wait for memory, and this is a half or a quarter of it.
// It is made of the texts of the index, and is in no file.
type sieve struct {
	stride int // words from one to the next
	n      int // their length
	power  uint64
	shift  uint
	filter []uint64
}

// strideFor is how far apart the short n-grams stand for n-grams of n words. They
// are of four words at least: shorter ones stand everywhere.
func strideFor(n int) int {
	switch {
	case n >= 8:
		return 4
	case n >= 5:
		return 2
	}
	return 1
}

// sift makes the sieve of n-grams.
func (x *Index) sift(g *grams) {
	stride := strideFor(g.n)
	s := &sieve{stride: stride, n: g.n - stride + 1}
	if s.power = power(s.n); stride == 1 {
		return // the table does as well
	}
	count := 0
	for t := range x.texts {
		if words := len(x.wordsOf(t)); words >= g.n {
			count += words - s.n + 1
		}
	}
	s.shift = bucketShift(count)
	s.filter = make([]uint64, 1<<(64-s.shift))
	var prefixes []uint64
	for t := range x.texts {
		words := x.wordsOf(t)
		if len(words) < g.n {
			continue
		}
		prefixes = append(prefixes[:0], 0)
		for i, id := range words {
			prefixes = append(prefixes, prefixes[i]*polyBase+x.words.hash(id))
			if i+1 >= s.n {
				h := gramHash(prefixes, i+1-s.n, s.n, s.power)
				s.filter[h>>s.shift] |= filterBits(h)
			}
		}
	}
	g.sieve = s
}

// pass flags the short n-grams that may be in a text of the index, of those that
// begin at words from first on, and returns how many were looked at.
func (s *sieve) pass(may *flags, prefixes []uint64, first int) (n int) {
	filter, shift := s.filter, s.shift&63
	end := min(len(prefixes)-s.n, first+lookAtOnce*s.stride)
	for i := first; i < end; i += s.stride {
		h := prefixes[i+s.n] - prefixes[i]*s.power
		may.set(n, filter[h>>shift], filterBits(h))
		n++
	}
	return n
}
