package stats

import "fmt"

// CodeDegenerateMetric says that a metric has one value on every row.
const CodeDegenerateMetric Code = "degenerate_metric"

// Summary is one metric over tasks: the mean and its bootstrap interval (Efron
// and Tibshirani 1993; over tasks, Miller 2024, arXiv:2411.00640).
type Summary struct {
	Metric     string         `json:"metric"`
	Tasks      int            `json:"n_tasks"`
	Rows       int            `json:"n_rows"`
	RowsAtOne  int            `json:"n_rows_at_1"`
	RowsAtZero int            `json:"n_rows_at_0"`
	Mean       Null[float64]  `json:"mean"`
	CI95       Null[Interval] `json:"ci95"` // absent when degenerate: it would be a point
	Degenerate bool           `json:"degenerate"`
	Warning    string         `json:"warning,omitempty"`
	Note       string         `json:"note,omitempty"`
	Resampling Resampling     `json:"resampling"`
	Findings   []Finding      `json:"findings"`
}

// Summarize measures one metric.
func Summarize(m Metric, o BootstrapOptions) Summary {
	o = o.withDefaults()
	s := Summary{
		Metric: m.Name, Tasks: len(m.Tasks), Rows: m.Rows,
		RowsAtOne: m.AtOne, RowsAtZero: m.AtZero,
		Mean: finite(m.Mean()), Degenerate: m.Rows > 0 && m.Constant,
		Resampling: o.resampling(len(m.Tasks)), Findings: []Finding{},
	}
	switch {
	case s.Degenerate:
		s.Warning = fmt.Sprintf("%s never varies: %d rows, all %s", m.Name, m.Rows, fixed(s.Mean, 2))
		s.Findings = append(s.Findings, Finding{
			Code: CodeDegenerateMetric, Level: Warning, Subject: m.Name,
			Numbers: quantities("rows", m.Rows, "value", s.Mean), Text: s.Warning,
		})
	case len(m.Tasks) < MinCITasks:
		f := noInterval(len(m.Tasks))
		f.Subject, s.Note = m.Name, f.Text
		s.Findings = append(s.Findings, f)
	default:
		s.CI95 = BootstrapMean(m.Means(), o)
	}
	return s
}

// String prints the mean with its interval and what it rests on.
func (s Summary) String() string {
	text := s.Metric + " " + fixed(s.Mean, 2)
	if s.CI95.Valid {
		text += " [" + band(s.CI95, 2, fixed) + "]"
	}
	text += fmt.Sprintf(" (%d tasks, %d rows", s.Tasks, s.Rows)
	for _, f := range s.Findings {
		text += "; " + f.Text
	}
	return text + ")"
}
