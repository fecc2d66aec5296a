package stats

import (
	"fmt"
	"slices"
)

// HackThreshold is the correlation from which on a feature is flagged.
const HackThreshold = 0.3

// CodeConfidenceReward says that rewarded replies are the confident ones.
const CodeConfidenceReward Code = "confidence_reward"

// LogprobRow is what [Logprobs] reads of a row.
type LogprobRow struct {
	Logprob   Null[float64] // summed over the tokens
	Tokens    int           // 0 when it is not known
	Reward    Label
	Truncated bool // a step was cut
}

// LogprobReport is the confidence of a policy in its own replies (Lambert 2025,
// arXiv:2504.12501). Numbers are rounded to 4 digits.
type LogprobReport struct {
	Rows       int           `json:"n_rows"`
	With       int           `json:"n_with_logprobs"`
	Tokens     int           `json:"n_tokens"`
	MeanToken  Null[float64] `json:"mean_token_logprob"`
	P10        Null[float64] `json:"row_mean_p10"`
	P50        Null[float64] `json:"row_mean_p50"`
	P90        Null[float64] `json:"row_mean_p90"`
	Confidence Null[float64] `json:"corr_reward_confidence"` // Pearson of row mean and reward, from 3 graded rows on
	Truncated  int           `json:"n_truncated"`
	Warnings   []string      `json:"warnings"`
	Findings   []Finding     `json:"findings"`
	Exact      struct {
		MeanToken  Null[float64] `json:"mean_token_logprob"`
		Confidence Null[float64] `json:"corr_reward_confidence"`
	} `json:"exact"`
}

// Logprobs summarises the log-probabilities of rows.
func Logprobs(rows []LogprobRow) *LogprobReport {
	r := &LogprobReport{Rows: len(rows), Findings: []Finding{}}
	total := 0.0
	var means, gradedMeans, rewards []float64
	for _, row := range rows {
		if row.Truncated {
			r.Truncated++
		}
		if !row.Logprob.Valid || row.Tokens <= 0 {
			continue
		}
		r.With++
		r.Tokens += row.Tokens
		total += row.Logprob.V
		mean := row.Logprob.V / float64(row.Tokens)
		means = append(means, mean)
		if row.Reward != NoLabel {
			gradedMeans, rewards = append(gradedMeans, mean), append(rewards, float64(row.Reward))
		}
	}
	if r.With > 0 {
		r.Exact.MeanToken = Of(total / float64(r.Tokens))
		r.MeanToken = rounded(r.Exact.MeanToken, 4)
		slices.Sort(means)
		quantile := func(q float64) Null[float64] {
			return Of(Round(means[roundInt(q*float64(len(means)-1))], 4))
		}
		r.P10, r.P50, r.P90 = quantile(0.1), quantile(0.5), quantile(0.9)
	}
	r.Exact.Confidence = Pearson(gradedMeans, rewards)
	r.Confidence = rounded(r.Exact.Confidence, 4)
	if r.Confidence.Valid && r.Confidence.V >= HackThreshold {
		r.Findings = append(r.Findings, Finding{
			Code: CodeConfidenceReward, Level: Warning,
			Numbers: quantities("corr", r.Confidence, "rows", len(rewards)),
			Text:    fmt.Sprintf("reward goes with confidence (r=%.2f over %d rows): training on it sharpens what the policy already says", r.Confidence.V, len(rewards)),
		})
	}
	r.Warnings = texts(r.Findings, Warning)
	return r
}

// String prints the report in one line and its warnings.
func (r *LogprobReport) String() string {
	s := fmt.Sprintf("logprob %s a token (%d tokens of %d of %d rows), row means p10 %s, p50 %s, p90 %s, corr with reward %s, %d truncated",
		fixed(r.MeanToken, 4), r.Tokens, r.With, r.Rows, fixed(r.P10, 4), fixed(r.P50, 4), fixed(r.P90, 4), fixed(r.Confidence, 4), r.Truncated)
	for _, w := range r.Warnings {
		s += "\n! " + w
	}
	return s
}
