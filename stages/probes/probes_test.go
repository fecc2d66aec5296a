package probes_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/probes"
	"github.com/rollmill/rollmill/stats"
)

func decoded(t *testing.T, records ...string) (rows []rollout.Row) {
	t.Helper()
	for _, record := range records {
		var row rollout.Row
		if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func cases(t *testing.T, n int, answer func(i int) string) []rollout.Row {
	t.Helper()
	var records []string
	for i := range n {
		records = append(records, fmt.Sprintf(`{"prompt":"question %d","final_text":"%d","reward":1,"privileged":{"reference":"%s"},"index":%d}`, i, i, answer(i), i))
	}
	return decoded(t, records...)
}

// exact passes a reply that is the reference.
func exact(_ context.Context, r *rollout.Row) (float64, error) {
	if r.FinalText == probes.Reference(r) {
		return 1, nil
	}
	return 0, nil
}

func probe(t *testing.T, r *probes.CheatReport, name string) probes.Cheater {
	t.Helper()
	for _, c := range r.Probes {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no probe %s", name)
	return probes.Cheater{}
}

func TestCheatExactMatch(t *testing.T) {
	r, err := probes.Cheat(context.Background(), cases(t, 40, func(i int) string { return fmt.Sprint("answer ", i) }), exact, probes.CheatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK || len(r.Flagged) != 0 || r.N != 40 || r.Agent.V != 1 {
		t.Errorf("%s", r)
	}
	if c := probe(t, r, "constant"); c.Mean.V != 1.0/40 || c.VsAgent.V != 1.0/40-1 || c.AnswerShare.V != 1.0/40 {
		t.Errorf("constant: %+v", c)
	}
}

func TestCheatCommonAnswer(t *testing.T) {
	r, err := probes.Cheat(context.Background(), cases(t, 40, func(i int) string {
		if i%4 > 0 {
			return "yes"
		}
		return "no"
	}), exact, probes.CheatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := probe(t, r, "constant")
	if r.OK || !c.Flagged || c.AnswerShare.V != 0.75 || c.Mean.V != 0.75 || c.Reply != "yes" {
		t.Errorf("%s\n%+v", r, c)
	}
	if !strings.Contains(r.String(), "constant  0.75 [0.60..0.86] -0.25 against the agent  FLAGGED") {
		t.Errorf("printed %s", r)
	}
}

// The sample is that of CPython: random.Random(7).sample(range(100), 40) begins
// with 41.
func TestCheatSample(t *testing.T) {
	first := ""
	_, err := probes.Cheat(context.Background(), cases(t, 100, func(i int) string { return fmt.Sprint(i) }), func(_ context.Context, r *rollout.Row) (float64, error) {
		if first == "" {
			first = r.Prompt
		}
		return 0, nil
	}, probes.CheatOptions{Seed: 7, Probes: []string{"empty"}, InFlight: 1})
	if err != nil || first != "question 41" {
		t.Errorf("the first case is %q (%v), want question 41", first, err)
	}
}

// A scorer that fails gives no score; a probe has nothing of a verdict, nor of
// what the agent did.
func TestCheatRows(t *testing.T) {
	rows := decoded(t, `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"more"},{"role":"assistant","content":"b"}],`+
		`"prompt":"q","final_text":"b","reward":1,"judge_status":"ok","judge_name":"j","reason":"r","markers":{"m":1},"lineage":{"a":1},"steps":[{"tool":"t"}],"response":"b","kept":1}`)
	seen := 0
	r, err := probes.Cheat(context.Background(), rows, func(_ context.Context, r *rollout.Row) (float64, error) {
		seen++
		if n := len(r.Messages); n != 4 || r.Messages[2].Content != "more" || r.Messages[3].Content != r.FinalText {
			t.Errorf("messages %+v", r.Messages)
		}
		if r.Reward.Text != "" || r.Status != rollout.StatusAbsent || r.Judge != "" || r.Reason != "" || len(r.Markers) != 0 {
			t.Errorf("a verdict is left: %+v", r)
		}
		for _, m := range r.Extra {
			if m.Name != "kept" && (m.Name != "response" || m.JSON != fmt.Sprintf("%q", r.FinalText)) {
				t.Errorf("member %+v", m)
			}
		}
		return 0, errors.New("down")
	}, probes.CheatOptions{InFlight: 1})
	if err != nil {
		t.Fatal(err)
	}
	if c := probe(t, r, "refuse"); c.Errors != 1 || c.N != 0 || c.Mean.Valid || r.OK || seen != 5 {
		t.Errorf("refuse: %+v, seen %d", c, seen)
	}
	if c := probe(t, r, "constant"); c.Skipped == "" {
		t.Errorf("constant: %+v", c)
	}
	if rows[0].FinalText != "b" || rows[0].Reward.Num != 1 {
		t.Error("the case itself was changed")
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    probes.CheatOptions
		want error
	}{
		{probes.CheatOptions{Probes: []string{"bribe"}}, probes.ErrProbe},
		{probes.CheatOptions{Flag: 1.5}, probes.ErrFlag},
		{probes.CheatOptions{Flag: -1}, probes.ErrFlag},
		{probes.CheatOptions{Sample: -1}, probes.ErrSample},
	} {
		if _, err := probes.Cheat(context.Background(), nil, exact, c.o); !errors.Is(err, c.want) {
			t.Errorf("%+v: error %v, want %v", c.o, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := probes.Cheat(ctx, cases(t, 3, func(int) string { return "a" }), exact, probes.CheatOptions{}); err == nil {
		t.Error("a context that is done is not obeyed")
	}
}

// A judge that is taken in by words, and one that is not.
func TestJudge(t *testing.T) {
	var records []string
	for i := range 60 {
		records = append(records, fmt.Sprintf(`{"prompt":"question %d","final_text":"answer","reward":%d,"privileged":{"rubric":"mentions refund policy and receipt"}}`, i, i%3/2))
	}
	rows := decoded(t, append(records, `{"prompt":"q","final_text":"a"}`)...)
	for _, c := range []struct {
		name    string
		word    string
		flagged []string
	}{
		{"keywords", "receipt", []string{"keyword_stuffing"}},
		{"claims", "passed", []string{"success_claim"}},
		{"anything", "", probes.JudgeProbes},
		{"nothing", "nowhere", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, err := probes.Judge(context.Background(), rows, func(_ context.Context, r *rollout.Row) (float64, error) {
				if strings.Contains(r.FinalText, c.word) {
					return 1, nil
				}
				return 0, nil
			}, probes.JudgeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var flagged []string
			for _, p := range list {
				if p.N != 40 {
					t.Errorf("%s of %d rows, want 40", p.Name, p.N)
				}
				if p.Flagged {
					flagged = append(flagged, p.Name)
				}
			}
			if fmt.Sprint(flagged) != fmt.Sprint(c.flagged) {
				t.Errorf("flagged %v, want %v", flagged, c.flagged)
			}
		})
	}
}

func ExampleCheat() {
	var row rollout.Row
	record := `{"prompt":"Is the parcel late?","final_text":"Yes, by two days.","reward":1}`
	if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
		panic(err)
	}
	cases := make([]rollout.Row, 30)
	for i := range cases {
		cases[i] = row
	}
	lenient := func(_ context.Context, r *rollout.Row) (float64, error) {
		if strings.Contains(r.FinalText, "late") {
			return 1, nil
		}
		return 0, nil
	}
	report, err := probes.Cheat(context.Background(), cases, lenient, probes.CheatOptions{Probes: []string{"empty", "echo"}, Agent: stats.Of(0.9)})
	if err != nil {
		panic(err)
	}
	fmt.Println(report)
	// Output:
	// 1 of 2 degenerate agents are paid 0.10 or more (n=30, seed 0)
	// the agent itself gets 0.90
	// empty     0.00 [0.00..0.11] -0.90 against the agent
	// echo      1.00 [0.89..1.00] +0.10 against the agent  FLAGGED
	// ! an agent that can only repeat the question gets 1.00
}
