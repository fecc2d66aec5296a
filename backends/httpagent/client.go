package httpagent

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Config says whom to ask, and how. The zero value of a field stands for its
// default.
type Config struct {
	URL         string // of the server; /v1/chat/completions is completed behind it
	Model       string // that is asked for; default: none is named, and the server decides
	Key         string // sent as a bearer token; default: none is sent
	Temperature *float64
	MaxTokens   int           // of an answer; default: the server's
	Tries       int           // how often a question is sent at most; default DefaultTries
	Backoff     time.Duration // before the second try, doubled for each further one; default DefaultBackoff
	Transport   http.RoundTripper
}

const (
	// DefaultTries and DefaultBackoff are conventions of the reference
	// implementation (spec of simulation, section 23).
	DefaultTries   = 4
	DefaultBackoff = 400 * time.Millisecond

	maxWait   = 30 * time.Second // that a server may ask for
	maxAnswer = 16 << 20         // bytes
)

// ErrConfig is wrapped when a client cannot be made as asked.
var ErrConfig = errors.New("httpagent: configuration")

// Client asks one server. It is safe for concurrent use.
type Client struct {
	config Config
	url    string
	http   *http.Client
}

// New returns a client. The error says what is wrong with the configuration;
// nothing is sent.
func New(c Config) (*Client, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%w: URL %q; want such as http://localhost:8000/v1", ErrConfig, c.URL)
	}
	if c.Tries < 0 || c.MaxTokens < 0 || c.Backoff < 0 {
		return nil, fmt.Errorf("%w: tries, tokens and times are not negative", ErrConfig)
	}
	if c.Tries == 0 {
		c.Tries = DefaultTries
	}
	if c.Backoff == 0 {
		c.Backoff = DefaultBackoff
	}
	if c.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 1024 // as many as calls are in flight
		c.Transport = t
	}
	return &Client{config: c, url: endpoint(u), http: &http.Client{Transport: c.Transport}}, nil
}

// endpoint completes the path of a URL (spec of simulation, section 4.3).
func endpoint(u *url.URL) string {
	switch path := strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(path, "/chat/completions"):
		u.Path = path
	case strings.HasSuffix(path, "/v1"):
		u.Path = path + "/chat/completions"
	default:
		u.Path = path + "/v1/chat/completions"
	}
	return u.String()
}

// Close closes the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Request is a question.
type Request struct {
	Messages []rollout.Message // the conversation, the system prompt first if there is one
	Tools    string            // JSON text: a list of tool schemas; "" for none
	Draw     string            // what the waits between tries are drawn from, so that callers do not come back together
}

// Reply is an answer.
type Reply struct {
	Text         string
	Calls        []rollout.ToolCall
	Finish       string // stop, length, tool_calls, or what the server says
	InputTokens  int64
	OutputTokens int64
	Tries        int
}

// Complete asks for the next message. It sends the question again after an
// error that may pass: of the network, 408, 409, 429 and those of 500 to 599, at
// the time that the server gives or after a wait that doubles. It ends when ctx
// is done. An error of the server is a *StatusError.
func (c *Client) Complete(ctx context.Context, r Request) (Reply, error) {
	body, err := c.body(&r)
	if err != nil {
		return Reply{}, err
	}
	for try := 1; ; try++ {
		reply, again, err := c.send(ctx, body)
		if err == nil {
			reply.Tries = try
			return reply, nil
		}
		switch {
		case ctx.Err() != nil:
			return Reply{}, fmt.Errorf("httpagent: no answer: %w", ctx.Err())
		case !again.worth || try == c.config.Tries:
			return Reply{}, err
		}
		if err := pause(ctx, c.wait(again, &r, try)); err != nil {
			return Reply{}, fmt.Errorf("httpagent: no answer: %w", err)
		}
	}
}
