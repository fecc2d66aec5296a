package agent

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// reply is a Reply as it stands in a line of JSON.
type reply struct {
	Text         string   `json:"text,omitzero"`
	Calls        []call   `json:"calls,omitempty"`
	Finish       string   `json:"finish,omitzero"`
	Ended        string   `json:"ended,omitzero"`
	Seeded       []string `json:"seeded,omitzero"` // an empty list says more than none
	InputTokens  int64    `json:"input_tokens,omitzero"`
	OutputTokens int64    `json:"output_tokens,omitzero"`
	Error        string   `json:"error,omitzero"`
}

type call struct {
	ID        string         `json:"id,omitzero"`
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments,omitzero"` // an object, or the text of one
}

// ErrReply is wrapped when an answer cannot be read.
var ErrReply = errors.New("agent: unreadable answer")

// AppendReply appends an answer as a line of JSON without its end.
func AppendReply(dst []byte, r *Reply) ([]byte, error) {
	w := reply{
		Text: r.Text, Finish: r.Finish, Ended: r.Ended, Seeded: r.Seeded, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens,
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		w.Calls = append(w.Calls, call{c.ID, c.Name, jsontext.Value(rollout.AppendText(nil, c.Arguments))})
	}
	text, err := json.Marshal(&w, jsontext.AllowInvalidUTF8(true))
	return append(dst, text...), err
}

// ParseReply reads what AppendReply writes, and what a program answers: an
// object with text, calls or both. Arguments are an object, or a text that
// holds one. An answer with the member error is an error with its text.
func ParseReply(line []byte) (Reply, error) {
	var w reply
	if err := json.Unmarshal(line, &w, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return Reply{}, fmt.Errorf("%w: %w", ErrReply, err)
	}
	if w.Error != "" {
		return Reply{}, errors.New(w.Error)
	}
	r := Reply{
		Text: w.Text, Finish: w.Finish, Ended: w.Ended, Seeded: w.Seeded, InputTokens: w.InputTokens, OutputTokens: w.OutputTokens,
	}
	for i, c := range w.Calls {
		if c.Name == "" {
			return Reply{}, fmt.Errorf("%w: call %d has no name", ErrReply, i+1)
		}
		arguments := string(c.Arguments)
		if text, ok := rollout.TextOf(arguments); ok {
			arguments = text
		}
		r.Calls = append(r.Calls, rollout.ToolCall{ID: c.ID, Type: "function", Name: c.Name, Arguments: arguments})
	}
	return r, nil
}
