// Package httpagent asks a server that speaks OpenAI's chat completions for the
// next message of a conversation: with tools, with retries that wait as the
// server says, and without a word of a key in any error.
//
//	c, err := httpagent.New(httpagent.Config{URL: "http://localhost:8000/v1", Model: "my-policy"})
//	reply, err := c.Complete(ctx, httpagent.Request{Messages: messages, Tools: schemas})
package httpagent
