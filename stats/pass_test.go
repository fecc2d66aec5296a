package stats_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stats"
)

// draws counts, over all ways to draw k of n rollouts, what f says of them.
func draws(n, k int, f func(picked []int) float64) float64 {
	total, ways := 0.0, 0
	picked := make([]int, 0, k)
	var walk func(from int)
	walk = func(from int) {
		if len(picked) == k {
			total += f(picked)
			ways++
			return
		}
		for i := from; i < n; i++ {
			picked = append(picked, i)
			walk(i + 1)
			picked = picked[:len(picked)-1]
		}
	}
	walk(0)
	return total / float64(ways)
}

// TestPassAtKByEnumeration holds both estimators against every way to draw.
func TestPassAtKByEnumeration(t *testing.T) {
	for n := range 9 {
		for c := range n + 1 {
			for k := 1; k <= n; k++ {
				passes := func(picked []int) (p int) {
					for _, i := range picked {
						if i < c {
							p++
						}
					}
					return p
				}
				some := draws(n, k, func(picked []int) float64 { return float64(min(1, passes(picked))) })
				all := draws(n, k, func(picked []int) float64 { return float64(passes(picked) / k) })
				within(t, fmt.Sprintf("pass@%d of %d/%d", k, c, n), stats.PassAtK(n, c, k).V, some, 1e-12)
				within(t, fmt.Sprintf("pass^%d of %d/%d", k, c, n), stats.PassPowK(n, c, k).V, all, 1e-12)
			}
		}
	}
}

// TestFewerThanK: with n < k there is no estimate, and never a perfect one.
func TestFewerThanK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 50).Draw(t, "n")
		c := rapid.IntRange(0, n).Draw(t, "c")
		k := rapid.IntRange(1, 100).Draw(t, "k")
		at, pow, majority := stats.PassAtK(n, c, k), stats.PassPowK(n, c, k), stats.MajorityAtK(c, []int{n - c}, k)
		for _, v := range []stats.Null[float64]{at, pow, majority} {
			if v.Valid != (n >= k) {
				t.Fatalf("n=%d k=%d: %v", n, k, v)
			}
			if v.V < 0 || v.V > 1+1e-12 {
				t.Fatalf("n=%d c=%d k=%d: %v", n, c, k, v)
			}
		}
		if at.Valid && pow.V > at.V+1e-12 {
			t.Fatalf("pass^k %v exceeds pass@k %v", pow.V, at.V)
		}
	})
}

// TestMajorityByEnumeration holds maj@k against every way to draw, with three
// wrong answers and ties split.
func TestMajorityByEnumeration(t *testing.T) {
	for _, c := range []struct {
		correct int
		wrong   []int
	}{{3, []int{2, 2, 1}}, {4, []int{4}}, {1, []int{1, 1, 1, 1}}, {0, []int{5}}, {5, nil}, {2, []int{6}}} {
		var answers []int // 0 is correct
		for i, n := range append([]int{c.correct}, c.wrong...) {
			for range n {
				answers = append(answers, i)
			}
		}
		for k := 1; k <= len(answers); k++ {
			want := draws(len(answers), k, func(picked []int) float64 {
				votes := make([]int, len(c.wrong)+1)
				top, tied := 0, 0
				for _, i := range picked {
					votes[answers[i]]++
					top = max(top, votes[answers[i]])
				}
				for _, v := range votes {
					if v == top {
						tied++
					}
				}
				if votes[0] < top {
					return 0
				}
				return 1 / float64(tied)
			})
			within(t, fmt.Sprintf("maj@%d of %v", k, c), stats.MajorityAtK(c.correct, c.wrong, k).V, want, 1e-12)
		}
	}
}

// TestMajorityOfMany does not overflow or lose digits on many rollouts.
func TestMajorityOfMany(t *testing.T) {
	within(t, "majority of an even split", stats.MajorityAtK(5000, []int{5000}, 101).V, 0.5, 1e-9)
	within(t, "majority of all", stats.MajorityAtK(5001, []int{5000}, 10_001).V, 1, 1e-6)
}

