package files

// Whole is outputs that have been written to their ends and get their names
// together, so that nobody sees some of the parts of a run that failed.
type Whole struct{ outputs []*Output }

// Add adds an output that is written to its end.
func (w *Whole) Add(o *Output) { w.outputs = append(w.outputs, o) }

// Commit gives the outputs their names, in the order in which they were added.
// After an error Abort removes those that have none.
func (w *Whole) Commit() error {
	for len(w.outputs) > 0 {
		if err := w.outputs[0].Commit(); err != nil {
			return err
		}
		w.outputs = w.outputs[1:]
	}
	return nil
}

// Abort removes the outputs that have no name yet.
func (w *Whole) Abort() {
	for _, o := range w.outputs {
		o.Abort()
	}
}
