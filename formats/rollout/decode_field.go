package rollout

import "strconv"

// Names that are not fields of their own but settle one, by bit above the fields.
const (
	nameTask         = fieldEnd << iota // task_id, beside scenario_id
	nameGraderReason                    // grader_reason, beside reason
	fieldVersion                        // schema_version
	nameSteps                           // steps, from which messages are rebuilt
	nameToolTrace                       // tool_trace, the older spelling of steps
	nameOpener                          // opener, what the agent said before the prompt
	nameStepsText                       // steps_json, messages_json, metadata_json: JSON within text
	nameMessagesText
	nameMetadataText
)

// field takes one member of a record.
func (d *Decoder) field(name []byte, i int) int {
	r := d.row
	switch string(name) {
	case "rollout_id":
		return d.textField(FieldID, &r.ID, name, i)
	case "scenario_id":
		return d.lateField(FieldTaskID, &d.late.scenario, name, i)
	case "task_id":
		if d.absorbing {
			return d.unknown(name, i) // it has lost against the column already
		}
		return d.lateField(nameTask, &d.late.task, name, i)
	case "group_id":
		return d.textField(FieldGroupID, &r.GroupID, name, i)
	case "rollout_index":
		return d.valueField(FieldIndex, &r.Index, name, i)
	case "prompt":
		if b := d.scan.Buf; i < len(b) && b[i] == '[' {
			return d.promptList(name, i)
		}
		d.late.trainer.prompt = ""
		return d.textField(FieldPrompt, &r.Prompt, name, i)
	case "messages":
		return d.messagesField(name, i)
	case "tools":
		return d.jsonField(FieldTools, &r.Tools, '[', name, i)
	case "final_text":
		return d.textField(FieldFinalText, &r.FinalText, name, i)
	case "finish_reason":
		return d.textField(FieldFinishReason, &r.FinishReason, name, i)
	case "logprob":
		return d.valueField(FieldLogprob, &r.Logprob, name, i)
	case "n_tokens":
		return d.valueField(FieldNTokens, &r.NTokens, name, i)
	case "reward":
		return d.valueField(FieldReward, &r.Reward, name, i)
	case "qwen_reward":
		return d.valueField(FieldPriorReward, &r.PriorReward, name, i)
	case "judge_status":
		return d.statusField(name, i)
	case "reason":
		return d.lateField(FieldReason, &d.late.reason, name, i)
	case "grader_reason":
		return d.lateField(nameGraderReason, &d.late.graderReason, name, i)
	case "judge_name":
		return d.textField(FieldJudge, &r.Judge, name, i)
	case "label_source":
		return d.textField(FieldLabelSource, &r.LabelSource, name, i)
	case "markers":
		return d.markersField(name, i)
	case "privileged":
		return d.jsonField(FieldPrivileged, &r.Privileged, '{', name, i)
	case "rollmill_gate":
		return d.textField(FieldGate, &r.Gate, name, i)
	case "rollmill_gates":
		return d.gatesField(name, i)
	case "schema_version":
		return d.lateField(fieldVersion, &d.late.version, name, i)
	case "steps":
		return d.lateField(nameSteps, &d.late.steps, name, i)
	case "tool_trace":
		return d.lateField(nameToolTrace, &d.late.toolTrace, name, i)
	case "opener":
		return d.lateField(nameOpener, &d.late.opener, name, i)
	case "steps_json":
		return d.lateField(nameStepsText, &d.late.stepsText, name, i)
	case "messages_json":
		return d.lateField(nameMessagesText, &d.late.messagesText, name, i)
	case "metadata_json":
		return d.lateField(nameMetadataText, &d.late.metadataText, name, i)
	}
	return d.trainerField(name, i)
}

// wanted notes that a field's name was met and reports whether to decode it.
// When the name stood before, the last one wins.
func (d *Decoder) wanted(f Fields, name []byte) bool {
	if d.late.seen&f != 0 {
		d.notes.DuplicateNames++
		d.forget(f, name)
	}
	d.late.seen |= f
	return d.want&f != 0
}

