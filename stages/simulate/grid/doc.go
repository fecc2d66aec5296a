// Package grid plans which situations an agent is put into: six axes, cells
// that take one value of each, and a covering array in which every pair of
// values occurs in some cell, since most failures are interactions of two
// factors (Kuhn, Wallace and Gallo 2004). A change of one rule of the policy
// changes only the cells of that rule (spec of simulation, section 7).
//
//	axes := grid.AxesOf(tools, "Refund only with a receipt. Never share data.")
//	cells := grid.Cover(axes)
//	for _, i := range grid.Sample(cells, weights, 10, grid.Draw{Seed: 1}) { ... cells[i] ... }
package grid
