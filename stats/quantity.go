package stats

import (
	"bytes"
	"encoding/json"
)

// Quantity is a named number.
type Quantity struct {
	Name  string
	Value Null[float64]
}

// Quantities are named numbers in an order that means something, such as first
// seen. They are written as one JSON object in that order.
type Quantities []Quantity

// Get returns the number of that name, absent when there is none.
func (q Quantities) Get(name string) Null[float64] {
	for _, x := range q {
		if x.Name == name {
			return x.Value
		}
	}
	return Null[float64]{}
}

// MarshalJSON writes {"name": value, ...} in order.
func (q Quantities) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range q {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(x.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(x.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// quantities builds a list from alternating names and numbers.
func quantities(pairs ...any) Quantities {
	q := make(Quantities, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		x := Quantity{Name: pairs[i].(string)}
		switch v := pairs[i+1].(type) {
		case int:
			x.Value = Of(float64(v))
		case float64:
			x.Value = Of(v)
		case Null[float64]:
			x.Value = v
		}
		q = append(q, x)
	}
	return q
}
