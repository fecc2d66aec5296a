package parquet

import (
	"fmt"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// textPage is the texts of a page of a column, where they stand in the page or
// in the dictionary of its column: none is copied, or has a header of its own.
type textPage struct {
	all    []byte
	ends   []uint32 // one more than there are texts: each begins where the one before it ends
	places []int32  // which text each value is, of a page with a dictionary
}

func textsOf(page parquet.Page) (t textPage, err error) {
	data := page.Data()
	if dictionary := page.Dictionary(); dictionary != nil {
		if t.places = data.Int32(); t.places == nil {
			t.places = []int32{}
		}
		data = dictionary.Page().Data()
	}
	t.all, t.ends = data.ByteArray()
	return t, t.check()
}

// check tells whether each value has its text.
func (t *textPage) check() error {
	for _, n := range t.places {
		if n < 0 || int(n)+1 >= len(t.ends) {
			return fmt.Errorf("%w: text %d of a dictionary of %d", ErrDamaged, n, max(len(t.ends)-1, 0))
		}
	}
	return nil
}

func (t *textPage) len() int {
	if t.places != nil {
		return len(t.places)
	}
	return max(len(t.ends)-1, 0)
}

func (t *textPage) text(i int) string {
	if t.places != nil {
		i = int(t.places[i])
	}
	return view(t.all[t.ends[i]:t.ends[i+1]])
}

// view returns b as a string without copying it. b is never changed again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf is the inverse of view, for reading only.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
