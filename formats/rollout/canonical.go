package rollout

import (
	"bytes"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// AppendCanonical appends the canonical form of a valid JSON text: names
// sorted by their bytes, the last of duplicate names, no white space, strings
// with as few escapes as can be, number tokens as they stand. Two texts say
// the same when their canonical forms are equal; 1.0 and 1 do not, nor do null
// and missing.
func AppendCanonical(dst, json []byte) []byte { return jsonscan.AppendCanonical(dst, json) }

// Canonical returns the canonical text of the row as row v1.
func (r *Row) Canonical() []byte { return AppendCanonical(nil, r.AppendJSON(nil)) }

// Equal reports whether two rows say the same: their canonical texts are equal.
// Where they came from does not count.
func (r *Row) Equal(q *Row) bool { return bytes.Equal(r.Canonical(), q.Canonical()) }
