package httpagent

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	const date = "Mon, 02 Jan 2006 15:04:05 GMT"
	for _, c := range []struct {
		name   string
		header map[string]string
		want   time.Duration
	}{
		{"nothing", nil, 0},
		{"seconds", map[string]string{"Retry-After": "3"}, 3 * time.Second},
		{"parts of seconds", map[string]string{"Retry-After": "0.5"}, 500 * time.Millisecond},
		{"milliseconds", map[string]string{"Retry-After-Ms": "250", "Retry-After": "3"}, 250 * time.Millisecond},
		{"a time", map[string]string{"Retry-After": "Mon, 02 Jan 2006 15:04:15 GMT", "Date": date}, 10 * time.Second},
		{"a time that was", map[string]string{"Retry-After": "Mon, 02 Jan 2006 15:04:00 GMT", "Date": date}, 0},
		{"a time without a date", map[string]string{"Retry-After": date}, 0},
		{"rubbish", map[string]string{"Retry-After": "soon"}, 0},
		{"negative", map[string]string{"Retry-After": "-5"}, 0},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		if got := retryAfter(h); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Waits double, differ between questions, are the same for the same one, and are
// never shorter than the server asks for nor longer than the limit.
func TestWait(t *testing.T) {
	c := &Client{config: Config{Backoff: DefaultBackoff}}
	for try := 1; try <= 4; try++ {
		base := DefaultBackoff << (try - 1)
		a, b := c.wait(retry{}, &Request{Draw: "a"}, try), c.wait(retry{}, &Request{Draw: "b"}, try)
		if a < base || a > 2*base || b < base || b > 2*base || a == b || a != c.wait(retry{}, &Request{Draw: "a"}, try) {
			t.Errorf("try %d: %v and %v, base %v", try, a, b, base)
		}
	}
	if d := c.wait(retry{after: 4 * time.Second}, &Request{}, 1); d < 4*time.Second || d > 6*time.Second {
		t.Errorf("asked for 4 s, waits %v", d)
	}
	if d := c.wait(retry{after: time.Hour}, &Request{}, 1); d != maxWait {
		t.Errorf("asked for an hour, waits %v", d)
	}
}
