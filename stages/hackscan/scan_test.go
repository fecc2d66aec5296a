package hackscan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// all scans everything there is.
var all = Options{Sources: Replies | Results | Arguments, Endorsed: []string{"lookup"}, MinRows: 8, TopFeatures: -1, Floor: Calibrated}

func jsonOf(t *testing.T, r *Report) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The report is the same to the last byte for any number of workers, any size of
// batches, any order of pages, and merged from shards.
func TestSameBytes(t *testing.T) {
	rows := rowsOf(1, 50, 6, func(r reply, src *rand.Rand) float64 { return one(r.tool != (src.IntN(5) == 0)) })
	rows[17].Reward = rollout.Value{Text: "null"}
	want, err := Rows(context.Background(), rows, all)
	if err != nil {
		t.Fatal(err)
	}
	if want.Regime != Train || len(want.Evidence) == 0 {
		t.Fatalf("regime %s with %d pieces of evidence", want.Regime, len(want.Evidence))
	}
	for _, workers := range []int{1, 2, 8} {
		for _, batch := range []int{1, 7, 1000} {
			t.Run(fmt.Sprintf("%d workers, batches of %d", workers, batch), func(t *testing.T) {
				o := all
				o.Workers = workers
				open := func() (stream.Flow[rollout.Row], error) {
					return stream.FromSlice(slices.Clone(rows), stream.Items(batch)), nil
				}
				got, err := Scan(context.Background(), open, o)
				if err != nil {
					t.Fatal(err)
				}
				if jsonOf(t, got) != jsonOf(t, want) {
					t.Errorf("got  %s\nwant %s", jsonOf(t, got), jsonOf(t, want))
				}
			})
		}
	}
	t.Run("shards out of order", func(t *testing.T) {
		shards := [][]rollout.Row{rows[200:], rows[90:140], rows[:90], rows[140:200]}
		var whole *First
		for _, shard := range shards {
			first, err := NewFirst(all)
			if err != nil {
				t.Fatal(err)
			}
			first.Add(first.Read(shard[20:]))
			first.Add(first.Read(shard[:20]))
			if whole == nil {
				whole = first
			} else {
				whole.Merge(first)
			}
		}
		second := whole.Second()
		for _, shard := range shards {
			if err := second.Add(second.Read(shard)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := second.Report(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if jsonOf(t, got) != jsonOf(t, want) {
			t.Errorf("got  %s\nwant %s", jsonOf(t, got), jsonOf(t, want))
		}
	})
}

func TestPassesMustAgree(t *testing.T) {
	rows := rowsOf(1, 10, 4, paysTool)
	begin := func() *Second {
		first, err := NewFirst(all)
		if err != nil {
			t.Fatal(err)
		}
		first.Add(first.Read(rows[4:]))
		return first.Second()
	}
	second := begin()
	if err := second.Add(second.Read(rows)); !errors.Is(err, ErrOtherRows) {
		t.Errorf("a new row: %v", err)
	}
	second = begin()
	if err := second.Add(second.Read(rows[8:])); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Report(context.Background()); !errors.Is(err, ErrOtherRows) {
		t.Errorf("rows are missing: %v", err)
	}
}

// What is paid for is found, in whatever source it stands.
func TestFindsWhatIsPaid(t *testing.T) {
	for _, c := range []struct {
		name string
		pays func(reply, *rand.Rand) float64
		want Regime
		top  string
	}{
		{"a tool", paysTool, Train, "tool_calls"},
		{"a delimiter", paysDelimiter, RewardHack, "contains:#"},
		{"chance", paysChance, NoSignal, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Rows(context.Background(), rowsOf(2, 40, 8, c.pays), all)
			if err != nil {
				t.Fatal(err)
			}
			if r.Regime != c.want || c.top != "" && r.TopFeature.V != c.top {
				t.Errorf("%s by %s, want %s by %s", r.Regime, r.TopFeature.V, c.want, c.top)
			}
		})
	}
	rows := rowsOf(3, 40, 8, func(r reply, src *rand.Rand) float64 { return 0 })
	for i := range rows { // pays for what a tool answered
		for _, m := range rows[i].Extra {
			if m.Name == "steps" {
				rows[i].Reward = rollout.Number(one(strings.Contains(m.JSON, `"note":"ledger"`)))
			}
		}
	}
	r, err := Rows(context.Background(), rows, all)
	if err != nil {
		t.Fatal(err)
	}
	if top := r.Features[0]; !slices.Contains(append(top.Aliases, top.Name), "result:ledger") || r.RhoMax != 1 {
		t.Errorf("on top is %+v, want result:ledger at 1", top)
	}
}

func TestEvidence(t *testing.T) {
	rows := rowsOf(2, 40, 8, paysDelimiter)
	r, err := Rows(context.Background(), rows, all)
	if err != nil {
		t.Fatal(err)
	}
	e := r.Evidence[0]
	if e.Feature != r.TopFeature.V || e.Tasks < 30 || e.Agree != e.Tasks || e.Against != 0 || len(e.Pairs) != 3 {
		t.Fatalf("evidence %+v", e)
	}
	for _, p := range e.Pairs {
		more, less := &rows[p.More.Pos.Record-1], &rows[p.Less.Pos.Record-1]
		if more.Prompt != less.Prompt || p.More.Value != 1 || p.Less.Value != 0 || p.More.Reward != 1 || p.Less.Reward != 0 {
			t.Errorf("pair %+v", p)
		}
		if !slices.Contains(plainTerms(more.FinalText), "#") || slices.Contains(plainTerms(less.FinalText), "#") {
			t.Errorf("%q against %q", more.FinalText, less.FinalText)
		}
	}
}

func TestUserFeatures(t *testing.T) {
	rows := rowsOf(2, 40, 8, paysTool)
	o := all
	o.Features = func(r *rollout.Row, emit func(string, float64)) {
		emit("user:half", r.Reward.Num/2)
		emit("reply_length", float64(r.Pos.Record%2)) // overwritten in its place
	}
	r, err := Rows(context.Background(), rows, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Features {
		if f.Name == "user:half" && f.Rho != 1 || f.Name == "reply_length" && f.Obs != 160 {
			t.Errorf("feature %+v", f)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, o := range []Options{{TopTerms: -1}, {ToolTerms: 1 << 20}, {Shuffles: -2}, {MinRows: -1}, {Alpha: 1}, {TermCapacity: -1}} {
		if _, err := NewFirst(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}
