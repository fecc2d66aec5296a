package verify

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/rollmill/rollmill/formats/rollout"
)

// wantedCall is a call that a reference wants.
type wantedCall struct {
	name      string
	arguments string // JSON text of an object
	possible  bool   // its members are lists of possible values; else the values
}

var errNoCalls = errors.New("the reference is no list of calls")

// readWanted reads a list of calls; see [CallAnswer].
func readWanted(json string) (wanted []wantedCall, err error) {
	if len(json) > 0 && json[0] == '"' { // JSON within JSON
		text, _ := rollout.TextOf(json)
		if !rollout.IsJSON(text) {
			return nil, errNoCalls
		}
		json = text
	}
	if len(json) == 0 || json[0] != '[' {
		return nil, errNoCalls
	}
	for element := range rollout.ElementsOf(json) {
		w, err := readWantedCall(element)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", len(wanted)+1, err)
		}
		wanted = append(wanted, w)
	}
	return wanted, nil
}

func readWantedCall(json string) (w wantedCall, err error) {
	if call, _, ok := rollout.ParseToolCall(json); ok {
		arguments, state := call.ArgumentsObject()
		if state == rollout.ArgumentsInvalid {
			return w, errors.New("its arguments are no object")
		}
		return wantedCall{name: call.Name, arguments: arguments}, nil
	}
	members := 0
	for name, value := range rollout.MembersOf(json) {
		members++
		w = wantedCall{name: name, arguments: value, possible: true}
	}
	if members != 1 || w.arguments[0] != '{' {
		return w, errors.New("want {name, arguments}, or one name with its possible arguments")
	}
	for argument, values := range rollout.MembersOf(w.arguments) {
		if values[0] != '[' {
			return w, fmt.Errorf("the possible values of %s are no list", argument)
		}
	}
	return w, nil
}

// misfit says what keeps a call from being the wanted one, "" when it is.
func (w *wantedCall) misfit(call *rollout.ToolCall) string {
	if !sameTool(call.Name, w.name) {
		return "another tool"
	}
	arguments, state := call.ArgumentsObject()
	if state == rollout.ArgumentsInvalid {
		return "its arguments are no JSON object"
	}
	return misfitObject(arguments, w.arguments, func(value, wanted string) bool {
		if w.possible {
			return fitsOne(value, wanted)
		}
		return equalJSON(value, wanted)
	}, w.possible)
}

// misfitObject says which member of an object is not as it is wanted. With
// optional a wanted member may be missing that allows it.
func misfitObject(object, wanted string, fits func(value, wanted string) bool, optional bool) string {
	for name, want := range rollout.MembersOf(wanted) {
		switch value := rollout.MemberOf(object, name); {
		case value == "" && !(optional && mayBeMissing(want)):
			return "no argument " + name
		case value != "" && !fits(value, want):
			return "another " + name
		}
	}
	for name := range rollout.MembersOf(object) {
		if rollout.MemberOf(wanted, name) == "" {
			return "an argument " + name + " that is not wanted"
		}
	}
	return ""
}

// mayBeMissing reports whether the empty text is among possible values.
func mayBeMissing(possible string) bool {
	for value := range rollout.ElementsOf(possible) {
		if value == `""` {
			return true
		}
	}
	return false
}

// maxAnswer is the largest record of an answer: 64 MiB.
const maxAnswer = 64 << 20

// ReadCallAnswers reads the calls that tasks want from JSON Lines of {"id": ...,
// "ground_truth": [...]}, as the answer files of the Berkeley Function Calling
// Leaderboard are. The error names the line.
func ReadCallAnswers(from io.Reader) (map[string]CallAnswer, error) {
	answers := map[string]CallAnswer{}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxAnswer)
	line := 0
	for lines.Scan() {
		line++
		text := string(bytes.TrimSpace(lines.Bytes()))
		if text == "" {
			continue
		}
		if !rollout.IsJSON(text) {
			return nil, fmt.Errorf("verify: line %d is not JSON", line)
		}
		id, truth := rollout.ScalarText(rollout.MemberOf(text, "id")), rollout.MemberOf(text, "ground_truth")
		if id == "" {
			return nil, fmt.Errorf("verify: line %d has no id", line)
		}
		if _, err := readWanted(truth); err != nil {
			return nil, fmt.Errorf("verify: line %d: ground_truth: %w", line, err)
		}
		if _, twice := answers[id]; twice {
			return nil, fmt.Errorf("verify: line %d: the id %s stands there twice", line, id)
		}
		answers[id] = CallAnswer(truth)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("verify: line %d: %w", line+1, err)
	}
	return answers, nil
}
