package rollout

import (
	"strconv"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// RecordKind is what a record is meant to be.
type RecordKind uint8

const (
	RowRecord        RecordKind = iota // a rollout: spec of rows, section 1.2
	TrainingRecord                     // messages and a loss mask: section 1.6
	PreferenceRecord                   // chosen and rejected: section 1.6
)

// Code is one thing that is wrong with a record, as a short word.
type Code string

// The codes of Validate (spec of rows, section 1.8).
const (
	CodeNotADict           Code = "not_a_dict"
	CodeEmptyRow           Code = "empty_row"
	CodeUnknownVersion     Code = "unknown_schema_version" // followed by ":" and the version
	CodePromptNotStr       Code = "prompt_not_str"
	CodeStepsNotList       Code = "steps_not_list"
	CodeFinalTextNotStr    Code = "final_text_not_str"
	CodeRewardIsBool       Code = "reward_is_bool"
	CodeRewardNotNumber    Code = "reward_not_number"
	CodeCalibrationInvalid Code = "calibration_invalid"
	CodeMessagesMissing    Code = "messages_missing"
	CodeMessageWithoutRole Code = "message_without_role"
	CodeToolsNotList       Code = "tools_not_list"
	CodeLossMaskInvalid    Code = "loss_mask_invalid"
	CodeChosenMissing      Code = "chosen_missing"
	CodeRejectedMissing    Code = "rejected_missing"
)

// Validate lists what is wrong with a record, in the order of the constants;
// nothing means that it is fine. A row that carries no schema_version is a
// legacy row and never wrong, unless it is no object or an empty one. It
// never fails: what is not JSON is not a dict.
func Validate(record []byte, kind RecordKind) []Code {
	s := jsonscan.Scanner{Buf: record}
	i := s.Space(0)
	if !s.Valid() || record[i] != '{' {
		return []Code{CodeNotADict}
	}
	v := validation{fields: map[string]string{}}
	for name, value := range jsonwalk.Members(record) {
		v.fields[name] = string(value)
	}
	if len(v.fields) == 0 {
		return []Code{CodeEmptyRow}
	}
	stamped := v.version()
	switch kind {
	case RowRecord:
		if stamped {
			v.row()
		}
	case TrainingRecord:
		v.training()
	case PreferenceRecord:
		v.flag(!jsonwalk.Truthy(v.fields["chosen"]), CodeChosenMissing)
		v.flag(!jsonwalk.Truthy(v.fields["rejected"]), CodeRejectedMissing)
	}
	return v.codes
}

// validation is one record under scrutiny: its fields as JSON text.
type validation struct {
	fields map[string]string
	codes  []Code
}

func (v *validation) flag(wrong bool, code Code) {
	if wrong {
		v.codes = append(v.codes, code)
	}
}

// present gives the value of a field that is there, null included.
func (v *validation) present(name string) (value Value, ok bool) {
	text, ok := v.fields[name]
	if !ok {
		return Value{}, false
	}
	value.Text = text
	if value.Kind() == KindNumber {
		value.Num, _ = strconv.ParseFloat(text, 64)
	}
	return value, true
}

func (v *validation) version() (stamped bool) {
	version, ok := v.present("schema_version")
	if !ok || version.Kind() == KindNull || version.Text == `"0"` {
		return false
	}
	if version.Text != `"1"` {
		v.codes = append(v.codes, CodeUnknownVersion+":"+Code(textOrJSON([]byte(version.Text))))
	}
	return true
}

func (v *validation) wantKind(name string, kind Kind, code Code) {
	value, ok := v.present(name)
	v.flag(ok && value.Kind() != kind, code)
}

func (v *validation) row() {
	v.wantKind("prompt", KindString, CodePromptNotStr)
	v.wantKind("steps", KindArray, CodeStepsNotList)
	v.wantKind("final_text", KindString, CodeFinalTextNotStr)
	if reward, ok := v.present("reward"); ok {
		switch reward.Kind() {
		case KindBool:
			v.flag(true, CodeRewardIsBool)
		case KindString, KindArray, KindObject:
			v.flag(true, CodeRewardNotNumber)
		}
	}
	if c, ok := v.present("calibration"); ok && c.Kind() != KindNull {
		v.flag(!validCalibration(c.Text), CodeCalibrationInvalid)
	}
}

// validCalibration wants an object with n, an integer from 1, and pass_rate in
// 0..1 (spec of rows, section 1.5).
func validCalibration(json string) bool {
	c := validation{fields: map[string]string{}}
	for name, value := range jsonwalk.Members(bytesOf(json)) {
		c.fields[name] = string(value)
	}
	n, _ := c.present("n")
	rate, _ := c.present("pass_rate")
	count, whole := n.Int()
	return whole && count >= 1 && rate.Kind() == KindNumber && rate.Num >= 0 && rate.Num <= 1
}

func (v *validation) training() {
	messages, roleless := 0, false
	for message := range jsonwalk.Elements(bytesOf(v.fields["messages"])) {
		messages++
		role := ""
		for name, value := range jsonwalk.Members(message) {
			if name == "role" {
				role, _ = jsonwalk.Text(value)
			}
		}
		roleless = roleless || role == ""
	}
	v.flag(messages == 0, CodeMessagesMissing)
	v.flag(roleless, CodeMessageWithoutRole)
	v.wantKind("tools", KindArray, CodeToolsNotList)

	mask, valid := 0, true
	for entry := range jsonwalk.Elements(bytesOf(v.fields["loss_mask"])) {
		mask++
		valid = valid && (string(entry) == "0" || string(entry) == "1")
	}
	v.flag(mask != messages || !valid, CodeLossMaskInvalid)
}
