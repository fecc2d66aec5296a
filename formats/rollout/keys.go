package rollout

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// TaskKey is what rows are grouped by: the task id, else the prompt, else ""
// (spec of statistics, section 1.1).
func (r *Row) TaskKey() string {
	if r.TaskID != "" {
		return r.TaskID
	}
	return r.Prompt
}

// RowKey is what labels are joined by: the rollout id, else the task id and
// index as in "t1#0" when both are present, else the first 16 hexadecimal
// digits of SHA-1 over prompt, U+001F and final text (spec of rows, section 1.9).
func (r *Row) RowKey() string {
	if r.ID != "" {
		return r.ID
	}
	if index := r.indexText(); r.TaskID != "" && index != "" {
		return r.TaskID + "#" + index
	}
	return hexSHA1(r.Prompt+"\x1f"+r.FinalText, 16)
}

// indexText returns the index as text, "" when it is absent or null.
func (r *Row) indexText() string {
	switch r.Index.Kind() {
	case KindAbsent, KindNull:
		return ""
	case KindString:
		text, _ := jsonwalk.Text(bytesOf(r.Index.Text))
		return text
	}
	return r.Index.Text
}

// PromptKey is what preference pairs and the coverage of an evaluation set are
// matched by: the prompt in lower case, every run of white space one space,
// none at the ends (spec of rows, section 1.9; white space and case as Python
// has them, spec of gates, section 1.3).
func (r *Row) PromptKey() string { return PromptKey(r.Prompt) }

// PromptKey returns the prompt key of a text; see [Row.PromptKey].
func PromptKey(prompt string) string { return text.Norm(prompt) }

// GroupKey is the group id of the row: the one it came with, else that of its
// task key.
func (r *Row) GroupKey() string {
	if r.GroupID != "" {
		return r.GroupID
	}
	return DerivedGroupID(r.TaskKey())
}

// DerivedGroupID returns the group id of a task key: the first 12 hexadecimal
// digits of its SHA-1 (spec of rows, section 1.9).
func DerivedGroupID(taskKey string) string { return hexSHA1(taskKey, 12) }

// DerivedTaskID returns the id of a task that has none: "task_" and the first
// 12 hexadecimal digits of the prompt's SHA-256 (spec of rows, section 1.9).
func DerivedTaskID(prompt string) string { return "task_" + hexSHA256(prompt, 12) }

// DerivedRolloutID returns the id of a rollout that has none: the first 12
// hexadecimal digits of SHA-256 over task id, index and model joined by "|"
// (spec of rows, section 1.9).
func DerivedRolloutID(taskID string, index int64, model string) string {
	return hexSHA256(taskID+"|"+strconv.FormatInt(index, 10)+"|"+model, 12)
}

// RolloutID returns the row's id, else the derived one, with the derived task
// id where the row has no task id, index 0 where it has none, and the
// model_version of Extra. Rows without an index that share task and model
// share the derived id too.
func (r *Row) RolloutID() string {
	if r.ID != "" {
		return r.ID
	}
	task := r.TaskID
	if task == "" {
		task = DerivedTaskID(r.Prompt)
	}
	index, _ := r.Index.Int()
	model := ""
	for _, m := range r.Extra {
		if m.Name == "model_version" {
			model, _ = jsonwalk.Text(bytesOf(m.JSON))
		}
	}
	return DerivedRolloutID(task, index, model)
}

func hexSHA1(text string, digits int) string {
	sum := sha1.Sum(bytesOf(text))
	return hex.EncodeToString(sum[:])[:digits]
}

func hexSHA256(text string, digits int) string {
	sum := sha256.Sum256(bytesOf(text))
	return hex.EncodeToString(sum[:])[:digits]
}
