// Package profile says what is in rows and what is wrong with them: the members
// that records have and of which types, the records that were refused, the rows
// that break the rules of row v1, how many are scored, how many tasks there are.
//
//	s := profile.NewSchema(500)
//	s.Add(rows)         // of every batch, in order
//	for _, m := range s.Result().Members {
//		fmt.Println(m.Name, m.Rows, m.Types)
//	}
//
// Schema and Validity are accumulators: partial ones of consecutive batches,
// made by many workers, merge in order to what one alone would have counted.
// They keep no string of a row, so a row's block can go when its batch does.
package profile
