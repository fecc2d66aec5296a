// Package dialect turns other people's records into rows: one small file a
// dialect. It sees one record at a time as JSON text; files, lines, zips and
// compression are the business of package jsonl.
//
//	guess, err := dialect.Recognise("airline.json", head, true)
//	// guess.Layout says how the input falls into records,
//	// guess.Dialect how a record becomes rows (nil: it is a row already)
//	rows, err = guess.Dialect.Rows(rows, dialect.Record{JSON: element, Pos: pos})
//
// What a dialect has no field for goes to Row.Extra, in its order; what it would
// have to guess stays absent. Rewards keep their number token, ids are text. A
// lone surrogate escape in a text becomes U+FFFD here, since the row is new text
// and not the record's.
package dialect
