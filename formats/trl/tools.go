package trl

import "github.com/rollmill/rollmill/formats/rollout"

// addTools adds the tools of a row to an object, if the row tells them.
func addTools(o *rollout.Object, r *rollout.Row) {
	if len(r.Tools) > 0 && r.Tools[0] == '[' {
		o.Raw("tools", r.Tools)
	}
}
