package verify

import (
	"slices"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// jsonIn finds the JSON value in an answer: in its last fenced block that is one,
// else the whole text, else from the first brace to the last, else from the first
// bracket to the last (spec of rows, section 3.2).
func jsonIn(answer string) (json string, ok bool) {
	for _, block := range slices.Backward(fenced(answer)) {
		if text := strings.TrimSpace(block.text); rollout.IsJSON(text) {
			return text, true
		}
	}
	if text := strings.TrimSpace(answer); rollout.IsJSON(text) {
		return text, true
	}
	for _, pair := range [...][2]string{{"{", "}"}, {"[", "]"}} {
		from, to := strings.Index(answer, pair[0]), strings.LastIndex(answer, pair[1])
		if from >= 0 && to > from && rollout.IsJSON(answer[from:to+1]) {
			return answer[from : to+1], true
		}
	}
	return "", false
}
