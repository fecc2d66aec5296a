// Package grid plans which situations an agent is put into: six axes, cells
// that take one value of each, and a covering array in which every pair of
// values occurs in some cell, since most failures are interactions of two
// factors (Kuhn, Wallace and Gallo 2004). A change of one rule of the policy
// changes only the cells of that rule (spec of simulation, section 7).
//
//	axes := grid.AxesOf(tools, "Refund only with a receipt. Never share data.", true)
//	cells := grid.Cover(axes)
//	ranked := grid.Draw{Seed: 1}.Rank(ids, weights)
//	for _, i := range grid.Mix(cells, ranked, 10, 0.4) { ... cells[i] ... }
package grid
