package rollout

import "fmt"

// Grouping says which rows belong together. The gates group by four different
// keys, and results depend on which (spec of gates, section 1.2).
type Grouping uint8

const (
	ByTask      Grouping = iota // the task id, else the prompt; of selection and group signal
	ByPrompt                    // the prompt as it is; of the hack scan, duplicates and lengths
	ByPromptKey                 // the prompt in normal form; of fine-tuning rules and preference pairs
	ByTaskID                    // the task id alone; of the same-task rule of decontamination
	groupings
)

// String returns the word that options use.
func (g Grouping) String() string {
	return [groupings]string{"task", "prompt", "prompt-key", "task-id"}[g]
}

// ParseGrouping is the inverse of String.
func ParseGrouping(word string) (Grouping, error) {
	for g := range groupings {
		if g.String() == word {
			return g, nil
		}
	}
	return 0, fmt.Errorf("rollout: %q is no grouping; want task, prompt, prompt-key or task-id", word)
}

// Key returns the key of the row in this grouping, "" when it has none. Rows
// without a key form one group, except under ByTaskID, where they belong to no
// task. The key may be part of the block that the row was read from.
func (g Grouping) Key(r *Row) string {
	switch g {
	case ByPrompt:
		return r.Prompt
	case ByPromptKey:
		return r.PromptKey()
	case ByTaskID:
		return r.TaskID
	}
	return r.TaskKey()
}
