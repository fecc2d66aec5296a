package mathequal_test

import (
	"testing"

	"github.com/sourcegraph/conc/iter"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// TestMatcherIsShared lets many rows ask one matcher at once.
func TestMatcherIsShared(t *testing.T) {
	m, err := mathequal.NewMatcher(`\frac{x^2-1}{\sqrt{2}}`, mathequal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	replies := []string{`\boxed{(x-1)(x+1)/\sqrt2}`, `\boxed{\frac{\sqrt{2}}{2}(x^2-1)}`, `\boxed{x^2}`, `\boxed{\sin^2 x}`}
	want := []bool{true, true, false, false}
	rows := make([]int, 400)
	for i := range rows {
		rows[i] = i % len(replies)
	}
	iter.ForEach(rows, func(k *int) {
		if v, err := m.Reply(replies[*k]); err != nil || v.Equal != want[*k] {
			t.Errorf("%q: %+v, %v", replies[*k], v, err)
		}
	})
}
