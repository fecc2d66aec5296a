package gen

import "strconv"

var models = []string{"model-a-8b", "model-b-70b", "model-c"}

// lineWriter writes rows. It keeps the task of the last one, since rows of a
// task follow each other.
type lineWriter struct {
	g     *Generator
	t     task
	made  bool // t is a task
	ascii bool // the line is to be escaped down to ASCII
	text  []byte
}

func (w *lineWriter) appendLine(dst []byte, i int64) []byte {
	from := w.g.origin(i)
	if n := i / RolloutsPerTask; !w.made || w.t.n != n {
		w.t, w.made = w.g.task(n), true
	}
	t := &w.t
	r := w.g.rollout(from, t)
	src := newSource(w.g.seed, drawnText, from)
	w.ascii = t.foreign && src.chance(0.5)

	dst = append(dst, `{"schema_version":"1","rollout_id":"`...)
	dst = append(dst, w.g.rolloutID(i)...)
	dst = append(append(dst, `","scenario_id":"`...), taskID(t.n)...)
	dst = strconv.AppendInt(append(dst, `","rollout_index":`...), i%RolloutsPerTask, 10)
	dst = appendString(append(dst, `,"prompt":`...), t.prompt, w.ascii)
	dst = w.appendMessages(append(dst, `,"messages":`...), &src, &r)
	if t.tools != nil {
		dst = append(append(dst, `,"tools":`...), t.tools.schemas...)
	}
	dst = appendBytes(append(dst, `,"final_text":`...), w.text, w.ascii) // appendMessages left the reply there
	finish := "stop"
	if r.truncated {
		finish = "length"
	}
	dst = append(append(dst, `,"finish_reason":"`...), finish...)
	dst = append(dst, `","logprob":`...)
	dst = strconv.AppendFloat(dst, float64(-src.intn(2_000_000))/10_000, 'f', -1, 64)
	dst = strconv.AppendInt(append(dst, `,"n_tokens":`...), int64(src.between(200, 1000)), 10)
	dst = appendScore(dst, r.score)
	dst = strconv.AppendInt(append(dst, `,"markers":{"grounded":`...), int64(src.intn(2)), 10)
	dst = strconv.AppendFloat(append(dst, `,"polite":`...), float64(src.intn(1001))/1000, 'f', -1, 64)
	dst = strconv.AppendInt(append(dst, `,"policy_ok":`...), int64(src.intn(2)), 10)
	dst = append(append(dst, `},"model_version":"`...), models[src.intn(len(models))]...)
	dst = strconv.AppendInt(append(dst, `","seed":`...), int64(src.intn(1<<30)), 10)
	dst = t.gold.appendPlain(append(dst, `,"privileged":{"reference":"`...))
	return append(dst, "\"}}\n"...)
}

func appendScore(dst []byte, s score) []byte {
	switch s {
	case scoreZero:
		return append(dst, `,"reward":0`...)
	case scoreOne:
		return append(dst, `,"reward":1`...)
	case scoreNull:
		return append(dst, `,"reward":null`...)
	case scoreError:
		return append(dst, `,"reward":null,"judge_status":"error"`...)
	}
	return dst
}

// appendMessages appends the conversation: system, user, one or two calls of
// tools with what came back, and the reply, which it leaves in w.text.
func (w *lineWriter) appendMessages(dst []byte, src *source, r *rollout) []byte {
	dst = appendString(append(dst, `[{"role":"system","content":`...), w.t.system, w.ascii)
	dst = appendString(append(dst, `},{"role":"user","content":`...), w.t.prompt, w.ascii)
	calls := src.between(1, 2)
	for n := range calls {
		dst = append(dst, `},`...)
		dst = w.appendCall(dst, src, r, n == calls-1)
	}
	w.text = w.appendReply(w.text[:0], src, r)
	dst = appendBytes(append(dst, `},{"role":"assistant","content":`...), w.text, w.ascii)
	return append(dst, `}]`...)
}

// appendReply appends the plain text of the last message.
func (w *lineWriter) appendReply(dst []byte, src *source, r *rollout) []byte {
	t, v := &w.t, w.g.vocabulary
	dst = v.appendProse(dst, src, src.between(220, 560), t.foreign)
	if src.chance(0.15) {
		dst = append(append(dst, "\n\n"...), snippets[src.intn(len(snippets))]...)
		dst = v.appendProse(append(dst, "\n\n"...), src, 60, false)
	}
	if r.truncated { // in the middle of a word
		dst = v.appendPhrase(append(dst, " Then "...), src, src.between(3, 12))
		return append(dst, " beca"...)
	}
	if r.phrase {
		dst = append(append(append(dst, " This holds, "...), Phrase...), '.')
	}
	dst = append(dst, "\n\n"...)
	if r.right {
		return t.gold.appendClosing(dst, src, t.unit)
	}
	return t.gold.wrong(src).appendClosing(dst, src, t.unit)
}
