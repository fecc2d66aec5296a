package jsonl

import "github.com/rollmill/rollmill/formats/rollout"

// lines is the text of the rows of one batch.
type lines struct {
	text    []byte
	ends    []int // behind each row's newline
	dropped []gateCount
}

// gateCount is how many rows of a batch ended at a gate.
type gateCount struct {
	gate string
	rows int64
}

// encodeLines writes the rows of a batch as text, into a buffer of the pool.
func encodeLines(rows []rollout.Row, keptOnly bool, pool *buffers) lines {
	size := 0
	for i := range rows {
		size += len(rows[i].Source()) + 64
	}
	l := lines{text: pool.get(size), ends: make([]int, 0, len(rows))}
	for i := range rows {
		r := &rows[i]
		if keptOnly && r.Gate != "" {
			l.drop(r.Gate)
			continue
		}
		l.text = append(r.AppendLine(l.text), '\n')
		l.ends = append(l.ends, len(l.text))
	}
	return l
}

func (l *lines) drop(gate string) {
	for i := range l.dropped {
		if l.dropped[i].gate == gate {
			l.dropped[i].rows++
			return
		}
	}
	l.dropped = append(l.dropped, gateCount{gate, 1})
}
