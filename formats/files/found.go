package files

import "sync"

// Found is what a reader has found so far in its inputs, one after the other: In says what
// of one, Notes what of all. It is safe for concurrent use, so that it can be looked at
// while the inputs are read.
type Found[In, Notes any] struct {
	mu     sync.Mutex
	inputs []In
	notes  Notes
}

// Open notes the next input.
func (f *Found[In, Notes]) Open(in In) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inputs = append(f.inputs, in)
}

// Change changes what is noted of an input, by its number.
func (f *Found[In, Notes]) Change(n int, change func(*In)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.inputs[n])
}

// Note changes the notes of all inputs.
func (f *Found[In, Notes]) Note(change func(*Notes)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.notes)
}

// Inputs returns what was found in the inputs that were opened so far.
func (f *Found[In, Notes]) Inputs() []In {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]In(nil), f.inputs...)
}

// Notes returns the notes of all inputs so far.
func (f *Found[In, Notes]) Notes() Notes {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.notes
}
