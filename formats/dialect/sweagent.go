package dialect

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// sweAgent reads the trajectories of SWE-agent and mini-swe-agent, one a file,
// in their four shapes: history as chat messages, with or without a trajectory
// beside it; a trajectory of {response, observation} alone, whose first query
// holds the messages before it; {messages, info} of mini; and a bare list of
// messages of older mini. The exit status gives the finish reason; there is no
// reward. Demonstrations stay in the conversation and are not the prompt.
type sweAgent struct{}

func (sweAgent) Name() string { return "swe-agent" }

func (sweAgent) fits(o outline) bool {
	if o.has("query") || o.has("schema_version") {
		return false
	}
	if o.is("trajectory_format", `"`) || isMessage(outlineOf(first(o.members["history"]))) {
		return true
	}
	step := outlineOf(first(o.members["trajectory"]))
	return step.has("response") || step.has("thought") || step.has("action")
}

func (sweAgent) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if isKind(rec.JSON, '[') {
		return chat{}.Rows(dst, rec)
	}
	if !isKind(rec.JSON, '{') {
		return dst, notObject(rec.JSON, "a trajectory of SWE-agent: {history, trajectory, info}")
	}
	var d draft
	var messages, history, trajectory, info, config, instance []byte
	for name, value := range members(rec.JSON) {
		switch name {
		case "messages":
			messages = value
			continue
		case "history":
			history = value
			continue
		case "trajectory":
			trajectory = value
			continue
		case "info":
			info = value
		case "replay_config":
			config = value
		case "instance_id":
			instance = value
			continue
		}
		d.carry(name, value)
	}
	var t transcript
	var err error
	switch {
	case messages != nil:
		t, err = readTranscript("messages", messages)
	case history != nil:
		t, err = readTranscript("history", history)
	case isKind(trajectory, '['):
		t, err = readTrajectory(trajectory)
	default:
		err = missingOr("history", trajectory, wantMessages)
	}
	if err != nil {
		return dst, err
	}
	d.talk(t)
	d.carry("trajectory", trajectory)
	if messages != nil {
		d.carry("history", history)
	}
	d.id(rollout.FieldTaskID, &d.row.TaskID, sweInstance(instance, info, config))
	if reason := sweFinish(find(info, "exit_status")); reason != "" {
		d.text(rollout.FieldFinishReason, &d.row.FinishReason, reason)
	}
	return append(dst, d.done(rec.Pos, 0)), nil
}

// readTrajectory reads the steps of a trajectory, after the messages that the
// model was given at the first one.
func readTrajectory(trajectory []byte) (t transcript, err error) {
	if query := find(first(trajectory), "query"); isKind(query, '[') {
		if t, err = readTranscript("query", query); err != nil {
			return t, err
		}
	}
	t.steps(trajectory, "response", "thought", "action")
	return t, nil
}

// sweInstance finds the id of the task. replay_config is JSON, or JSON text.
func sweInstance(instance, info, config []byte) []byte {
	if text, ok := jsonwalk.Text(config); ok {
		config = []byte(text)
	}
	for _, value := range [][]byte{
		instance,
		find(info, "instance_id"),
		find(config, "problem_statement", "id"),
		find(config, "problem_statement", "instance_id"),
	} {
		if _, ok := scalarText(value); ok {
			return value
		}
	}
	return nil
}

// sweFinish reads an exit status such as submitted, "submitted (exit_cost)",
// exit_context, exit_error or LimitsExceeded; "" when it says none of ours.
func sweFinish(status []byte) string {
	text, _ := jsonwalk.Text(status)
	text = strings.ToLower(text)
	switch {
	case text == "submitted":
		return "stop"
	case strings.Contains(text, "exit_cost"), strings.Contains(text, "exit_context"),
		strings.Contains(text, "limitsexceeded"):
		return "length"
	case strings.Contains(text, "error"):
		return "error"
	}
	return ""
}
