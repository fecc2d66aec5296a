package stats

import "fmt"

// KLRow is the log-probability of one rollout under the policy and under a
// reference, both summed over its tokens.
type KLRow struct {
	Task    string
	Logprob Null[float64]
	Ref     Null[float64]
	Tokens  int // 0 when it is not known
}

// KLReport is how far a policy has moved from its reference, in nats a token:
// the plain sampled estimator, sum(logprob - ref)/sum(tokens), which can be
// negative (Lambert 2025, arXiv:2504.12501, chapter on regularisation; k1 of
// Schulman 2020).
type KLReport struct {
	MeanKL  Null[float64] `json:"mean_kl"`   // rounded to 6 digits
	PerTask Quantities    `json:"per_task"`  // tokens pooled within the task; rounded to 6
	Rows    int           `json:"n_rows"`    // used
	Skipped int           `json:"n_skipped"` // a number missing, or no tokens
	Tokens  int           `json:"n_tokens"`
	Exact   struct {
		MeanKL  Null[float64] `json:"mean_kl"`
		PerTask Quantities    `json:"per_task"`
	} `json:"exact"`
}

// MeanKL measures the divergence over all rows and a task, in first-seen order.
func MeanKL(rows []KLRow) *KLReport {
	r := &KLReport{PerTask: Quantities{}}
	r.Exact.PerTask = Quantities{}
	type pool struct {
		sum    float64
		tokens int
	}
	var all pool
	var tasks []pool
	place := map[string]int{}
	for _, row := range rows {
		if !row.Logprob.Valid || !row.Ref.Valid || row.Tokens <= 0 {
			r.Skipped++
			continue
		}
		i, seen := place[row.Task]
		if !seen {
			i = len(tasks)
			place[row.Task] = i
			tasks = append(tasks, pool{})
			r.PerTask = append(r.PerTask, Quantity{Name: row.Task})
		}
		difference := row.Logprob.V - row.Ref.V
		all = pool{all.sum + difference, all.tokens + row.Tokens}
		tasks[i] = pool{tasks[i].sum + difference, tasks[i].tokens + row.Tokens}
		r.Rows++
	}
	r.Tokens = all.tokens
	if r.Rows > 0 {
		r.Exact.MeanKL = Of(all.sum / float64(all.tokens))
		r.MeanKL = rounded(r.Exact.MeanKL, 6)
	}
	for i, p := range tasks {
		kl := Of(p.sum / float64(p.tokens))
		r.Exact.PerTask = append(r.Exact.PerTask, Quantity{r.PerTask[i].Name, kl})
		r.PerTask[i].Value = rounded(kl, 6)
	}
	return r
}

// String prints the divergence with what it rests on.
func (r *KLReport) String() string {
	return fmt.Sprintf("mean KL %s nats a token (%d tokens of %d rows on %d tasks, %d rows skipped)",
		fixed(r.MeanKL, 6), r.Tokens, r.Rows, len(r.PerTask), r.Skipped)
}
