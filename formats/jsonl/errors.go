package jsonl

import "fmt"

// RecordError says which record of which file is wrong, what was found and
// what is wanted.
type RecordError struct {
	File   string
	Record int64 // number of the record, from 1; the line in line formats
	Code   string
	Detail string
}

// Error gives file:record: code: detail.
func (e *RecordError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Record, e.Code, e.Detail)
}

// Codes of records that cannot become rows, beside those of
// rollout.DecodeError and of dialect.Error.
const (
	CodeTooLong = "too_long" // longer than MaxRecord
	CodeBadList = "bad_list" // something is wrong between the elements of a list
)
