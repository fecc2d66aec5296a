package httpagent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// question is the body of a request.
type question struct {
	Model       string         `json:"model,omitzero"`
	Messages    jsontext.Value `json:"messages"`
	Tools       jsontext.Value `json:"tools,omitzero"`
	Temperature *float64       `json:"temperature,omitzero"`
	MaxTokens   int            `json:"max_tokens,omitzero"`
}

func (c *Client) body(r *Request) ([]byte, error) {
	q := question{Model: c.config.Model, Messages: rollout.AppendMessages(nil, r.Messages), Temperature: c.config.Temperature, MaxTokens: c.config.MaxTokens}
	if r.Tools != "" && r.Tools != "[]" {
		q.Tools = jsontext.Value(r.Tools)
	}
	body, err := json.Marshal(&q, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("httpagent: question: %w", err)
	}
	return body, nil
}

// completion is what a server answers.
type completion struct {
	Choices []struct {
		Message struct {
			Content   *string          `json:"content"`
			ToolCalls []jsontext.Value `json:"tool_calls"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Input  int64 `json:"prompt_tokens"`
		Output int64 `json:"completion_tokens"`
	} `json:"usage"`
}

// StatusError is an answer of a server that is an error.
type StatusError struct {
	Status int
	Body   string // its beginning
}

// Error says what the server answered.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("httpagent: the server answers %d %s", e.Status, http.StatusText(e.Status))
	if e.Body != "" {
		text += ": " + e.Body
	}
	return text
}

// ErrAnswer is wrapped when an answer is no chat completion.
var ErrAnswer = errors.New("httpagent: unreadable answer")

// shownBody is how many bytes of an answer an error shows.
const shownBody = 200

// send sends a question once.
func (c *Client) send(ctx context.Context, body []byte) (Reply, retry, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return Reply{}, retry{}, fmt.Errorf("httpagent: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.config.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return Reply{}, retry{worth: true}, fmt.Errorf("httpagent: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return Reply{}, retry{worth: true}, fmt.Errorf("httpagent: the answer broke off: %w", err)
	case resp.StatusCode != http.StatusOK:
		return Reply{}, retryOf(resp), &StatusError{resp.StatusCode, c.show(text)}
	case len(text) > maxAnswer:
		return Reply{}, retry{}, fmt.Errorf("%w: more than %d bytes", ErrAnswer, maxAnswer)
	}
	r, err := c.read(text)
	return r, retry{}, err
}

// show is the beginning of an answer on one line, without the key.
func (c *Client) show(text []byte) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(string(text[:min(len(text), 4*shownBody)]), "\uFFFD")), " ")
	if c.config.Key != "" {
		line = strings.ReplaceAll(line, c.config.Key, "...")
	}
	return strings.ToValidUTF8(line[:min(len(line), shownBody)], "")
}

// read reads an answer.
func (c *Client) read(text []byte) (Reply, error) {
	var a completion
	if err := json.Unmarshal(text, &a, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return Reply{}, fmt.Errorf("%w: %s: %w", ErrAnswer, c.show(text), err)
	}
	if len(a.Choices) == 0 {
		return Reply{}, fmt.Errorf("%w: it has no choices: %s", ErrAnswer, c.show(text))
	}
	choice := &a.Choices[0]
	r := Reply{Finish: choice.FinishReason, InputTokens: a.Usage.Input, OutputTokens: a.Usage.Output}
	if choice.Message.Content != nil {
		r.Text = *choice.Message.Content
	}
	for i, json := range choice.Message.ToolCalls {
		call, _, ok := rollout.ParseToolCall(string(json))
		if !ok {
			return Reply{}, fmt.Errorf("%w: call %d has no name: %s", ErrAnswer, i+1, c.show(json))
		}
		r.Calls = append(r.Calls, call)
	}
	return r, nil
}
