package behaviour_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
)

func TestLeaks(t *testing.T) {
	var records []string
	for i := range 60 {
		said := "nothing of note"
		if i%2 == 0 {
			said = "it is BLUE  falcon seventy"
		}
		records = append(records, fmt.Sprintf(`{"scenario_id":"t%d","rollout_index":%d,"final_text":%q,"privileged":{"reference":"blue falcon seventy"}}`, i, i%4, said))
	}
	records = append(records, `{"scenario_id":"exported","final_text":"x"}`)

	whole := leaksOf(t, records, func(int) int { return 0 }, 1)
	want := `"n_rows":61,"n_checked":60,"n_leaked":30,"rate":0.5,"checked":true,"leaked":[{"scenario_id":"t0","rollout_index":0,"field":"reference","needle":"blue falcon seventy"}`
	if !strings.HasPrefix(whole, "{"+want) {
		t.Errorf("got %.300s\nwant %s", whole, want)
	}
	if n := strings.Count(whole, "needle"); n != 20 {
		t.Errorf("%d rows are listed, want 20", n)
	}
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		if got := leaksOf(t, records, func(int) int { return rng.IntN(4) }, 4); got != whole {
			t.Errorf("counted in parts: got %s\nwant %s", got, whole)
		}
	}
}

func leaksOf(t *testing.T, records []string, part func(i int) int, parts int) string {
	t.Helper()
	leaks := make([]behaviour.Leaks, parts)
	var b behaviour.Reader
	for i, record := range records {
		row := decode(t, []byte(record))
		row.Pos = rollout.Pos{Record: int64(i + 1)}
		b.Read(row)
		leaks[part(i)].Add(&b, behaviour.LeakFloor)
	}
	var all behaviour.Leaks
	for i := range leaks {
		all.Merge(&leaks[len(leaks)-1-i])
	}
	out, err := json.Marshal(all.Result())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestLeakSummaries(t *testing.T) {
	for _, c := range []struct {
		name, want string
		records    []string
	}{
		{"no rows", "No rows", nil},
		{"nothing to look for", "says nothing.", []string{`{"final_text":"x"}`}},
		{"exported rows", "1 of them name a scenario", []string{`{"scenario_id":"s","final_text":"x"}`, `{"final_text":"x"}`}},
		{"clean", "in the 1 rows that could be checked, of 2", []string{`{"final_text":"x"}`, `{"privileged":{"reference":"a long secret"}}`}},
		{"leaked", "In 1 of 1 rows that could be checked (100%)", []string{`{"final_text":"a long secret","privileged":{"reference":"A long\tsecret"}}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r behaviour.LeakReport
			if err := json.Unmarshal([]byte(leaksOf(t, c.records, func(int) int { return 0 }, 1)), &r); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(r.Summary, c.want) {
				t.Errorf("summary %q; want %q in it", r.Summary, c.want)
			}
			if got := strings.Count(r.String(), "\n"); got != r.Leaked {
				t.Errorf("%d lines of leaks, want %d", got, r.Leaked)
			}
		})
	}
}
