package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// messagesShown is how many messages of a row are shown at either end.
const messagesShown = 10

// rowView shows rows to a person, one block a row.
type rowView struct {
	w      io.Writer
	width  int // most characters of a text; 0 is all
	reader *source
	input  int // number of the input that was named last; -1 for none
	buf    bytes.Buffer
}

func (v *rowView) show(r *rollout.Row) error {
	v.buf.Reset()
	if int(r.Pos.Input) != v.input {
		v.nameInput(r)
	}
	v.buf.WriteByte('\n')
	v.title(r)
	v.line("reward", rewardText(r))
	v.line("markers", markersText(r))
	v.text("prompt", r.Prompt)
	v.messages(r.Messages)
	if last, _ := rollout.FinalTextOf(r.Messages); last != r.FinalText {
		v.text("final", r.FinalText)
	}
	v.line("gate", clean(r.Gate))
	if r.Prompt == "" && len(r.Messages) == 0 {
		v.text("carries", extraText(r))
	}
	_, err := v.w.Write(v.buf.Bytes())
	return err
}

func (v *rowView) nameInput(r *rollout.Row) {
	if v.input >= 0 {
		v.buf.WriteByte('\n')
	}
	v.input = int(r.Pos.Input)
	for _, in := range v.reader.facts() {
		if in.path == v.reader.InputName(r.Pos.Input) {
			fmt.Fprintf(&v.buf, "%s: %s, %s\n", inputName(in.path), in.layout, dialectWord(in))
			return
		}
	}
}

// title says where the row stands and what it is called.
func (v *rowView) title(r *rollout.Row) {
	v.buf.WriteString(placeOf(v.reader, r.Pos))
	for _, id := range []struct{ name, value string }{
		{"task", r.TaskID}, {"rollout", r.ID}, {"index", r.Index.Text}, {"group", r.GroupID},
	} {
		if id.value != "" {
			fmt.Fprintf(&v.buf, "  %s %s", id.name, excerpt(id.value, 80))
		}
	}
	v.buf.WriteByte('\n')
}

// line adds a line, unless it says nothing.
func (v *rowView) line(label, text string) {
	if text != "" {
		fmt.Fprintf(&v.buf, "  %-9s  %s\n", label, text)
	}
}

// text adds a line with a text of the row.
func (v *rowView) text(label, text string) { v.line(label, excerpt(text, v.width)) }

func (v *rowView) messages(list []rollout.Message) {
	for i := range list {
		if skipped := len(list) - 2*messagesShown; i == messagesShown && skipped > 0 {
			v.line("...", count(int64(skipped), "more message"))
		}
		if i < messagesShown || i >= len(list)-messagesShown {
			v.message(&list[i])
		}
	}
}

func (v *rowView) message(m *rollout.Message) {
	role := excerpt(m.Role, 9)
	text := m.Text()
	if m.Name != "" {
		text = m.Name + ": " + text
	}
	if text != "" || len(m.ToolCalls) == 0 {
		v.line(role, orNothing(excerpt(text, v.width)))
	}
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		v.line(role, "-> "+excerpt(call.Name+" "+call.Arguments, v.width))
	}
}

func orNothing(text string) string {
	if text == "" {
		return "(nothing)"
	}
	return text
}

// rewardText says what the reward is and what it is worth.
func rewardText(r *rollout.Row) string {
	words := []string{r.State().String()}
	if r.Reward.Text != "" {
		words = []string{excerpt(r.Reward.Text, 40), "(" + r.State().String() + ")"}
	}
	if r.Status != rollout.StatusAbsent {
		words = append(words, r.Status.String())
	}
	if r.Judge != "" {
		words = append(words, "by "+excerpt(r.Judge, 40))
	}
	if r.Reason != "" {
		words = append(words, "because: "+excerpt(r.Reason, 80))
	}
	return strings.Join(words, " ")
}

func markersText(r *rollout.Row) string {
	var words []string
	for _, m := range r.Markers {
		words = append(words, excerpt(m.Name, 40)+" "+excerpt(m.Value.Text, 40))
	}
	return excerpt(strings.Join(words, ", "), 200)
}

// extraText lists the members that the row has no field for.
func extraText(r *rollout.Row) string {
	words := make([]string, len(r.Extra))
	for i, m := range r.Extra {
		words[i] = m.Name + " " + m.JSON
	}
	return strings.Join(words, ", ")
}
