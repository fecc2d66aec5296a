package arrowipc

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
)

// plan is how the record batches of one input become rows.
type plan struct {
	fields []arrow.Field
	want   rollout.Fields
	sum    uint64 // the checksum of the schema
	ours   bool   // the schema says that Rollmill wrote it

	// direct says that each column of a field has the type that it has in our
	// schema. Else rows are read as records, and dialect is what makes rows of
	// them, nil for v1.
	direct     bool
	dialect    dialect.Dialect
	recognised bool   // the dialect need not be looked for
	named      []bool // the columns that the wanted fields are called as
	wanted     []bool // the columns that are read, extra excepted where it is ours
}

// planOf decides how to read an input with the schema that is given. set tells
// that the dialect was chosen and need not be recognised.
func planOf(s *arrow.Schema, sum uint64, want rollout.Fields, d dialect.Dialect, set bool) (*plan, error) {
	p := &plan{fields: s.Fields(), want: want, sum: sum, dialect: d, named: make([]bool, s.NumFields())}
	if v, ok := versionOf(s); ok && d == nil {
		if v != SchemaVersion {
			return nil, fmt.Errorf("%w: %q; want %q", ErrVersion, v, SchemaVersion)
		}
		p.ours, p.direct = true, true
	}
	for i, f := range p.fields {
		field, known := columnNamed(f.Name)
		if known && !arrow.TypeEqual(f.Type, columnType(field)) {
			p.direct = false
		}
		if known && len(s.FieldIndices(f.Name)) > 1 {
			return nil, &SchemaError{f.Name, "there twice", "one column of a name"}
		}
		p.named[i] = !known && want.Has(rollout.FieldExtra) || known && field&want != 0 && field != rollout.FieldExtra
	}
	if p.direct {
		p.wanted = p.named
		return p, nil
	}
	p.recognised = set || p.ours
	return p, p.wantRecords()
}

// versionOf returns the version of our columns that a schema has. Programs that
// read our files and write them anew may drop the metadata that says so, but
// nobody else has columns called like ours.
func versionOf(s *arrow.Schema) (version string, ok bool) {
	if version, ok = s.Metadata().GetValue(SchemaKey); ok {
		return version, ok
	}
	return SchemaVersion, s.HasField("rollmill_gates") && s.HasField(extraName)
}

// readSchema checks the schema message of an input, and reads it.
func readSchema(h *message.Head) (s *arrow.Schema, more *message.Schema, err error) {
	defer caught(&err)
	if more, err = h.Schema(); err != nil {
		return nil, nil, err
	}
	r, err := ipc.NewReader(bytes.NewReader(message.AppendEnd(message.AppendHead(nil, h.Meta))))
	if err != nil {
		return nil, nil, err
	}
	defer r.Release()
	return r.Schema(), more, nil
}

// columnsOf returns the columns that are read of a batch: the wanted ones, and
// extra where it is ours and something that is wanted may stand in it.
func (p *plan) columnsOf(checks *message.Checks) ([]bool, error) {
	if !p.ours {
		return p.wanted, nil
	}
	beside := rollout.AllFields
	if checks != nil {
		note, err := strconv.ParseUint(checks.Note, 16, 64)
		if err != nil {
			return nil, message.ErrChecksum
		}
		beside = rollout.Fields(note) | rollout.FieldExtra
	}
	if beside&p.want == 0 {
		return p.wanted, nil
	}
	wanted := append([]bool(nil), p.wanted...)
	for i, f := range p.fields {
		if f.Name == extraName {
			wanted[i] = true
		}
	}
	return wanted, nil
}

// extraName is the name of the column of what no other column holds.
var extraName = rollout.FieldExtra.Names()[0]

// noteOf is what the writer says of a batch: the fields whose exact value may
// stand in extra.
func noteOf(beside rollout.Fields) string { return strconv.FormatUint(uint64(beside), 16) }
