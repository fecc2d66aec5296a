package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollmill/rollmill/backends/httpagent"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate"
	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stream"
)

// A server that errs, hangs, answers rubbish or dies in the middle loses rollouts
// and no run.
func TestSimulateWithServer(t *testing.T) {
	list, err := tools.Parse([]byte(`[{"name":"get_order","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"such as A1002"}},"required":["order_id"]}},{"kind":"human","name":"ask"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		wrong http.HandlerFunc // at each question about an even order
		lost  simulate.Lost
	}{
		{"errs", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such model", http.StatusNotFound) }, simulate.LostError},
		{"hangs", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, simulate.LostTimeout},
		{"answers rubbish", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, simulate.LostError},
		{"dies", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, simulate.LostError},
		{"says nothing", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":""}}]}`)
		}, simulate.LostEmpty},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			first := map[string]bool{} // of the messages: they fail, the others do not
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var q struct {
					Model    string
					Messages []struct{ Role, Content string }
					Tools    []json.RawMessage
				}
				if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Model != "m" || q.Messages[0].Role != "system" || strings.Contains(string(q.Tools[1]), "kind") {
					t.Errorf("%v: %+v", err, q)
				}
				prompt := q.Messages[1].Content
				mu.Lock()
				bad, known := first[prompt]
				if !known {
					bad = len(first)%4 == 1
					first[prompt] = bad
				}
				mu.Unlock()
				switch {
				case bad:
					c.wrong(w, r)
				case len(q.Messages) == 2:
					_, _ = io.WriteString(w, `{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"get_order","arguments":"{\"order_id\":\"A1\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}`)
				default:
					fmt.Fprintf(w, `{"choices":[{"message":{"content":"It said: %d bytes."},"finish_reason":"stop"}]}`, len(q.Messages[3].Content))
				}
			}))
			defer server.Close()
			client, err := httpagent.New(httpagent.Config{URL: server.URL, Model: "m", Backoff: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			s, err := simulate.New(simulate.Config{
				Tools: list, System: "Help.", Agent: newServer(client, "m", list), Repeats: 2, RepeatPolicy: simulate.Fixed, Budget: 16, InFlight: 1, MaxTurns: 4,
				Timeout: map[bool]time.Duration{true: 50 * time.Millisecond, false: 20 * time.Second}[c.lost == simulate.LostTimeout],
			})
			if err != nil {
				t.Fatal(err)
			}
			rows, _, err := stream.Collect(t.Context(), stream.From[rollout.Row](s))
			if err != nil {
				t.Fatal(err)
			}
			r := s.Report()
			if len(rows) != 16 || r.Stopped != simulate.StopBudget || r.Lost[c.lost] == 0 || r.Lost[c.lost] != r.Rerolled[c.lost] {
				t.Errorf("%d rows, stopped because of %s, lost %v, run again %v", len(rows), r.Stopped, r.Lost, r.Rerolled)
			}
			for i := range rows {
				if rows[i].FinishReason != "stop" || !strings.HasPrefix(rows[i].FinalText, "It said: ") || len(rows[i].Messages) != 4 {
					t.Errorf("row %d: %+v", i, rows[i])
				}
			}
		})
	}
}

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"python3 agent.py":             {"python3", "agent.py"},
		`sh -c "echo 'a b' >&2; exit"`: {"sh", "-c", "echo 'a b' >&2; exit"},
		`a '' b\ c  'd"e'`:             {"a", "", "b c", `d"e`},
		"":                             nil,
	} {
		if got, err := splitWords(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{`a "b`, `a 'b`, `a \`} {
		if got, err := splitWords(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}
