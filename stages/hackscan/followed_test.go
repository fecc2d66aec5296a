package hackscan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
)

// scanWith scans rows in pages of a size. room is that of the trail; without any
// nothing is followed, and a second pass finds all terms.
func scanWith(t interface{ Fatal(...any) }, rows []rollout.Row, o Options, size, room int) (r *Report, again bool) {
	first, err := NewFirst(o)
	if err != nil {
		t.Fatal(err)
	}
	if first.trail.room = room; room == 0 {
		first.trail = nil
	}
	var pages []*Page // two are under way when terms begin to be followed
	for batch := range slices.Chunk(rows, size) {
		if pages = append(pages, first.Read(batch)); len(pages) > 2 {
			first.Add(pages[0])
			pages = pages[1:]
		}
	}
	for _, page := range pages {
		first.Add(page)
	}
	second := first.Second()
	if again = second.Needed(); again {
		for batch := range slices.Chunk(rows, size) {
			if err := second.Add(second.Read(batch)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if r, err = second.Report(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range r.Terms {
		r.Terms[i].Missed = 0 // the bound depends on how terms were counted
	}
	return r, again
}

// Whenever terms begin to be followed, and whether those lead in the end or not,
// the report is that of two passes.
func TestFollowedAgreesWithTwoPasses(t *testing.T) {
	rows := rowsOf(4, 40, 6, paysTool)
	rows[17].Reward = rollout.Value{Text: "null"}
	rapid.Check(t, func(t *rapid.T) {
		o := all
		o.TopTerms, o.ToolTerms = rapid.IntRange(1, 60).Draw(t, "terms"), rapid.IntRange(1, 8).Draw(t, "tool terms")
		o.Workers, o.Shuffles, o.Floor = 1, 2, Parity
		list := slices.Clone(rows)
		if rapid.Bool().Draw(t, "unsorted") {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		want, again := scanWith(t, list, o, 7, 0)
		if !again {
			t.Fatal("nothing is followed, and no second pass is needed")
		}
		got, _ := scanWith(t, list, o, rapid.IntRange(1, 50).Draw(t, "page"), rapid.IntRange(1, 4000).Draw(t, "room"))
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Report{})); d != "" {
			t.Errorf("-two passes +followed:\n%s", d)
		}
	})
}

// A second pass is needed for a term that comes late, and else not.
func TestFollowedSuffices(t *testing.T) {
	rows := rowsOf(4, 60, 8, paysTool)
	o := all
	o.TopTerms, o.Sources, o.Shuffles = 10, Replies, 2
	if _, again := scanWith(t, rows, o, 16, 3000); again {
		t.Error("the same terms lead all the time, and a second pass is needed")
	}
	for i := 100; i < len(rows); i++ {
		rows[i].FinalText = fmt.Sprintf("late %s", rows[i].FinalText)
	}
	want, _ := scanWith(t, rows, o, 16, 0)
	got, again := scanWith(t, rows, o, 16, 3000)
	if !again {
		t.Error("a term that comes late leads, and no second pass is needed")
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Report{})); d != "" {
		t.Errorf("-two passes +followed:\n%s", d)
	}
}

// Marks make the columns that a builder makes, over several chunks of rows.
func TestMarks(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	shares := []float64{1, 0.999, 0.3, 0.125, 0.07, 0.05, 0.001, 0.0001, 0}
	f := newFollowed(make([]candidate, 0, len(shares)))
	f.terms = make([]candidate, len(shares))
	m := newMarks(f)
	build := make([]columnBuilder, len(shares))
	for row := range 5 * chunkRows / 2 {
		has := make([]uint64, 1)
		for i, share := range shares {
			if src.Float64() < share && (i < 4 || row/chunkRows != 1) {
				has[0] |= 1 << i
				build[i].add(row, 1)
			}
		}
		m.add(row, has)
	}
	m.seal()
	for i := range m.done {
		got := m.done[i].column()
		if want := build[i].column(); !want.equal(&got) || want.hash() != got.hash() {
			t.Errorf("a term in %v of the rows: %d entries in %d chunks, want %d in %d", shares[i], got.n, len(got.chunks), want.n, len(want.chunks))
		}
	}
}
