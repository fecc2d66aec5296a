package rollout

// SplitPath cuts the name of a member within members at its dots, as in
// info.answer. A backslash takes a dot behind it as part of a name.
func SplitPath(name string) (parts []string) {
	var part []byte
	for i := 0; i < len(name); i++ {
		switch {
		case name[i] == '\\' && i+1 < len(name):
			i++
			part = append(part, name[i])
		case name[i] == '.':
			parts, part = append(parts, string(part)), nil
		default:
			part = append(part, name[i])
		}
	}
	return append(parts, string(part))
}

// TextReader returns what reads a field that holds plain text, nil where f is no such
// field.
func TextReader(f Fields) func(*Row) string {
	switch f {
	case FieldID:
		return func(r *Row) string { return r.ID }
	case FieldTaskID:
		return func(r *Row) string { return r.TaskID }
	case FieldGroupID:
		return func(r *Row) string { return r.GroupID }
	case FieldPrompt:
		return func(r *Row) string { return r.Prompt }
	case FieldFinalText:
		return func(r *Row) string { return r.FinalText }
	case FieldFinishReason:
		return func(r *Row) string { return r.FinishReason }
	case FieldReason:
		return func(r *Row) string { return r.Reason }
	case FieldJudge:
		return func(r *Row) string { return r.Judge }
	case FieldLabelSource:
		return func(r *Row) string { return r.LabelSource }
	case FieldGate:
		return func(r *Row) string { return r.Gate }
	}
	return nil
}

// NumberReader returns what reads the JSON text of a field that holds one value, most
// often a number; nil where f is no such field.
func NumberReader(f Fields) func(*Row) string {
	switch f {
	case FieldIndex:
		return func(r *Row) string { return r.Index.Text }
	case FieldLogprob:
		return func(r *Row) string { return r.Logprob.Text }
	case FieldNTokens:
		return func(r *Row) string { return r.NTokens.Text }
	case FieldReward:
		return func(r *Row) string { return r.Reward.Text }
	case FieldPriorReward:
		return func(r *Row) string { return r.PriorReward.Text }
	}
	return nil
}

// MarkerText is the JSON text of the marker of a name, the last of several; "" where
// there is none.
func (r *Row) MarkerText(name string) string {
	for i := len(r.Markers) - 1; i >= 0; i-- {
		if r.Markers[i].Name == name {
			return r.Markers[i].Value.Text
		}
	}
	return ""
}

// ExtraText is the JSON text of a member of Extra, "" where there is none.
func (r *Row) ExtraText(name string) string {
	for i := range r.Extra {
		if r.Extra[i].Name == name {
			return r.Extra[i].JSON
		}
	}
	return ""
}
