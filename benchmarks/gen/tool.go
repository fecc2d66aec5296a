package gen

import "strconv"

// toolSet is what the agent of a task may call.
type toolSet struct {
	names   []string
	schemas string // JSON text, as in the field tools
}

var toolSets = [...]toolSet{
	{[]string{"lookup_order", "issue_refund"}, `[` +
		`{"type":"function","function":{"name":"lookup_order","parameters":{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}}},` +
		`{"type":"function","function":{"name":"issue_refund","parameters":{"type":"object","properties":{"order_id":{"type":"string"},"limit":{"type":"integer"}}}}}]`},
	{[]string{"search_notes", "calculate"}, `[` +
		`{"type":"function","function":{"name":"search_notes","description":"Full-text search","parameters":{"type":"object","properties":{"reason":{"type":"string"}}}}},` +
		`{"type":"function","function":{"name":"calculate","parameters":{"type":"object","properties":{"limit":{"type":"number"}}}}}]`},
}

// unlisted are the tools of tasks whose rows do not list them.
var unlisted = toolSet{names: []string{"run_query", "update_account"}}

// appendCall appends an assistant message that calls a tool, and the tool's
// message up to its closing brace. What leaks by a tool result stands in the
// last one.
func (w *lineWriter) appendCall(dst []byte, src *source, r *rollout, last bool) []byte {
	tools := w.t.tools
	if tools == nil {
		tools = &unlisted
	}
	name := tools.names[src.intn(len(tools.names))]
	var id [8]byte
	for i, bits := 0, src.next(); i < len(id); i++ {
		id[i] = "0123456789abcdef"[bits>>(4*i)&15]
	}

	dst = append(dst, `{"role":"assistant","content":`...)
	if src.chance(0.25) {
		dst = append(dst, "null"...)
	} else {
		w.text = w.g.vocabulary.appendProse(w.text[:0], src, 40, w.t.foreign)
		dst = appendBytes(dst, w.text, w.ascii)
	}
	dst = append(append(dst, `,"tool_calls":[{"id":"call_`...), id[:]...)
	dst = append(append(dst, `","type":"function","function":{"name":"`...), name...)
	w.text = w.appendArguments(w.text[:0], src)
	dst = appendBytes(append(dst, `","arguments":`...), w.text, w.ascii)
	dst = append(append(dst, `}}]},{"role":"tool","name":"`...), name...)
	dst = append(append(dst, `","tool_call_id":"call_`...), id[:]...)
	w.text = w.appendResult(w.text[:0], src, r, last)
	return appendBytes(append(dst, `","content":`...), w.text, w.ascii)
}

func (w *lineWriter) appendArguments(dst []byte, src *source) []byte {
	dst = strconv.AppendInt(append(dst, `{"order_id":"A-`...), int64(src.intn(1_000_000)), 10)
	dst = append(append(dst, `","reason":"`...), w.g.vocabulary.word(src.next())...)
	dst = strconv.AppendInt(append(dst, `","limit":`...), int64(src.intn(50)), 10)
	return append(dst, '}')
}

// appendResult appends what a tool gave back, a JSON object.
func (w *lineWriter) appendResult(dst []byte, src *source, r *rollout, last bool) []byte {
	v := w.g.vocabulary
	dst = append(dst, `{"status":"ok","items":[`...)
	for n := range 2 {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"id":`...), int64(src.intn(1_000_000)), 10)
		dst = append(append(dst, `,"name":"`...), v.word(src.next())...)
		dst = strconv.AppendFloat(append(dst, `","total":`...), float64(src.intn(10_000))/100, 'f', 2, 64)
		dst = append(dst, '}')
	}
	var note [256]byte
	dst = append(dst, `],"note":`...)
	dst = appendBytes(dst, v.appendProse(note[:0], src, 80, w.t.foreign), false)
	if last {
		dst = w.appendLeak(dst, r)
	}
	return append(dst, '}')
}

func (w *lineWriter) appendLeak(dst []byte, r *rollout) []byte {
	switch r.leak {
	case toolQuestion:
		it, _ := w.g.item(r.item)
		dst = appendString(append(dst, `,"match":{"question":`...), it.Question, false)
		dst = appendString(append(dst, `,"answer":`...), it.Answer, false)
		return append(dst, '}')
	case toolAnswer:
		dst = w.t.gold.appendPlain(append(dst, `,"gold_answer":"`...))
		return append(dst, '"')
	}
	return dst
}
