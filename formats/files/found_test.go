package files_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
)

func TestFound(t *testing.T) {
	var f files.Found[string, int]
	f.Open("a")
	before := f.Inputs()
	f.Open("b")
	f.Change(0, func(in *string) { *in += "!" })
	if got := f.Inputs(); !slices.Equal(got, []string{"a!", "b"}) || !slices.Equal(before, []string{"a"}) {
		t.Errorf("%q, and before %q", got, before)
	}
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() { f.Note(func(n *int) { *n++ }) })
	}
	all.Wait()
	if f.Notes() != 100 {
		t.Errorf("%d notes", f.Notes())
	}
}
