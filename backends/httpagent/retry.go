package httpagent

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// retry says whether a question is worth another try, and when.
type retry struct {
	worth bool
	after time.Duration // that the server asks for; 0 when it does not say
}

// retryOf reads an answer that is an error.
func retryOf(resp *http.Response) retry {
	switch resp.StatusCode {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
	default:
		if resp.StatusCode < 500 {
			return retry{}
		}
	}
	return retry{true, retryAfter(resp.Header)}
}

// retryAfter returns the wait that a server asks for, in seconds or until a
// time of which its own date says how far away it is.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 {
		return time.Duration(seconds * float64(time.Second))
	}
	until, err := http.ParseTime(text)
	now, dated := http.ParseTime(h.Get("Date"))
	if err != nil || dated != nil {
		return 0
	}
	return max(0, until.Sub(now))
}

// wait returns how long to wait before the next try: what the server asks for,
// at most maxWait, or twice as long as before; and up to as much again for a
// wait of our own, half as much for one of the server's, by a draw that the
// question and the try decide.
func (c *Client) wait(again retry, r *Request, try int) time.Duration {
	jitter := float64(xxh3.HashString(r.Draw+"\x00"+strconv.Itoa(try))>>11) / (1 << 53)
	if again.after > 0 {
		return min(time.Duration(float64(again.after)*(1+jitter/2)), maxWait)
	}
	return min(time.Duration(float64(c.config.Backoff<<(try-1))*(1+jitter)), maxWait)
}

// pause waits, at most until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
