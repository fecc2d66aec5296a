package asks

import (
	"context"
	"fmt"

	"github.com/rollmill/rollmill/stages/selection"
)

// Figure is what the reference implementation took for a call, as it was recorded (spec
// of gates, appendix A): seconds of CPU of one thread, with the rows in memory, and the
// most resident memory of the process, the rows included.
type Figure struct {
	Call    string
	Rows    int
	Seconds float64
	MB      int

	Eval      int // evaluation items; 0 for calls that take none
	Templated bool
	run       func(ctx context.Context, f *Figure, dir string) error
}

// Figures are those of the calls that are stages here too.
var Figures = []Figure{
	{Call: "decontaminate, 1,000 items", Rows: 2_000, Seconds: 0.42, MB: 69, Eval: 1_000, run: compare},
	{Call: "decontaminate, 1,000 items", Rows: 20_000, Seconds: 3.31, MB: 109, Eval: 1_000, run: compare},
	{Call: "decontaminate, 1,000 items", Rows: 200_000, Seconds: 36.89, MB: 514, Eval: 1_000, run: compare},
	{Call: "decontaminate, 10,000 items", Rows: 2_000, Seconds: 2.50, MB: 454, Eval: 10_000, run: compare},
	{Call: "decontaminate, 10,000 items", Rows: 20_000, Seconds: 8.10, MB: 494, Eval: 10_000, run: compare},
	{Call: "decontaminate, 10,000 items", Rows: 200_000, Seconds: 36.83, MB: 899, Eval: 10_000, run: compare},
	{Call: "decontaminate, 10,000 templated items", Rows: 2_000, Seconds: 2.97, MB: 447, Eval: 10_000, Templated: true, run: compare},
	{Call: "decontaminate, 10,000 templated items", Rows: 20_000, Seconds: 9.87, MB: 488, Eval: 10_000, Templated: true, run: compare},
	{Call: "decontaminate, 10,000 templated items", Rows: 200_000, Seconds: 56.79, MB: 894, Eval: 10_000, Templated: true, run: compare},
	{Call: "hack_scan, defaults", Rows: 2_000, Seconds: 3.26, MB: 176, run: scan(false)},
	{Call: "hack_scan, defaults", Rows: 20_000, Seconds: 32.46, MB: 1_384, run: scan(false)},
	{Call: "hack_scan, defaults", Rows: 200_000, Seconds: 298.49, MB: 12_171, run: scan(false)},
	{Call: "hack_scan, auto=False", Rows: 2_000, Seconds: 0.65, MB: 30, run: scan(true)},
	{Call: "hack_scan, auto=False", Rows: 20_000, Seconds: 7.73, MB: 118, run: scan(true)},
	{Call: "hack_scan, auto=False", Rows: 200_000, Seconds: 69.36, MB: 995, run: scan(true)},
	{Call: "select_for_rl, target 1000", Rows: 2_000, Seconds: 4.35, MB: 109, run: choose(selection.RL)},
	{Call: "select_for_rl, target 1000", Rows: 20_000, Seconds: 18.49, MB: 165, run: choose(selection.RL)},
	{Call: "select_for_rl, target 1000", Rows: 200_000, Seconds: 138.38, MB: 1_005, run: choose(selection.RL)},
	{Call: "select_for_sft, defaults", Rows: 2_000, Seconds: 0.41, MB: 28, run: choose(selection.SFT)},
	{Call: "select_for_sft, defaults", Rows: 20_000, Seconds: 4.53, MB: 85, run: choose(selection.SFT)},
	{Call: "select_for_sft, defaults", Rows: 200_000, Seconds: 37.67, MB: 678, run: choose(selection.SFT)},
}

// FiguresOf are the figures of so many rows.
func FiguresOf(rows int) (list []Figure) {
	for _, f := range Figures {
		if f.Rows == rows {
			list = append(list, f)
		}
	}
	return list
}

// Named is the figure of a call.
func Named(call string, rows int) (Figure, error) {
	for _, f := range Figures {
		if f.Call == call && f.Rows == rows {
			return f, nil
		}
	}
	return Figure{}, fmt.Errorf("asks: there is no figure of %s for %d rows", call, rows)
}
