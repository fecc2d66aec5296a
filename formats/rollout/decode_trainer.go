package rollout

// trainerFields are the members in which the records of trainers hold a
// conversation, as JSON text: those of TRL {prompt, completion} and {prompt,
// chosen, rejected}, where a prompt may be a list of messages, and those of
// ShareGPT {conversations: [{from, value}]}. They stay in Extra.
type trainerFields struct {
	prompt        string // where it is a list
	completion    string
	chosen        string
	conversations string
	system        string
}

// promptList takes a prompt that is a list of messages. Its text goes to Extra,
// and its first user message becomes the prompt when all is read.
func (d *Decoder) promptList(name []byte, i int) int {
	start, wanted := i, d.wanted(FieldPrompt, name)
	end := d.scan.Value(i)
	if end < 0 {
		return -1
	}
	d.late.trainer.prompt = view(d.scan.Buf[start:end])
	if wanted {
		d.keepText(FieldPrompt, name, d.late.trainer.prompt)
	}
	return end
}

// trainerField takes a member that is no field: it goes to Extra, and what may
// hold the conversation is noted.
func (d *Decoder) trainerField(name []byte, i int) int {
	t := &d.late.trainer
	var dst *string
	switch string(name) {
	case "completion":
		dst = &t.completion
	case "chosen":
		dst = &t.chosen
	case "conversations", "conversation":
		dst = &t.conversations
	case "system":
		dst = &t.system
	}
	end := d.unknown(name, i)
	if dst != nil && end >= 0 {
		*dst = view(d.scan.Buf[i:end])
	}
	return end
}

// trainerMessages reads the conversation of a record of a trainer: what was asked,
// then what is to be learned. A side that begins with what was asked is the
// whole conversation.
func (d *Decoder) trainerMessages() []Message {
	t := &d.late.trainer
	if t.prompt == "" && t.completion == "" && t.chosen == "" && t.conversations == "" {
		return nil
	}
	if d.late.seen&FieldFinalText != 0 && t.prompt == "" && t.conversations == "" {
		return nil // a rollout with its own last word
	}
	asked := d.turnsOf(t.conversations, RoleUser)
	if len(asked) == 0 {
		asked = d.turnsOf(t.prompt, RoleUser)
	}
	if len(asked) == 0 && d.row.Prompt != "" {
		asked = []Message{{Role: RoleUser, Content: d.row.Prompt}}
	}
	if len(asked) > 0 && asked[0].Role != RoleSystem {
		if system := d.turnsOf(t.system, RoleSystem); len(system) == 1 && system[0].Content != "" {
			asked = append(system, asked...)
		}
	}
	side := t.chosen
	if side == "" {
		side = t.completion
	}
	answer := d.turnsOf(side, RoleAssistant)
	if beginsWith(answer, asked) {
		return answer
	}
	return append(asked[:len(asked):len(asked)], answer...)
}

// turnsOf reads one side of a record: a text, said by role, a message, or a list of
// them.
func (d *Decoder) turnsOf(json, role string) []Message {
	switch {
	case json == "":
	case json[0] == '"':
		text, _ := d.unquote(json)
		return []Message{{Role: role, Content: text}}
	case json[0] == '{':
		json = "[" + json + "]"
		fallthrough
	case json[0] == '[':
		messages, _ := d.messagesOf(json)
		kept := messages[:0]
		for _, m := range messages {
			if m.Role != "" { // others are no messages, and stay in Extra
				kept = append(kept, m)
			}
		}
		return kept
	}
	return nil
}

// beginsWith reports whether an answer repeats what was asked, all of it.
func beginsWith(answer, asked []Message) bool {
	if len(answer) < len(asked) {
		return false
	}
	for i := range asked {
		if answer[i].Role != asked[i].Role || answer[i].Text() != asked[i].Text() {
			return false
		}
	}
	return true
}

// shareRole reads who speaks in a message of ShareGPT.
func (d *Decoder) shareRole(i int) int {
	d.inexact = true
	role := ""
	end := d.memberText(&role, i, true)
	if d.msg.Role == "" {
		d.msg.Role = RoleOfShareGPT(role)
	}
	return end
}

// shareContent reads what is said in a message of ShareGPT.
func (d *Decoder) shareContent(i int) int {
	d.inexact = true
	if d.late.seen&memberContent != 0 {
		return d.scan.Value(i)
	}
	return d.content(i)
}

// RoleOfShareGPT is the role of a speaker in ShareGPT's words; other words are
// roles as they stand.
func RoleOfShareGPT(from string) string {
	switch from {
	case "human", "user", "prompter":
		return RoleUser
	case "gpt", "chatgpt", "bing", "bard", "assistant", "model", "function_call":
		return RoleAssistant
	case "function_response", "observation", "tool":
		return RoleTool
	}
	return from
}

// Turns reads what a member of a record says, given as JSON text: a text, said by
// role, a message, or a list of messages, in OpenAI's words or ShareGPT's. What is
// none of that says nothing.
func Turns(json, role string) []Message {
	d := Decoder{want: FieldMessages}
	return d.turnsOf(json, role)
}
