package dialect

import (
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// tauBench reads the results of tau-bench: a list of {task_id, trial, reward,
// info, traj}, where traj is the conversation as chat messages. The number of
// the task is its id, that of the trial the index; info stays in Extra.
//
// A run that crashed is written by tau-bench as reward 0.0 with info.error and
// an empty traj. Its status is error here and its reward absent: a failure of
// the machinery is no score. The number is kept as reported_reward.
type tauBench struct{}

func (tauBench) Name() string { return "tau-bench" }

func (tauBench) fits(o outline) bool {
	return o.is("traj", "[") && (o.has("task_id") || o.has("reward"))
}

func (tauBench) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if !isKind(rec.JSON, '{') {
		return dst, notObject(rec.JSON, "a result of tau-bench: {task_id, trial, reward, info, traj}")
	}
	var d draft
	var traj, reward, info []byte
	for name, value := range members(rec.JSON) {
		switch name {
		case "task_id":
			if !d.id(rollout.FieldTaskID, &d.row.TaskID, value) {
				return dst, wrongType(name, value, "a number or a string")
			}
		case "trial":
			d.number(rollout.FieldIndex, &d.row.Index, value)
		case "reward":
			reward = value
		case "traj":
			traj = value
		case "info":
			info = value
		default:
			d.carry(name, value)
		}
	}
	if traj == nil {
		return dst, missing("traj", wantMessages)
	}
	t, err := readTranscript("traj", traj)
	if err != nil {
		return dst, err
	}
	d.talk(t)
	if crash, ok := jsonwalk.Text(find(info, "error")); ok && len(t.messages) == 0 {
		d.status(rollout.StatusError)
		d.text(rollout.FieldReason, &d.row.Reason, crash)
		d.carry("reported_reward", reward)
	} else {
		d.number(rollout.FieldReward, &d.row.Reward, reward)
	}
	d.carry("info", info)
	return append(dst, d.done(rec.Pos, 0)), nil
}
