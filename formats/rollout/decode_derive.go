package rollout

// derive fills what the record says only in another way: messages from steps or
// from the members that trainers read, the prompt and the final text from messages.
func (d *Decoder) derive() {
	r, l := d.row, &d.late
	if d.want&(FieldMessages|FieldPrompt|FieldFinalText) == 0 {
		return
	}
	needPrompt := d.want&FieldPrompt != 0 && (l.seen&FieldPrompt == 0 || l.trainer.prompt != "")
	needFinal := d.want&FieldFinalText != 0 && l.seen&FieldFinalText == 0
	messages := r.Messages
	if r.has&FieldMessages == 0 && l.seen&FieldMessages == 0 || needPrompt || needFinal {
		if r.has&FieldMessages == 0 {
			messages = d.derivedMessages()
		}
	}
	if len(messages) == 0 {
		return
	}
	if d.want&FieldMessages != 0 && r.has&FieldMessages == 0 && l.seen&FieldMessages == 0 {
		r.Messages = messages
		r.has |= FieldMessages
		r.rebuilt = l.messages == "" && l.hasSteps()
	}
	if needPrompt {
		if text, ok := PromptOf(messages); ok {
			r.Prompt = text
			r.has |= FieldPrompt
		}
	}
	if needFinal {
		if text, ok := FinalTextOf(messages); ok {
			r.FinalText = text
			r.has |= FieldFinalText
		}
	}
}

// derivedMessages reads the conversation from wherever else it stands.
func (d *Decoder) derivedMessages() []Message {
	l := &d.late
	if l.messages != "" {
		messages, exact := d.messagesOf(l.messages)
		if !exact && l.seen&FieldMessages == 0 {
			d.keepText(FieldMessages, []byte("messages"), l.messages)
		}
		return messages
	}
	if !l.hasSteps() {
		return d.trainerMessages()
	}
	steps := l.steps
	if steps == "" {
		steps = l.toolTrace
	}
	opener := ""
	if l.opener != "" && l.opener[0] == '"' {
		opener, _ = d.unquote(l.opener)
	}
	messages, err := MessagesFromSteps(steps, opener, d.row.Prompt, d.row.FinalText)
	if err != nil {
		return nil // steps of another shape stay in Extra
	}
	return messages
}

// hasSteps tells whether the record has a list of steps.
func (l *lateFields) hasSteps() bool {
	if l.steps != "" {
		return l.steps[0] == '['
	}
	return l.toolTrace != "" && l.toolTrace[0] == '['
}