func (d *Decoder) forget(f Fields, name []byte) {
	d.row.has &^= f
	d.row.kept &^= f
	d.dropExtra(string(name))
	var zero Row
	d.row.assign(&zero, f&AllFields)
}

func (d *Decoder) dropExtra(name string) {
	kept := d.extraBuf[:0]
	for _, m := range d.extraBuf {
		if m.Name != name {
			kept = append(kept, m)
		}
	}
	d.extraBuf = kept
}

// keep passes over the value at i of a field whose column cannot hold it: its
// exact text goes to Extra and wins when the row is written.
func (d *Decoder) keep(f Fields, name []byte, i int) int {
	end := d.scan.Value(i)
	if end >= 0 {
		d.keepText(f, name, view(d.scan.Buf[i:end]))
	}
	return end
}

func (d *Decoder) keepText(f Fields, name []byte, text string) {
	if d.want&FieldExtra != 0 {
		d.extraBuf = append(d.extraBuf, Member{view(name), text})
		d.row.kept |= f
	}
}

func (d *Decoder) textField(f Fields, dst *string, name []byte, i int) int {
	if !d.wanted(f, name) {
		return d.scan.Value(i)
	}
	if i >= len(d.scan.Buf) || d.scan.Buf[i] != '"' {
		return d.keep(f, name, i)
	}
	text, end, exact := d.string(i)
	if end < 0 {
		return -1
	}
	*dst = text
	d.row.has |= f
	if !exact {
		d.keepText(f, name, view(d.scan.Buf[i:end]))
	}
	return end
}

func (d *Decoder) valueField(f Fields, dst *Value, name []byte, i int) int {
	if !d.wanted(f, name) {
		return d.scan.Value(i)
	}
	v, end := d.value(i)
	if end >= 0 {
		*dst = v
		d.row.has |= f
	}
	return end
}

// value reads any value, most often a number.
func (d *Decoder) value(i int) (Value, int) {
	end := d.scan.Value(i)
	if end < 0 {
		return Value{}, -1
	}
	text := view(d.scan.Buf[i:end])
	switch c := text[0]; {
	case len(text) == 1: // a digit: most rewards
		return Value{float64(c - '0'), text}, end
	case c == '-' || c-'0' < 10:
		f, _ := strconv.ParseFloat(text, 64) // out of range is an infinity, which is no score
		return Value{f, text}, end
	}
	return Value{Text: text}, end
}

// jsonField keeps a list or an object as JSON text.
func (d *Decoder) jsonField(f Fields, dst *string, open byte, name []byte, i int) int {
	if !d.wanted(f, name) {
		return d.scan.Value(i)
	}
	if i >= len(d.scan.Buf) || d.scan.Buf[i] != open {
		return d.keep(f, name, i)
	}
	end := d.scan.Value(i)
	if end >= 0 {
		*dst = view(d.scan.Buf[i:end])
		d.row.has |= f
	}
	return end
}

func (d *Decoder) statusField(name []byte, i int) int {
	if !d.wanted(FieldStatus, name) {
		return d.scan.Value(i)
	}
	end := d.scan.Value(i)
	if end < 0 {
		return -1
	}
	text := view(d.scan.Buf[i:end])
	if status, ok := ParseStatus(text[1:max(1, len(text)-1)]); ok && text[0] == '"' {
		d.row.Status = status
		d.row.has |= FieldStatus
	} else {
		d.keepText(FieldStatus, name, text)
	}
	return end
}

// unknown takes a member that is no field: it goes to Extra as it stands.
func (d *Decoder) unknown(name []byte, i int) int {
	end := d.scan.Value(i)
	if end < 0 {
		return -1
	}
	d.row.others.add(name)
	if d.late.repeated(name) {
		d.notes.DuplicateNames++
		d.dropExtra(string(name))
	}
	if d.want&FieldExtra != 0 {
		d.extraBuf = append(d.extraBuf, Member{view(name), view(d.scan.Buf[i:end])})
	}
	return end
}
