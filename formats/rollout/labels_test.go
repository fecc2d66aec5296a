package rollout_test

import (
	"math"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestLabels(t *testing.T) {
	const none, pass, fail = "none", "pass", "fail"
	word := func(p, ok bool) string {
		switch {
		case !ok:
			return none
		case p:
			return pass
		}
		return fail
	}
	nan := math.NaN()
	for _, c := range []struct {
		record               string
		loose, prior, strict string
		graded               float64 // NaN: not graded
	}{
		{`{"reward":1}`, pass, pass, pass, 1},
		{`{"reward":0}`, fail, fail, fail, 0},
		{`{"reward":1.0}`, pass, pass, pass, 1},
		{`{"reward":-0.0}`, fail, fail, fail, 0},
		{`{"reward":1e0}`, pass, pass, pass, 1},
		{`{"reward":0.75}`, none, none, none, 0.75},
		{`{"reward":"1"}`, pass, pass, none, nan},
		{`{"reward":" 0 "}`, fail, fail, none, nan},
		{`{"reward":"1e0"}`, pass, pass, none, nan},
		{`{"reward":"nan"}`, none, none, none, nan},
		{`{"reward":"good"}`, none, none, none, nan},
		{`{"reward":true}`, none, none, none, nan},
		{`{"reward":null}`, none, none, none, nan},
		{`{"reward":NaN}`, none, none, none, nan},
		{`{"reward":1e999}`, none, none, none, nan},
		{`{"reward":[1]}`, none, none, none, nan},
		{`{}`, none, none, none, nan},
		{`{"qwen_reward":1}`, none, pass, none, 1},
		{`{"reward":0.5,"qwen_reward":0}`, none, fail, none, 0.5},
		{`{"reward":"x","qwen_reward":"1"}`, none, pass, none, nan},
		{`{"reward":0,"qwen_reward":1}`, fail, fail, fail, 0},
		{`{"reward":true,"qwen_reward":0.25}`, none, none, none, 0.25},
		{`{"reward":1,"judge_status":"ok"}`, pass, pass, pass, 1},
		{`{"reward":0,"judge_status":"timeout"}`, none, none, none, nan},
		{`{"reward":0,"judge_status":"error","qwen_reward":1}`, none, pass, none, 1},
		{`{"reward":1,"judge_status":"invalid_result"}`, none, none, none, nan},
	} {
		row := decoded(t, c.record)
		if got := word(row.BinaryReward()); got != c.loose {
			t.Errorf("%s: BinaryReward %s, want %s", c.record, got, c.loose)
		}
		if got := word(row.BinaryOrPriorReward()); got != c.prior {
			t.Errorf("%s: BinaryOrPriorReward %s, want %s", c.record, got, c.prior)
		}
		if got := word(row.StrictBinaryReward()); got != c.strict {
			t.Errorf("%s: StrictBinaryReward %s, want %s", c.record, got, c.strict)
		}
		got, ok := row.GradedReward()
		if ok != !math.IsNaN(c.graded) || ok && got != c.graded {
			t.Errorf("%s: GradedReward %v, %v, want %v", c.record, got, ok, c.graded)
		}
	}
}

func TestMarkerValue(t *testing.T) {
	row := decoded(t, `{"markers":{"n":0.5,"t":true,"f":false,"s":" 1_0 ","nan":"nan","null":null,"junk":"x","list":[1]}}`)
	for name, want := range map[string]float64{"n": 0.5, "t": 1, "f": 0, "s": 10, "nan": math.NaN()} {
		got, ok := row.MarkerValue(name)
		if !ok || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: got %v, %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"null", "junk", "list", "absent"} {
		if got, ok := row.MarkerValue(name); ok {
			t.Errorf("%s: got %v, want none", name, got)
		}
	}
	row.SetMarker("n", rollout.Number(0.25))
	if got, _ := row.MarkerValue("n"); got != 0.25 {
		t.Errorf("after SetMarker: got %v", got)
	}
}

func TestGateLabels(t *testing.T) {
	nan := math.NaN() // no such label
	for _, c := range []struct {
		record             string
		scalar, scan, pair float64
		verified           bool
	}{
		{`{"reward":1}`, 1, 1, 1, false},
		{`{"reward":"0.5"}`, 0.5, 0.5, nan, false},
		{`{"reward":"x","qwen_reward":" 0.25 "}`, 0.25, nan, nan, false},
		{`{"reward":true,"qwen_reward":1}`, 1, nan, nan, false},
		{`{"reward":null,"qwen_reward":true}`, nan, nan, nan, false},
		{`{"reward":"nan","qwen_reward":"nan"}`, nan, nan, nan, false},
		{`{"reward":1.5}`, 1.5, 1.5, nan, false},
		{`{"reward":-0.5}`, -0.5, -0.5, nan, false},
		{`{"reward":0,"judge_status":"timeout","qwen_reward":1}`, 1, nan, nan, false},
		{`{"reward":0,"label_source":"Gold-2"}`, 0, 0, 0, true},
		{`{"reward":0.0,"label_source":"claude"}`, 0, 0, 0, true},
		{`{"reward":"0","label_source":"gold"}`, 0, 0, nan, false},
		{`{"reward":false,"label_source":"gold"}`, nan, nan, nan, false},
		{`{"reward":1,"label_source":"gold"}`, 1, 1, 1, false},
		{`{"reward":0,"label_source":"judge gold"}`, 0, 0, 0, false},
		{`{"reward":0,"label_source":"gold","judge_status":"error"}`, nan, nan, nan, false},
		{`{}`, nan, nan, nan, false},
	} {
		row := decoded(t, c.record)
		for name, got := range map[string]struct {
			of   func() (float64, bool)
			want float64
		}{
			"ScalarReward": {row.ScalarReward, c.scalar},
			"ScanReward":   {row.ScanReward, c.scan},
			"PairScore":    {row.PairScore, c.pair},
		} {
			if v, ok := got.of(); ok != !math.IsNaN(got.want) || ok && v != got.want {
				t.Errorf("%s: %s %v, %v, want %v", c.record, name, v, ok, got.want)
			}
		}
		if got := row.VerifiedZero(); got != c.verified {
			t.Errorf("%s: VerifiedZero %v", c.record, got)
		}
	}
}
