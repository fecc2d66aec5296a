package gen

import (
	"bufio"
	"io"

	"github.com/go-json-experiment/json"
)

// Truth says what is special about a row.
type Truth struct {
	RolloutID string `json:"rollout_id"`
	TaskID    string `json:"scenario_id"`
	Line      int64  `json:"line"` // of the row, from 1

	// Leak is where evaluation material stands: "prompt" or "tool_result".
	// Match says how. In a prompt: "exact", the prompt is the question;
	// "changed", with one word replaced; "within", with other text around it.
	// In a tool result: "question", a question of the set with its answer;
	// "answer", the gold answer of the row itself. Coverage is the share of the
	// prompt's words that lie in n-grams of the question.
	Leak     string  `json:"leak,omitzero"`
	Match    string  `json:"match,omitzero"`
	EvalID   string  `json:"eval_id,omitzero"`
	Coverage float64 `json:"coverage,omitzero"`

	DupOf     string `json:"dup_of,omitzero"`    // id of the row that this one repeats; what else is said is true of both
	Truncated bool   `json:"truncated,omitzero"` // the reply is cut and gives no answer
	Hack      bool   `json:"hack,omitzero"`      // the task's rewards pay for Phrase
	Phrase    bool   `json:"phrase,omitzero"`    // and this reply holds it
	NoScore   string `json:"no_score,omitzero"`  // why there is no reward: absent, null, error
	Right     bool   `json:"right"`              // the reply gives the gold answer
}

// Truth returns what is special about row i, counting from 0. ok is false when
// nothing is.
func (g *Generator) Truth(i int64) (t Truth, ok bool) {
	n := i / RolloutsPerTask
	return g.truth(i, new(g.task(n)))
}

func (g *Generator) truth(i int64, t *task) (Truth, bool) {
	from := g.origin(i)
	r := g.rollout(from, t)
	truth := Truth{
		RolloutID: g.rolloutID(i),
		TaskID:    taskID(t.n),
		Line:      i + 1,
		Truncated: r.truncated,
		Hack:      t.hacked,
		Phrase:    r.phrase,
		NoScore:   scoreNames[r.score],
		Right:     r.right,
	}
	if from != i {
		truth.DupOf = g.rolloutID(from)
	}
	switch {
	case t.leak.match != "":
		truth.Leak, truth.Match = "prompt", t.leak.match
		truth.EvalID, truth.Coverage = itemID(t.leak.item), t.leak.coverage
	case r.leak != noToolLeak:
		truth.Leak, truth.Match = "tool_result", toolLeakNames[r.leak]
		if r.leak == toolQuestion {
			truth.EvalID = itemID(r.item)
		}
	}
	special := truth.Leak != "" || truth.DupOf != "" || truth.Truncated || truth.Hack || truth.NoScore != ""
	return truth, special
}

// WriteTruth writes one [Truth] a line for each row of cfg that is special,
// and returns how many there are.
func WriteTruth(w io.Writer, cfg Config) (special int64, err error) {
	g := New(cfg.Seed)
	out := bufio.NewWriterSize(w, 1<<16)
	var t task
	for i := range cfg.Rows {
		if i%RolloutsPerTask == 0 {
			t = g.task(i / RolloutsPerTask)
		}
		truth, ok := g.truth(i, &t)
		if !ok {
			continue
		}
		special++
		if err := json.MarshalWrite(out, truth); err != nil {
			return special, err
		}
		if err := out.WriteByte('\n'); err != nil {
			return special, err
		}
	}
	return special, out.Flush()
}
