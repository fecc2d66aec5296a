package hackscan

import "slices"

// addTerms counts the terms of a row, the i-th of a page.
func (f *First) addTerms(row int, p *pageTerms, i int) {
	if f.o.Sources == 0 {
		return
	}
	followed := f.followed.Load()
	if p.followed != followed {
		p.follow(followed, i, &f.terms)
	}
	if followed != nil {
		f.marks.add(row, p.marksOf(i))
	}
	for source := range sourceCount {
		terms := p.othersOf(i, source)
		f.sketch.add(terms, byte(source), p.lowered)
		if f.trail != nil {
			f.trail.add(terms)
		}
	}
	f.sketch.endRow()
	switch {
	case f.trail != nil && f.trail.endRow():
		f.follow()
	case followed != nil && f.sketch.rows >= f.lookAt:
		f.look()
	}
}

// follow begins to follow the terms that lead.
func (f *First) follow() {
	terms, last := f.sketch.lead(&f.o)
	followed := newFollowed(terms)
	f.marks = f.trail.marks(followed)
	v := newSieve(f.o.TopTerms + 2*f.o.ToolTerms)
	for source, rows := range last {
		v.limit[source] = rows / limitShare
	}
	f.sketch.handOver(followed.termIndex, v)
	f.trail = nil
	f.followed.Store(followed)
	f.lookAgain()
}

// look raises the limits of the sieve, as the terms that lead are in more rows.
func (f *First) look() {
	leading := f.sketch.leading()
	counts := f.marks.counts()
	for i, t := range f.followed.Load().terms {
		if counts[i] < int(f.sketch.rows) {
			leading[t.source] = append(leading[t.source], uint32(counts[i]))
		}
	}
	for source, counts := range leading {
		if n := f.o.wanted(source); n > 0 && len(counts) >= n {
			slices.Sort(counts)
			f.sketch.sieve.raise(source, counts[len(counts)-n]/limitShare)
		}
	}
	f.lookAgain()
}

// lookAgain says when the limits are raised next: a dozen times until there are
// twice as many rows.
func (f *First) lookAgain() { f.lookAt = f.sketch.rows + f.sketch.rows/16 + 1 }

// leave follows no terms any more: the sketch counts all of them.
func (f *First) leave() {
	f.trail = nil
	f.sketch.takeBack(f.counted())
	f.marks = nil
	f.followed.Store(nil)
}

// counted are the terms that are followed, with their rows.
func (f *First) counted() []candidate {
	if f.marks == nil {
		return nil
	}
	terms := slices.Clone(f.followed.Load().terms)
	for i, n := range f.marks.counts() {
		terms[i].count, terms[i].missed, terms[i].before = uint32(n), 0, 0
	}
	return terms
}
