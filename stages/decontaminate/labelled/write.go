package labelled

import "io"

// WriteItems writes the items as an evaluation set in JSONL: scenario_id, prompt,
// answer and kind.
func (s *Set) WriteItems(w io.Writer) error {
	var line []byte
	for _, item := range s.Items {
		row := item.Row()
		line = append(row.AppendJSON(line[:0]), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// WriteRows writes the training rows in JSONL: rows v1 with three members more,
// class, label (copy or clean) and item, which is there for copies alone.
func (s *Set) WriteRows(w io.Writer) error {
	var line []byte
	for i := range s.Rows {
		line = append(s.Rows[i].AppendJSON(line[:0]), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
