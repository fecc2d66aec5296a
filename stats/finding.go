package stats

// Finding is one thing a report has to say: a code that programs can match,
// the numbers it rests on, and a sentence for people. No verdict of this
// package is made by reading a sentence back.
type Finding struct {
	Code    Code       `json:"code"`
	Level   Level      `json:"level"`
	Subject string     `json:"subject,omitempty"` // the metric, slice or field it is about
	Numbers Quantities `json:"numbers"`
	Text    string     `json:"text"`
}

// Code names a kind of finding. Codes are only ever added.
type Code string

// Level says what a finding does to the report it stands in.
type Level string

const (
	Note     Level = "note"     // context for the figure
	Warning  Level = "warning"  // weakens the figure
	Blocking Level = "blocking" // makes the report not ok
)

// texts lists the sentences of the findings of a level, in order; it is never
// nil, so that it is written as a JSON list.
func texts(findings []Finding, level Level) []string {
	out := []string{}
	for _, f := range findings {
		if f.Level == level {
			out = append(out, f.Text)
		}
	}
	return out
}
