package rollout

import (
	"fmt"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// Assignment gives one member of a record a value, the same in every row it is
// applied to. It may be applied by several goroutines.
type Assignment struct {
	field Fields
	value Row // holds the field, decoded
	extra []Member
}

// ParseAssignment reads name=value, where the value is JSON, or else a text. A
// value that begins like an object, a list or a quoted text must be JSON, and
// the value of a number field must be a finite number or null.
func ParseAssignment(text string) (*Assignment, error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return nil, fmt.Errorf("rollout: %q is no assignment; want name=value", text)
	}
	s := jsonscan.Scanner{Buf: []byte(value)}
	if !s.Valid() || len(s.NonFinite) > 0 {
		if value != "" && strings.IndexByte(`{["`, value[0]) >= 0 {
			return nil, fmt.Errorf("rollout: %q: the value is not JSON: %w", text, &s.Err)
		}
		value = string(jsonscan.AppendString(nil, value))
	}
	a := &Assignment{extra: []Member{{name, value}}}
	if a.field, ok = FieldNamed(name); !ok {
		return a, nil
	}
	record := append(jsonscan.AppendString([]byte{'{'}, name), ':')
	record = append(append(record, value...), '}')
	if err := NewDecoder(a.field).Decode(record, &a.value); err != nil {
		return nil, fmt.Errorf("rollout: %q: %w", text, err)
	}
	if v := a.value.number(a.field); v != nil && v.Kind() != KindNull {
		if _, ok := v.Float(); !ok || v.Kind() != KindNumber {
			return nil, fmt.Errorf("rollout: %q: %s cannot hold %s; want a number", text, name, value)
		}
	}
	if !a.value.Has(a.field) {
		return nil, fmt.Errorf("rollout: %q: %s cannot hold %s", text, name, value)
	}
	return a, nil
}

// number returns the value of a number field, nil for the others.
func (r *Row) number(f Fields) *Value {
	switch f {
	case FieldIndex:
		return &r.Index
	case FieldLogprob:
		return &r.Logprob
	case FieldNTokens:
		return &r.NTokens
	case FieldReward:
		return &r.Reward
	case FieldPriorReward:
		return &r.PriorReward
	}
	return nil
}

// Field returns the field that is assigned to, FieldExtra for a member that is none.
func (a *Assignment) Field() Fields {
	if a.field == 0 {
		return FieldExtra
	}
	return a.field
}

// Apply gives the row the value.
func (a *Assignment) Apply(r *Row) {
	if a.field != 0 {
		r.assign(&a.value, a.field)
		r.Touch(a.field)
		return
	}
	r.setExtra(a.extra)
}

// SetExtra gives the row a member that is no field, or another value to one it
// has. json is valid JSON text.
func (r *Row) SetExtra(name, json string) { r.setExtra([]Member{{name, json}}) }

// SetMembers gives the row several members that are no fields, each of another
// name, as SetExtra does one by one. The row keeps the array, which nobody may
// change from then on; rows may share it.
func (r *Row) SetMembers(members []Member) {
	if len(members) > 0 {
		r.setExtra(members)
	}
}

func (r *Row) setExtra(set []Member) {
	r.Extra = withMembers(r.Extra, set)
	r.set = withMembers(r.set, set)
	r.Touch(FieldExtra)
}

// withMembers returns members with those of set behind them, or with their
// values changed. The array of members is shared between rows and stays as it is.
func withMembers(members, set []Member) []Member {
	if len(members) == 0 {
		return set[:len(set):len(set)]
	}
	out := make([]Member, 0, len(members)+len(set))
	for _, m := range members {
		if !hasMember(set, m.Name) {
			out = append(out, m)
		}
	}
	return append(out, set...)
}

func hasMember(members []Member, name string) bool {
	for i := range members {
		if members[i].Name == name {
			return true
		}
	}
	return false
}
