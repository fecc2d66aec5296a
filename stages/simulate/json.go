package simulate

import "github.com/rollmill/rollmill/formats/rollout"

// quoted returns a text as a JSON string.
func quoted(text string) string { return string(rollout.AppendText(nil, text)) }

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
