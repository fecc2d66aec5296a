package trl

import (
	"slices"

	"github.com/rollmill/rollmill/formats/rollout"
)

// AppendPrompt appends the task of a row as GRPOTrainer takes it: as prompt the
// messages up to the first reply to it, then task_id, reference, the tools, and as
// info, JSON text, what else of the task a reward function may need. GRPOTrainer
// hands these columns to its reward functions. The error wraps [ErrShape]: nobody
// asks anything.
func AppendPrompt(dst []byte, r *rollout.Row, reference string) ([]byte, error) {
	messages := spoken(r)
	asked := slices.IndexFunc(messages, func(m rollout.Message) bool { return m.Role == rollout.RoleUser })
	if asked < 0 {
		return dst, unfit("it has no prompt")
	}
	end := asked + 1
	for end < len(messages) && messages[end].Role != rollout.RoleAssistant {
		end++
	}
	list, err := appendMessages(nil, messages[:end])
	if err != nil {
		return dst, err
	}
	var o rollout.Object
	o.RawBytes("prompt", list)
	o.Text("task_id", r.TaskKey())
	o.Text("reference", reference)
	addTools(&o, r)
	o.Text("info", infoOf(r))
	return o.AppendTo(dst), nil
}

// infoMembers are members of a record that tell of its task.
var infoMembers = []string{"scenario_dimensions", "world_state", "faults", "seed", "spec_id", "spec_version", "calibration"}

// infoOf is what a row tells of its task beyond the prompt.
func infoOf(r *rollout.Row) string {
	var o rollout.Object
	if r.Privileged != "" && r.Privileged != "null" {
		o.Raw("privileged", r.Privileged)
	}
	for i := range r.Extra {
		if m := &r.Extra[i]; slices.Contains(infoMembers, m.Name) {
			o.Raw(m.Name, m.JSON)
		}
	}
	return string(o.AppendTo(nil))
}
