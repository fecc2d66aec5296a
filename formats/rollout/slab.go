package rollout

// slab hands out short slices cut from long ones, so that a batch of rows costs
// a few allocations. What was handed out is never handed out again.
type slab[T any] struct{ free []T }

// take returns a copy of s cut from the slab.
func (a *slab[T]) take(s []T) []T {
	out := a.cut(len(s))
	copy(out, s)
	return out
}

// cut returns n zeros cut from the slab, nil for none.
func (a *slab[T]) cut(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(a.free) {
		a.free = make([]T, max(slabLen, n))
	}
	out := a.free[:n:n]
	a.free = a.free[n:]
	return out
}

const slabLen = 512

// textSlab does the same for the texts of strings that hold escapes.
type textSlab struct{ free []byte }

const textSlabLen = 64 << 10

// room returns an empty slice with space for n bytes at the front of the slab.
func (a *textSlab) room(n int) []byte {
	if n > len(a.free) {
		a.free = make([]byte, max(textSlabLen, n))
	}
	return a.free[:0:n]
}

// use takes the bytes that were appended to what room returned.
func (a *textSlab) use(text []byte) string {
	a.free = a.free[len(text):]
	return view(text)
}
