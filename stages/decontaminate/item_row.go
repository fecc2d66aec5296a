package decontaminate

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// ItemFields are the fields of a row that ItemOf reads.
const ItemFields = rollout.FieldID | rollout.FieldTaskID | rollout.FieldPrompt | rollout.FieldMessages | rollout.FieldPrivileged | rollout.FieldExtra

// ItemOf makes an evaluation item of a row: its prompt, else its member question,
// problem, instruction or text, and where they say something its members answer,
// reference, passage (else context) and privileged.reference. Numbers count as
// text, and what is false in Python as nothing (spec of gates, section 2.1). The
// item is named by the id of the row, else by its task, else by its member id. Its
// texts point into the row.
func ItemOf(row *rollout.Row) Item {
	item := Item{ID: row.ID, TaskID: row.TaskID}
	if item.ID == "" {
		item.ID = row.TaskID
	}
	if item.ID == "" {
		item.ID = memberText(row, "id")
	}
	prompt, state := promptOf(row)
	item.State = state
	if state == Usable {
		item.Texts = append(item.Texts, Text{Question, prompt})
	}
	for _, p := range [...]struct {
		part    Part
		members [2]string
	}{{Answer, [2]string{"answer"}}, {Reference, [2]string{"reference"}}, {Passage, [2]string{"passage", "context"}}} {
		for _, name := range p.members {
			if text := memberText(row, name); text != "" {
				item.Texts = append(item.Texts, Text{p.part, text})
				break
			}
		}
	}
	if gold := goldOf(row.Privileged); gold != "" {
		item.Texts = append(item.Texts, Text{Gold, gold})
	}
	return item
}

// promptOf is the prompt of a row, and its state as far as the row tells: that of
// one that is there is Usable.
func promptOf(row *rollout.Row) (string, State) {
	if row.Has(rollout.FieldPrompt) || row.Prompt != "" {
		return row.Prompt, Usable
	}
	json, there := memberOf(row, "prompt")
	if !there {
		return questionOf(row)
	}
	switch json[0] {
	case 'n':
		return "", Null
	case '"', '[', '{', 't', 'f':
		return "", Malformed
	}
	return textOfJSON(json), Usable
}

// questionMembers are the names under which raw records have what a row has as its
// prompt.
var questionMembers = [...]string{"question", "problem", "instruction", "text"}

// questionOf is the prompt of a row that has none under that name.
func questionOf(row *rollout.Row) (string, State) {
	for _, name := range questionMembers {
		if json, there := memberOf(row, name); there && json[0] == '"' {
			return unquoted(json), Usable
		}
	}
	return "", Missing
}

func memberOf(row *rollout.Row, name string) (json string, there bool) {
	for i := range row.Extra {
		if row.Extra[i].Name == name {
			return strings.TrimSpace(row.Extra[i].JSON), row.Extra[i].JSON != ""
		}
	}
	return "", false
}

func memberText(row *rollout.Row, name string) string {
	json, there := memberOf(row, name)
	if !there {
		return ""
	}
	return textOfJSON(json)
}

// textOfJSON is a JSON value as Python's str has it, "" for one that is false
// there. Lists and objects are their JSON text.
func textOfJSON(json string) string {
	switch json[0] {
	case '"':
		return unquoted(json)
	case 'n', 'f':
		return ""
	case 't':
		return "True"
	case '[', '{':
		if strings.TrimSpace(json[1:len(json)-1]) == "" {
			return ""
		}
		return json
	}
	f, err := strconv.ParseFloat(json, 64)
	switch {
	case err == nil && f == 0:
		return ""
	case err != nil || !strings.ContainsAny(json, ".eE"):
		return json
	}
	return pythonFloat(f)
}

// pythonFloat is the text of a float in Python.
func pythonFloat(f float64) string {
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	if e, err := strconv.Atoi(exponent); err == nil && (e < -4 || e >= 16) {
		return mantissa + "e" + exponent
	}
	text = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// unquoted is the text of a JSON string.
func unquoted(json string) string {
	text, err := jsontext.AppendUnquote(nil, json)
	if err != nil && len(text) == 0 {
		return ""
	}
	return string(text)
}

// goldOf is the reference in what only a grader may know.
func goldOf(privileged string) string {
	if privileged == "" || privileged[0] != '{' {
		return ""
	}
	var p struct {
		Reference jsontext.Value `json:"reference"`
	}
	err := json.Unmarshal([]byte(privileged), &p, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil || len(p.Reference) == 0 {
		return ""
	}
	return textOfJSON(string(p.Reference))
}
