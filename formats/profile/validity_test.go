package profile_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/profile"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

func TestValidity(t *testing.T) {
	v := profile.NewValidity(rollout.RowRecord, 2)
	rows := rowsOf(t, v.Fields(),
		`{"schema_version":"1","scenario_id":"t1","prompt":"a","reward":1}`,
		`{"schema_version":"1","scenario_id":"t1","prompt":7,"reward":true}`,
		`{"schema_version":"2","scenario_id":"t2","reward":0.5,"judge_status":"timeout"}`,
		`{"schema_version":"1","prompt":"a","reward":[]}`,
		`{"prompt":7,"reward":true}`, // a legacy row is never wrong
		`{"schema_version":"1","messages":[{"role":"user","content":"a"}],"reward":false}`)
	v.Add(rows, []stream.Reject{
		{Pos: stream.Pos{Record: 7}, Code: "bad_utf8", Detail: "byte 3"},
		{Pos: stream.Pos{Record: 8}, Code: "bad_json", Detail: "byte 1"},
		{Pos: stream.Pos{Record: 9}, Code: "bad_utf8", Detail: "byte 4"},
		{Pos: stream.Pos{Record: 10}, Code: "bad_utf8", Detail: "byte 5"},
	})
	at := func(record int64, detail string) profile.Place {
		return profile.Place{Pos: stream.Pos{Record: record}, Detail: detail}
	}
	got := v.Result()
	want := profile.ValidityResult{
		Rows: 6, Rejected: 4,
		Rejects: []profile.Fault{
			{Code: "bad_json", Count: 1, Places: []profile.Place{at(8, "byte 1")}},
			{Code: "bad_utf8", Count: 3, Places: []profile.Place{at(7, "byte 3"), at(9, "byte 4")}},
		},
		Faulty: 4,
		Violations: []profile.Fault{
			{Code: "prompt_not_str", Count: 1, Places: []profile.Place{at(2, "")}},
			{Code: "reward_is_bool", Count: 2, Places: []profile.Place{at(2, ""), at(6, "")}},
			{Code: "reward_not_number", Count: 1, Places: []profile.Place{at(4, "")}},
			{Code: "unknown_schema_version", Count: 1, Places: []profile.Place{at(3, "2")}},
		},
		Scored: 1, Unscored: 1, Invalid: 4,
		Tasks: 3, Taskless: 1,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got.OK() {
		t.Error("all is said to be well")
	}
}

func TestValidityOfOtherKinds(t *testing.T) {
	for _, c := range []struct {
		kind   rollout.RecordKind
		record string
		want   []string
	}{
		{rollout.TrainingRecord, `{"messages":[{"role":"user"}],"loss_mask":[1]}`, nil},
		{rollout.TrainingRecord, `{"messages":[],"loss_mask":[1]}`, []string{"loss_mask_invalid", "messages_missing"}},
		{rollout.PreferenceRecord, `{"prompt":"a","chosen":"b"}`, []string{"rejected_missing"}},
	} {
		v := profile.NewValidity(c.kind, 1)
		v.Add(rowsOf(t, v.Fields(), c.record), nil)
		r := v.Result()
		var got []string
		for _, f := range r.Violations {
			got = append(got, f.Code)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || r.OK() != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.record, got, c.want)
		}
	}
}

// However the rows are cut into batches, the result is the same.
func TestPropertyValidityMerges(t *testing.T) {
	record := rapid.SampledFrom([]string{
		`{"schema_version":"1","reward":true,"scenario_id":"a"}`, `{"schema_version":"9"}`, `{"prompt":"p","reward":1}`,
		`{}`, `{"schema_version":"1","steps":1,"prompt":2}`,
	})
	code := rapid.SampledFrom([]string{"bad_json", "bad_utf8", "too_long"})
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 4).Draw(t, "places")
		whole := profile.NewValidity(rollout.RowRecord, places)
		merged := profile.NewValidity(rollout.RowRecord, places)
		var allRows []rollout.Row
		var allRejects []stream.Reject
		for range rapid.IntRange(0, 6).Draw(t, "batches") {
			rows := rowsOf(t, whole.Fields(), rapid.SliceOfN(record, 0, 5).Draw(t, "records")...)
			var rejects []stream.Reject
			for i, c := range rapid.SliceOfN(code, 0, 3).Draw(t, "codes") {
				rejects = append(rejects, stream.Reject{Code: c, Detail: fmt.Sprint(i)})
			}
			part := profile.NewValidity(rollout.RowRecord, places)
			part.Add(rows, rejects)
			merged.Merge(part)
			allRows, allRejects = append(allRows, rows...), append(allRejects, rejects...)
		}
		whole.Add(allRows, allRejects)
		if d := cmp.Diff(whole.Result(), merged.Result()); d != "" {
			t.Fatal(d)
		}
	})
}