func TestJudgeFailedNote(t *testing.T) {
	in := stats.PassInput{
		Tasks:   []stats.Task{{Key: "a", Unscored: 2}},
		Judging: stats.Judging{Rows: 2, Statuses: []string{"timeout", "error"}, Reason: strings.Repeat("x", 130)},
	}
	r, err := stats.PassAt(in, stats.PassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Findings[0].Code != stats.CodeJudgeFailed || r.PassAt1.Valid || r.K != 1 {
		t.Errorf("got %+v", r)
	}
	if want := "judge failed on all 2 rows (timeout/error): " + strings.Repeat("x", 120); r.Note != want {
		t.Errorf("note %q, want %q", r.Note, want)
	}
}

func TestPassOptionsOutOfRange(t *testing.T) {
	_, err := stats.PassAt(stats.PassInput{}, stats.PassOptions{K: -1})
	var e *stats.ArgumentError
	if !errors.Is(err, stats.ErrArgument) || !errors.As(err, &e) || e.Name != "K" {
		t.Errorf("got %v", err)
	}
}

// TestTailOfTheLine: the shares stand before the note, and only when they say
// something.
func TestTailOfTheLine(t *testing.T) {
	in := stats.PassInput{Tasks: []stats.Task{{Key: "a", N: 4, Passes: 2}}}
	in.Config.Counts = stats.RunCounts{Finished: 8, Truncated: 1, Replies: 4, Answered: 3}
	r, err := stats.PassAt(in, stats.PassOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := "pass@1 0.50 | pass^4 (pass_pow_k) 0.00 | pass@4 1.00 | headroom 0.50 (1 groups, k=4; 12.5% cut by the token cap; " +
		"25.0% without a spoken reply; no interval on 1 tasks, it needs 3: add tasks, not rollouts)"
	if r.String() != want {
		t.Errorf("printed %s\n   want %s", r, want)
	}
}

// TestPassAtProperties: intervals hold their estimates' range, coverage bounds
// hold pass@1 of the tasks, counts add up.
func TestPassAtProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tasks []stats.Task
		rows, groups := 0, 0
		for i := range rapid.IntRange(0, 12).Draw(t, "tasks") {
			n := rapid.IntRange(0, 6).Draw(t, "n")
			task := stats.Task{Key: string(rune('a' + i)), N: n, Passes: rapid.IntRange(0, n).Draw(t, "c"), Unscored: rapid.IntRange(0, 2).Draw(t, "u")}
			tasks = append(tasks, task)
			rows += n
			if n > 0 {
				groups++
			}
		}
		r, err := stats.PassAt(stats.PassInput{Tasks: tasks}, stats.PassOptions{
			K: rapid.IntRange(0, 6).Draw(t, "k"), MinK: rapid.IntRange(1, 4).Draw(t, "min_k"),
			UnanimousShort: rapid.Bool().Draw(t, "impute"), Bootstrap: stats.BootstrapOptions{Draws: 20},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Rows != rows || r.Groups != groups || r.GroupsAtK > groups {
			t.Fatalf("counts %+v", r)
		}
		if r.PassAt1.Valid != (groups > 0) || r.CI95.Valid != (groups >= 3) || r.PassAtK.Valid != (r.GroupsAtK > 0) {
			t.Fatalf("what is told: %+v", r)
		}
		if r.Headroom.Valid && math.Abs(r.Headroom.V-(r.PassAtK.V-r.PassAt1.V)) > 0 {
			t.Fatalf("headroom %v", r.Headroom)
		}
		if b := r.Coverage.Bounds; b.Valid && r.Coverage.Complete() && math.Abs(b.V.Low-r.PassAt1.V) > 1e-12 {
			t.Fatalf("complete, and yet bounds %v of %v", b, r.PassAt1)
		}
	})
}
