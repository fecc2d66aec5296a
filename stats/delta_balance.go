package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Balance says what was dropped so that shared tasks have as many rows on both
// sides.
type Balance struct {
	RowsDropped  SideCounts `json:"rows_dropped"`
	TasksTrimmed int        `json:"tasks_trimmed"`
}

// TaskRows is the number of rows of a task.
type TaskRows struct {
	Key  string
	Rows int
}

// Keep is what stays of a task on a side that has too many rows of it.
type Keep struct {
	Key   string
	After bool  // on the after side
	Rows  []int // indices among the rows of the task, ascending
}

// BalanceRollouts picks which rows of the longer side stay where a task that
// both sides share has more rows on one: as many as on the other, the first of
// a shuffle seeded by the text "seed:side:task" (spec of statistics, section
// 10.13). Tasks come sorted by key.
func BalanceRollouts(before, after []TaskRows, seed int64) ([]Keep, Balance) {
	onBefore := make(map[string]int, len(before))
	for _, t := range before {
		onBefore[t.Key] = t.Rows
	}
	var keeps []Keep
	var b Balance
	for _, t := range after {
		n, shared := onBefore[t.Key]
		if !shared || n == t.Rows {
			continue
		}
		side, rows := "before", n
		if t.Rows > n {
			side, rows = "after", t.Rows
			b.RowsDropped.After += t.Rows - n
		} else {
			b.RowsDropped.Before += n - t.Rows
		}
		b.TasksTrimmed++
		rng := NewMersenneTwisterString(fmt.Sprintf("%d:%s:%s", seed, side, t.Key))
		order := make([]int, rows)
		for i := range order {
			order[i] = i
		}
		rng.Shuffle(rows, func(i, j int) { order[i], order[j] = order[j], order[i] })
		order = order[:min(n, t.Rows)]
		slices.Sort(order)
		keeps = append(keeps, Keep{t.Key, side == "after", order})
	}
	slices.SortFunc(keeps, func(x, y Keep) int { return cmp.Compare(x.Key, y.Key) })
	return keeps, b
}
