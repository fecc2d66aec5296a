package stats

// RunConfig is what all rows of one side agree on, and the shares that decide
// whether two sides can be compared (spec of statistics, section 4.1). A
// setting on which rows differ is absent and listed in Mixed.
type RunConfig struct {
	Temperature   Null[float64] `json:"temperature"`
	MaxTokens     Null[float64] `json:"max_tokens"`
	PolicyVersion Null[string]  `json:"policy_version"`
	JudgeVersion  Null[string]  `json:"judge_version"`
	PromptHash    Null[string]  `json:"prompt_hash"`
	UserModel     Null[string]  `json:"user_model"`   // who played the user
	WriterModel   Null[string]  `json:"writer_model"` // who wrote the tasks
	Mixed         []string      `json:"mixed"`        // settings that differ between rows
	Tasks         int           `json:"n_tasks"`
	K             int           `json:"k"`      // rollouts a task
	Counts        RunCounts     `json:"counts"` // what the shares are made of
}

// RunCounts are the counts behind the shares of a [RunConfig].
type RunCounts struct {
	Rows      int `json:"rows"`
	Graded    int `json:"graded"`    // rows with any finite number as reward
	Finished  int `json:"finished"`  // rows with a finish reason
	Truncated int `json:"truncated"` // of those, cut by the token cap
	Replies   int `json:"replies"`   // rows with a reply
	Answered  int `json:"answered"`  // of those, not blank beside the reasoning
	Unclosed  int `json:"unclosed"`  // of those, that end inside their reasoning
}

// TruncatedShare is the share of finished rows that the token cap cut, as are
// the other shares absent when there is nothing to divide by.
func (c RunConfig) TruncatedShare() Null[float64] {
	return share(c.Counts.Truncated, c.Counts.Finished)
}

// AnsweredShare is the share of replies that say something.
func (c RunConfig) AnsweredShare() Null[float64] { return share(c.Counts.Answered, c.Counts.Replies) }

// UnclosedShare is the share of replies that end inside their reasoning.
func (c RunConfig) UnclosedShare() Null[float64] { return share(c.Counts.Unclosed, c.Counts.Replies) }

// GradedShare is the share of all rows that carry a number as reward.
func (c RunConfig) GradedShare() Null[float64] { return share(c.Counts.Graded, c.Counts.Rows) }

// MarshalJSON writes the settings, the shares rounded to 4 digits, and the
// counts behind them.
func (c RunConfig) MarshalJSON() ([]byte, error) {
	type plain RunConfig
	if c.Mixed == nil {
		c.Mixed = []string{}
	}
	return marshalWith(plain(c), struct {
		Truncated Null[float64] `json:"truncated_share"`
		Answered  Null[float64] `json:"answered_share"`
		Unclosed  Null[float64] `json:"unclosed_think_share"`
		Graded    Null[float64] `json:"graded_share"`
	}{
		rounded(c.TruncatedShare(), 4), rounded(c.AnsweredShare(), 4),
		rounded(c.UnclosedShare(), 4), rounded(c.GradedShare(), 4),
	})
}
