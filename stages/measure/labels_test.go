package measure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
	"github.com/rollmill/rollmill/stats"
)

func labelled(t testing.TB, o measure.LabelOptions, list []record) *measure.Labels {
	t.Helper()
	fresh := func() *measure.Labels { return measure.NewLabels(o) }
	return scattered(decode(t, fresh().Fields(), list), 5, fresh)
}

func twins(t testing.TB, o measure.GoldOptions, list []record) *measure.Twins {
	t.Helper()
	fresh := func() *measure.Twins { return measure.NewTwins(o) }
	return scattered(decode(t, fresh().Fields(), list), 5, fresh)
}

func columns(t testing.TB, names ...string) (list []measure.Field) {
	for _, name := range names {
		list = append(list, field(t, name))
	}
	return list
}

// What a row says to trust in its judge.
func TestLabels(t *testing.T) {
	none := stats.NoLabel
	for _, c := range []struct {
		name           string
		o              measure.LabelOptions
		row            record
		judge, gold    stats.Label
		strict         stats.LabelPair
		reward         stats.Null[float64]
		others, length int
	}{
		{name: "numbers", row: record{"reward": 1, "gold_reward": 0, "gold_kind": "human"}, judge: 1, gold: 0, strict: stats.LabelPair{Judge: 1, Gold: 0, GoldKind: "human"}},
		{name: "texts", row: record{"reward": "1", "gold_reward": "0"}, judge: 1, gold: 0, strict: stats.LabelPair{Judge: none, Gold: none}},
		{name: "no gold", row: record{"reward": 1}, others: 1},
		{name: "gold null", row: record{"reward": 1, "gold_reward": nil}, others: 1},
		{name: "partial reward", row: record{"reward": 0.5, "gold_reward": 1}, judge: none, gold: 1, strict: stats.LabelPair{Judge: none, Gold: 1}, reward: stats.Of(0.5)},
		{name: "judge failed", row: record{"reward": 0, "judge_status": "CRASHED", "gold_reward": 1}, judge: none, gold: 1, strict: stats.LabelPair{Judge: none, Gold: 1}},
		{name: "boolean reward", row: record{"reward": true, "gold_reward": 1}, judge: none, gold: 1, strict: stats.LabelPair{Judge: none, Gold: 1}},
		{
			name: "columns with names", o: measure.LabelOptions{Judge: field(t, "says"), Gold: measure.GoldOptions{Columns: columns(t, "truth"), Kind: "program"}},
			row: record{"reward": 0, "says": true, "truth": false}, judge: 1, gold: 0, strict: stats.LabelPair{Judge: 1, Gold: 0, GoldKind: "program"},
		},
		{
			name: "majority", o: measure.LabelOptions{Gold: measure.GoldOptions{Columns: columns(t, "a", "b", "c")}},
			row: record{"reward": 0, "a": 1, "b": 0, "c": 1}, judge: 0, gold: 1, strict: stats.LabelPair{Judge: 0, Gold: 1},
		},
		{
			name: "no majority", o: measure.LabelOptions{Gold: measure.GoldOptions{Columns: columns(t, "a", "b")}},
			row: record{"reward": 0, "a": 1, "b": 0}, judge: 0, gold: none, strict: stats.LabelPair{Judge: 0, Gold: none},
		},
		{
			name: "length", row: record{"reward": 1, "gold_reward": 1, "final_text": "yés", "messages": []any{
				record{"role": "assistant", "content": "hm"}, record{"role": "user", "content": "so?"}, record{"role": "assistant", "content": "yés"}}},
			judge: 1, gold: 1, strict: stats.LabelPair{Judge: 1, Gold: 1}, length: 5,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := labelled(t, c.o, []record{c.row})
			in := l.Trust()
			if l.Others() != c.others || in.Others != c.others || l.Rows() != 1-c.others || len(in.Rows) != 1-c.others {
				t.Fatalf("%d rows, %d others", l.Rows(), l.Others())
			}
			if c.others == 1 {
				return
			}
			r := in.Rows[0]
			if r.Judge != c.judge || r.Gold != c.gold || r.Strict != c.strict || r.Reward != c.reward || c.length > 0 && r.Length != c.length {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// Rows that judge and gold differ on are told with what explains them, cut.
func TestDisagreements(t *testing.T) {
	long := strings.Repeat("é", 300)
	r := stats.Trust(labelled(t, measure.LabelOptions{}, []record{
		{"task_id": "same", "reward": 1, "gold_reward": 1, "reason": "fine", "final_text": "4"},
		{"task_id": "differs", "reward": 1, "gold_reward": 0, "reason": "looks right", "final_text": long},
	}).Trust(), stats.TrustOptions{})
	want := []stats.JudgeMiss{{Task: "differs", Gold: stats.Fail, Judge: stats.Pass, Reason: "looks right", FinalText: strings.Repeat("é", 200)}}
	if !slices.Equal(r.Disagreements, want) {
		t.Errorf("got %+v", r.Disagreements)
	}
}

// Gold labels of another file are found by key; the first of two counts, and
// what says no kind is a model's.
func TestTwins(t *testing.T) {
	gold := twins(t, measure.GoldOptions{}, []record{
		{"rollout_id": "a", "reward": 1}, {"rollout_id": "a", "reward": 0}, {"rollout_id": "b", "reward": 0, "gold_kind": "human"}, {"rollout_id": "c"},
	})
	if gold.Len() != 2 {
		t.Errorf("%d twins", gold.Len())
	}
	l := labelled(t, measure.LabelOptions{Twins: gold}, []record{
		{"rollout_id": "b", "reward": 1}, {"rollout_id": "x", "reward": 1}, {"rollout_id": "a", "reward": 1}, {"rollout_id": "c", "reward": 1},
	})
	if l.Unmatched() != 2 || l.Others() != 2 {
		t.Errorf("%d without a twin, %d others", l.Unmatched(), l.Others())
	}
	in := l.Trust()
	want := []stats.LabelPair{{Judge: 1, Gold: 0, GoldKind: "human"}, {Judge: 1, Gold: 1, GoldKind: "model"}}
	if len(in.Rows) != 2 || in.Rows[0].Strict != want[0] || in.Rows[1].Strict != want[1] {
		t.Errorf("got %+v", in.Rows)
	}

	o := measure.GoldOptions{Key: field(t, "idx"), Columns: columns(t, "label"), Kind: "human"}
	gold = twins(t, o, []record{{"idx": 0, "label": 1}, {"idx": nil, "label": 1}})
	l = labelled(t, measure.LabelOptions{Twins: gold}, []record{{"idx": 0.0, "reward": 0}, {"reward": 1}})
	if gold.Len() != 1 || l.Unmatched() != 1 || l.Rows() != 1 {
		t.Errorf("%d twins, %d rows, %d without", gold.Len(), l.Rows(), l.Unmatched())
	}
}

// Kappa of categories, with intervals over tasks.
func TestRaters(t *testing.T) {
	gold := measure.GoldOptions{Columns: columns(t, "a", "b", "c")}
	list := []record{
		{"a": 2, "b": 2.0, "c": "2", "j": "2"}, {"a": 1, "b": 1, "c": 0, "j": 1}, {"a": 0, "b": 1, "c": 2, "j": 0},
		{"a": 0, "b": 0, "c": 0, "j": 1}, {"a": "tie", "b": "tie", "c": nil, "j": nil}, {"j": 1},
	}
	l := labelled(t, measure.LabelOptions{Judge: field(t, "j"), Gold: gold}, list)
	r := must[*measure.RatersReport](t)(l.Raters(stats.BootstrapOptions{}))
	if r.Rows != 5 || r.Others != 1 || r.NoMajority != 1 {
		t.Errorf("%d rows, %d others, %d without a majority", r.Rows, r.Others, r.NoMajority)
	}
	var pairs []string
	for _, p := range r.Pairs {
		pairs = append(pairs, fmt.Sprintf("%s %s n=%d agree %.3f kappa %.3f", p.A, p.B, p.N, p.Agreement.V, p.Kappa.V))
		if !p.KappaCI95.Valid || !p.KappaCI95.V.Contains(p.Kappa.V) || !p.AgreementCI95.V.Contains(p.Agreement.V) || p.Tasks != p.N {
			t.Errorf("%s", p)
		}
	}
	// a b: both on 4 of 5; a says 2 1 0 0 tie, b 2 1 1 0 tie: (1+2+2+1)/25 by chance. a c: 6/16, b c: 4/16.
	if want := []string{"a b n=5 agree 0.800 kappa 0.737", "a c n=4 agree 0.500 kappa 0.200", "b c n=4 agree 0.500 kappa 0.333"}; !slices.Equal(pairs, want) {
		t.Errorf("pairs\n%s\nwant\n%s", strings.Join(pairs, "\n"), strings.Join(want, "\n"))
	}
	if !r.Alpha.Valid || !r.Alpha.V.Alpha.Valid || !r.AlphaCI95.Valid {
		t.Errorf("alpha %+v %+v", r.Alpha, r.AlphaCI95)
	}
	j := r.Judge.V
	if !r.Judge.Valid || j.A != "j" || j.B != "majority" || j.N != 3 || j.Agreement.V != 2.0/3 {
		t.Errorf("judge %s", j)
	}
	if !slices.Equal(r.Categories, []string{"0", "1", "2"}) || fmt.Sprint(r.Confusion) != "[[0 1 0] [0 1 0] [0 0 1]]" {
		t.Errorf("%v %v", r.Categories, r.Confusion)
	}
	if s := r.String(); !strings.HasPrefix(s, "a, b: agreement 0.8000 [") || !strings.HasSuffix(s, "5 rows with a gold label, 1 without, 1 without a majority") {
		t.Errorf("printed %s", s)
	}
}

// Rows of one task are drawn together, so that repeats of it widen the interval.
func TestRatersResampleTasks(t *testing.T) {
	var single, repeated []record
	for i := range 40 {
		r := record{"reward": i % 2, "gold_reward": (i + i/10) % 2, "task_id": task(i)}
		single = append(single, r)
		for range 10 {
			repeated = append(repeated, r)
		}
	}
	report := func(list []record) measure.RaterPair {
		return must[*measure.RatersReport](t)(labelled(t, measure.LabelOptions{}, list).Raters(stats.BootstrapOptions{})).Judge.V
	}
	a, b := report(single), report(repeated)
	if a.KappaCI95 != b.KappaCI95 || a.Tasks != 40 || b.Tasks != 40 || b.N != 400 {
		t.Errorf("single %s\nrepeated %s", a, b)
	}
}

func TestRatersWithoutJudge(t *testing.T) {
	l := labelled(t, measure.LabelOptions{Gold: measure.GoldOptions{Columns: columns(t, "a")}}, []record{{"a": "x"}, {"a": "y"}})
	r := must[*measure.RatersReport](t)(l.Raters(stats.BootstrapOptions{}))
	if r.Judge.Valid || r.Pairs != nil || r.Alpha.Valid || r.Rows != 2 {
		t.Errorf("%+v", r)
	}
	l = measure.NewLabels(measure.LabelOptions{Judge: field(t, "j"), Gold: measure.GoldOptions{Columns: columns(t, "a")}})
	for i := range measure.MaxParts + 1 {
		l.Add(decodeLines(t, rollout.AllFields, fmt.Sprintf(`{"a":"text %d","j":1}`, i)))
	}
	if _, err := l.Raters(stats.BootstrapOptions{Draws: 1}); err == nil || !strings.HasPrefix(err.Error(), "measure: j and a have 1002 different labels") {
		t.Errorf("%v", err)
	}
}
