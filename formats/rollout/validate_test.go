package rollout_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func ExampleValidate() {
	fmt.Println(rollout.Validate([]byte(`{"schema_version":"1","prompt":5,"reward":true}`), rollout.RowRecord))
	// Output: [prompt_not_str reward_is_bool]
}

func TestValidate(t *testing.T) {
	const (
		row        = rollout.RowRecord
		training   = rollout.TrainingRecord
		preference = rollout.PreferenceRecord
		two        = `"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]`
	)
	for _, c := range []struct {
		record string
		kind   rollout.RecordKind
		want   []rollout.Code
	}{
		{`[]`, row, []rollout.Code{rollout.CodeNotADict}},
		{``, row, []rollout.Code{rollout.CodeNotADict}},
		{`{"a":1`, row, []rollout.Code{rollout.CodeNotADict}},
		{`{}`, row, []rollout.Code{rollout.CodeEmptyRow}},
		{`{"schema_version":"9","prompt":"x"}`, row, []rollout.Code{"unknown_schema_version:9"}},
		{`{"schema_version":1}`, row, []rollout.Code{"unknown_schema_version:1"}},
		{`{"prompt":5}`, row, nil},
		{`{"schema_version":"0","prompt":5}`, row, nil},
		{`{"schema_version":"1"}`, row, nil},
		{`{"schema_version":"1","prompt":"p","steps":[],"final_text":"","reward":0.5}`, row, nil},
		{`{"schema_version":"1","prompt":5,"steps":{},"final_text":null}`, row,
			[]rollout.Code{rollout.CodePromptNotStr, rollout.CodeStepsNotList, rollout.CodeFinalTextNotStr}},
		{`{"schema_version":"1","prompt":5,"prompt":"last"}`, row, nil},
		{`{"schema_version":"1","reward":true}`, row, []rollout.Code{rollout.CodeRewardIsBool}},
		{`{"schema_version":"1","reward":"1"}`, row, []rollout.Code{rollout.CodeRewardNotNumber}},
		{`{"schema_version":"1","reward":null}`, row, nil},
		{`{"schema_version":"1","calibration":{"n":4,"pass_rate":0.5}}`, row, nil},
		{`{"schema_version":"1","calibration":{"n":0,"pass_rate":0.5}}`, row, []rollout.Code{rollout.CodeCalibrationInvalid}},
		{`{"schema_version":"1","calibration":{"n":4,"pass_rate":1.5}}`, row, []rollout.Code{rollout.CodeCalibrationInvalid}},
		{`{"schema_version":"1","calibration":{"n":4}}`, row, []rollout.Code{rollout.CodeCalibrationInvalid}},
		{`{"schema_version":"1","calibration":[]}`, row, []rollout.Code{rollout.CodeCalibrationInvalid}},

		{`{"schema_version":"1",` + two + `,"loss_mask":[0,1]}`, training, nil},
		{`{"schema_version":"1",` + two + `,"loss_mask":[0]}`, training, []rollout.Code{rollout.CodeLossMaskInvalid}},
		{`{"schema_version":"1",` + two + `,"loss_mask":[0,true]}`, training, []rollout.Code{rollout.CodeLossMaskInvalid}},
		{`{"schema_version":"1",` + two + `,"loss_mask":[0,1.0]}`, training, []rollout.Code{rollout.CodeLossMaskInvalid}},
		{`{"schema_version":"1",` + two + `}`, training, []rollout.Code{rollout.CodeLossMaskInvalid}},
		{`{"messages":[],"loss_mask":[]}`, training, []rollout.Code{rollout.CodeMessagesMissing}},
		{`{"messages":[{"content":"q"}],"loss_mask":[0]}`, training, []rollout.Code{rollout.CodeMessageWithoutRole}},
		{`{"messages":["q"],"loss_mask":[0]}`, training, []rollout.Code{rollout.CodeMessageWithoutRole}},
		{`{"tools":{},` + two + `,"loss_mask":[0,1]}`, training, []rollout.Code{rollout.CodeToolsNotList}},

		{`{"prompt":"p","chosen":"a","rejected":"b"}`, preference, nil},
		{`{"prompt":"p","chosen":[{"role":"user"}],"rejected":[]}`, preference, []rollout.Code{rollout.CodeRejectedMissing}},
		{`{"prompt":"p","rejected":null}`, preference, []rollout.Code{rollout.CodeChosenMissing, rollout.CodeRejectedMissing}},
	} {
		if got := rollout.Validate([]byte(c.record), c.kind); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.record, got, c.want)
		}
	}
}

func FuzzValidate(f *testing.F) {
	f.Add([]byte(`{"schema_version":"1","prompt":5,"calibration":{"n":1e400,"pass_rate":-1}}`), uint8(0))
	f.Add([]byte(`{"messages":[{"role":null},3],"loss_mask":[0,"1"],"tools":null}`), uint8(1))
	f.Add([]byte(`{"chosen":0.0,"rejected":" "}`), uint8(2))
	f.Fuzz(func(t *testing.T, record []byte, kind uint8) {
		for _, code := range rollout.Validate(record, rollout.RecordKind(kind%3)) {
			if code == "" {
				t.Fatal("an empty code")
			}
		}
	})
}
