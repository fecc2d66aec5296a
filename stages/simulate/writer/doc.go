// Package writer turns cells of the grid into what a person says to the agent.
// The template writer needs no model: it puts a message together from banks of
// sentences, one for each value of the cell that says something, and never
// writes the same message twice for a cell (spec of simulation, section 8).
//
//	w := writer.Templates(tools, seed)
//	m := w.For(cell)
//	s, ok := m.Write(3) // the fourth message for the cell; ok is false when there are no more
//
// Its messages are templates and read like it: they vary in wording, not in
// what people come up with. Messages.Distinct says how many there are.
package writer
