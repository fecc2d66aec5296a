package httpagent_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rollmill/rollmill/backends/httpagent"
	"github.com/rollmill/rollmill/formats/rollout"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const answer = `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_order","arguments":"{\"order_id\":\"A1\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`

// serve runs a server on the loopback. It is asked with tries that follow at once.
func serve(t *testing.T, handler http.HandlerFunc) *httpagent.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := httpagent.New(httpagent.Config{URL: server.URL + "/v1", Model: "m", Key: "sk-secret", Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var request = httpagent.Request{
	Messages: []rollout.Message{{Role: rollout.RoleSystem, Content: "Help."}, {Role: rollout.RoleUser, Content: "Where is A1?"}},
	Tools:    `[{"type":"function","function":{"name":"get_order","parameters":{}}}]`, Draw: "1",
}

func TestComplete(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		const want = `{"model":"m","messages":[{"role":"system","content":"Help."},{"role":"user","content":"Where is A1?"}],"tools":[{"type":"function","function":{"name":"get_order","parameters":{}}}]}`
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-secret" || string(body) != want {
			t.Errorf("%s %v %s", r.URL, r.Header, body)
		}
		_, _ = io.WriteString(w, answer)
	})
	got, err := c.Complete(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Calls) != 1 || got.Calls[0].Name != "get_order" || got.Calls[0].Arguments != `{"order_id":"A1"}` || got.Calls[0].ID != "c1" ||
		got.InputTokens != 7 || got.OutputTokens != 3 || got.Finish != "tool_calls" || got.Tries != 1 || got.Text != "" {
		t.Errorf("%+v", got)
	}
}

// What may pass is tried again, and nothing else.
func TestRetries(t *testing.T) {
	for _, c := range []struct {
		name  string
		fail  func(w http.ResponseWriter) // at the first two tries
		tries int32
		want  string // in the error; "" for an answer
	}{
		{"429", func(w http.ResponseWriter) { w.Header().Set("Retry-After-Ms", "1"); w.WriteHeader(429) }, 3, ""},
		{"503", func(w http.ResponseWriter) { w.WriteHeader(503) }, 3, ""},
		{"500", func(w http.ResponseWriter) { w.WriteHeader(500) }, 3, ""},
		{"a connection that dies", func(w http.ResponseWriter) { hang(w).Close() }, 3, ""},
		{"an answer that breaks off", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "{")
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			hang(w).Close()
		}, 3, ""},
		{"400", func(w http.ResponseWriter) { http.Error(w, "no such\nmodel for sk-secret", 400) }, 1, "400 Bad Request: no such model for ..."},
		{"401", func(w http.ResponseWriter) { w.WriteHeader(401) }, 1, "401 Unauthorized"},
		{"rubbish", func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>hello</html>") }, 1, "unreadable answer"},
		{"no choices", func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"choices":[]}`) }, 1, "no choices"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n atomic.Int32
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1) <= 2 {
					c.fail(w)
					return
				}
				_, _ = io.WriteString(w, answer)
			})
			got, err := client.Complete(t.Context(), request)
			if n.Load() != c.tries || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d tries, %v; want %d and %q", n.Load(), err, c.tries, c.want)
			}
			if err == nil && (got.Tries != int(c.tries) || len(got.Calls) != 1) {
				t.Errorf("%+v", got)
			}
			if err != nil && strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("the key stands in %q", err)
			}
		})
	}
}

// hang takes the connection out of the server's hands.
func hang(w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

func TestItGivesUp(t *testing.T) {
	var n atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	})
	_, err := c.Complete(t.Context(), request)
	status, ok := errors.AsType[*httpagent.StatusError](err)
	if n.Load() != httpagent.DefaultTries || !ok || status.Status != 502 {
		t.Errorf("%d tries, %v", n.Load(), err)
	}
}

// A server that hangs, and a wait that it asks for, end with the context.
func TestContext(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"hangs": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the client go
			<-r.Context().Done()
		},
		"wants patience": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "25")
			w.WriteHeader(429)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, handler)
			ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer stop()
			start := time.Now()
			if _, err := c.Complete(ctx, request); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, u := range []string{"", "localhost:8000", "ftp://x/v1", "http://"} {
		if _, err := httpagent.New(httpagent.Config{URL: u}); !errors.Is(err, httpagent.ErrConfig) {
			t.Errorf("%q: %v", u, err)
		}
	}
}

func ExampleClient() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"It is on its way."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()
	c, err := httpagent.New(httpagent.Config{URL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	reply, err := c.Complete(context.Background(), httpagent.Request{Messages: []rollout.Message{{Role: "user", Content: "Where is order A1002?"}}})
	fmt.Println(reply.Text, err)
	// Output: It is on its way. <nil>
}
