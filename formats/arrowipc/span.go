package arrowipc

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// span is which nodes and buffers of a record batch belong to a column.
type span struct {
	node, nodes         int
	buffer, buffers     int
	variadic, variadics int
}

// spansOf walks through the types of a schema and returns the span of each
// column. The batch must have exactly the nodes and buffers that they need.
func spansOf(fields []arrow.Field, meta *message.Batch) ([]span, error) {
	spans := make([]span, len(fields))
	var at span
	for i, f := range fields {
		s := span{node: at.nodes, buffer: at.buffers, variadic: at.variadics}
		if err := at.pass(f.Type, meta.Variadic); err != nil {
			return nil, err
		}
		s.nodes, s.buffers, s.variadics = at.nodes-s.node, at.buffers-s.buffer, at.variadics-s.variadic
		spans[i] = s
	}
	if at.nodes != len(meta.Nodes) || at.buffers != len(meta.Buffers) {
		return nil, fmt.Errorf("%w: the record batch has %d nodes and %d buffers, its schema wants %d and %d",
			message.ErrDamaged, len(meta.Nodes), len(meta.Buffers), at.nodes, at.buffers)
	}
	return spans, nil
}

// pass adds what a column of type t takes.
func (s *span) pass(t arrow.DataType, variadic []int64) error {
	if e, ok := t.(arrow.ExtensionType); ok {
		return s.pass(e.StorageType(), variadic)
	}
	s.nodes++
	switch t.ID() {
	case arrow.NULL, arrow.RUN_END_ENCODED:
	case arrow.STRUCT, arrow.FIXED_SIZE_LIST, arrow.SPARSE_UNION:
		s.buffers++
	case arrow.STRING, arrow.BINARY, arrow.LARGE_STRING, arrow.LARGE_BINARY, arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW:
		s.buffers += 3
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		if s.variadics >= len(variadic) || variadic[s.variadics] < 0 || variadic[s.variadics] > 1<<20 {
			return fmt.Errorf("%w: no count of the buffers of a column of views", message.ErrDamaged)
		}
		s.buffers += 2 + int(variadic[s.variadics])
		s.variadics++
	default:
		s.buffers += 2
	}
	if t.ID() == arrow.DICTIONARY {
		return nil // its values are in messages of their own
	}
	if n, ok := t.(arrow.NestedType); ok {
		for _, f := range n.Fields() {
			if err := s.pass(f.Type, variadic); err != nil {
				return err
			}
		}
	}
	return nil
}

// region returns the part of the body that holds the buffers of a span.
func (s span) region(meta *message.Batch) (from, to int64) {
	for _, e := range meta.Buffers[s.buffer : s.buffer+s.buffers] {
		if e.Length == 0 {
			continue
		}
		if to == 0 || e.Offset < from {
			from = e.Offset
		}
		to = max(to, e.Offset+e.Length)
	}
	return from, to
}
