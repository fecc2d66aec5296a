package rollout

import "math/bits"

// Hold says that the fields f hold values, as a reader of columns found them.
// Unlike Touch it does not say that they were changed.
func (r *Row) Hold(f Fields) { r.has |= f }

// AppendExtra appends the JSON object that a columnar file keeps beside its
// columns: the members of Extra, and the exact text of the fields inexact,
// whose columns do not reproduce them. It appends nothing when there are none.
func (r *Row) AppendExtra(dst []byte, inexact Fields) []byte {
	inexact &= r.has &^ r.kept & AllFields &^ FieldExtra
	if len(r.Extra) == 0 && inexact == 0 {
		return dst
	}
	dst = append(dst, '{')
	for fs := inexact; fs != 0; fs &= fs - 1 {
		dst = appendName(dst, fieldNames[bits.TrailingZeros64(uint64(fs))])
		dst = r.appendField(dst, fs&-fs)
	}
	for i := range r.Extra {
		dst = appendName(dst, r.Extra[i].Name)
		dst = appendText(dst, r.Extra[i].JSON)
	}
	return append(dst, '}')
}

// Absorb is the inverse of AppendExtra: it takes the members of a JSON object
// into a row that was filled from columns. A member with the name of a field
// wins over the column. The row's strings point into extra from then on. The
// error, if any, is a *DecodeError.
func (d *Decoder) Absorb(extra []byte, row *Row) error {
	r := &d.beside
	defer func() { *r = Row{} }()
	d.absorbing = true
	err := d.Decode(extra, r)
	d.absorbing = false
	if err != nil {
		return err
	}
	fields := d.late.seen & AllFields // not those under another name, which have lost already
	if d.late.seen&nameGraderReason != 0 {
		fields |= FieldReason & (r.has | r.kept)
	}
	row.assign(r, fields)
	row.has = row.has&^fields | r.has&fields
	row.kept |= r.kept & (fields | fieldVersion)
	row.Extra = r.Extra
	return nil
}

// WrittenAsIs reports whether the kept text of the field f stands in Extra, so
// that its column need not be exact.
func (r *Row) WrittenAsIs(f Fields) bool { return r.kept.Has(f) }
