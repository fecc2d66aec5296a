package measure

import (
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// config collects what all rows agree on (spec of statistics, section 4.1).
type config struct {
	temperature, maxTokens              agreed[float64]
	policy, judge, prompt, user, writer agreed[string]
	counts                              stats.RunCounts
	lineage                             memo[lineageText]
	sampling                            memo[samplingText]
	judgeMeta                           memo[string]
}

// agreed is a value that rows share; rows without it are not asked.
type agreed[T comparable] struct {
	value       T
	met, differ bool
}

func (a *agreed[T]) add(v T) {
	if !a.met {
		a.value, a.met = v, true
	}
	a.differ = a.differ || v != a.value
}

func (a *agreed[T]) merge(o agreed[T]) {
	if o.met {
		a.add(o.value)
		a.differ = a.differ || o.differ
	}
}

// addText adds a text and copies it, so that it pins no block of rows.
func addText(a *agreed[string], text string) {
	if text != "" && !a.differ && !(a.met && text == a.value) {
		a.add(strings.Clone(text))
	}
}

type lineageText struct{ judge, prompt string }

func readLineage(text string) lineageText {
	return lineageText{textOf(memberAt(text, []string{"judge_version"})), textOf(memberAt(text, []string{"system_prompt_sha"}))}
}

type samplingText struct{ temperature, maxTokens stats.Null[float64] }

func readSampling(text string) samplingText {
	return samplingText{numberOf(memberAt(text, []string{"temperature"})), numberOf(memberAt(text, []string{"max_tokens"}))}
}

func readJudgeVersion(text string) string { return textOf(memberAt(text, []string{"version"})) }

// memo remembers what was read of the last text: rows of one run say the same
// over and over.
type memo[T any] struct {
	text  string
	value T
}

func (m *memo[T]) read(text string, read func(string) T) T {
	if text != m.text {
		m.text, m.value = text, read(text)
	}
	return m.value
}

func (c *config) add(r *row) {
	var policy, judge, lineageJudge, prompt string
	for i := range r.Extra {
		m := &r.Extra[i]
		switch m.Name {
		case "sampling":
			s := c.sampling.read(m.JSON, readSampling)
			addNumber(&c.temperature, s.temperature)
			addNumber(&c.maxTokens, s.maxTokens)
		case "policy_version":
			policy = textOf(m.JSON)
		case "judge_meta":
			judge = c.judgeMeta.read(m.JSON, readJudgeVersion)
		case "lineage":
			l := c.lineage.read(m.JSON, readLineage)
			lineageJudge, prompt = l.judge, l.prompt
		case "user_model":
			addText(&c.user, textOf(m.JSON))
		case "writer_model":
			if writer := textOf(m.JSON); writer != "pinned" {
				addText(&c.writer, writer)
			}
		}
	}
	if judge == "" {
		judge = lineageJudge
	}
	if prompt == "" {
		_, prompt, _ = strings.Cut(policy, "@")
	}
	addText(&c.policy, policy)
	addText(&c.judge, judge)
	addText(&c.prompt, prompt)
	c.count(r)
}

// textOf is the text of a JSON string, "" of any other value.
func textOf(json string) string {
	if !strings.HasPrefix(json, `"`) {
		return ""
	}
	return scalarText(json)
}

// numberOf is a JSON number, absent for any other value.
func numberOf(json string) (x stats.Null[float64]) {
	f, err := strconv.ParseFloat(json, 64)
	return stats.Null[float64]{V: f, Valid: err == nil}
}

func addNumber(a *agreed[float64], x stats.Null[float64]) {
	if x.Valid {
		a.add(x.V)
	}
}

// count counts what the shares are made of.
func (c *config) count(r *row) {
	c.counts.Rows++
	if r.graded.Valid {
		c.counts.Graded++
	}
	if r.FinishReason != "" {
		c.counts.Finished++
		if r.FinishReason == "length" {
			c.counts.Truncated++
		}
	}
	reply, ok := replyOf(r.Row)
	if !ok {
		return
	}
	c.counts.Replies++
	said, unclosed := spoken(reply)
	if strings.TrimSpace(said) != "" {
		c.counts.Answered++
	}
	if unclosed {
		c.counts.Unclosed++
	}
}

// forget drops the texts of the last row, which point into its block.
func (c *config) forget() {
	c.lineage, c.sampling, c.judgeMeta = memo[lineageText]{}, memo[samplingText]{}, memo[string]{}
}

func (c *config) merge(o *config) {
	c.temperature.merge(o.temperature)
	c.maxTokens.merge(o.maxTokens)
	for _, p := range []struct{ to, from *agreed[string] }{
		{&c.policy, &o.policy}, {&c.judge, &o.judge}, {&c.prompt, &o.prompt}, {&c.user, &o.user}, {&c.writer, &o.writer},
	} {
		p.to.merge(*p.from)
	}
	a, b := &c.counts, o.counts
	a.Rows += b.Rows
	a.Graded += b.Graded
	a.Finished += b.Finished
	a.Truncated += b.Truncated
	a.Replies += b.Replies
	a.Answered += b.Answered
	a.Unclosed += b.Unclosed
}

func (c *config) result() stats.RunConfig {
	r := stats.RunConfig{Counts: c.counts, Mixed: []string{}}
	r.Temperature = settle(c.temperature, "temperature", &r.Mixed)
	r.MaxTokens = settle(c.maxTokens, "max_tokens", &r.Mixed)
	r.PolicyVersion = settle(c.policy, "policy_version", &r.Mixed)
	r.JudgeVersion = settle(c.judge, "judge_version", &r.Mixed)
	r.PromptHash = settle(c.prompt, "prompt_hash", &r.Mixed)
	r.UserModel = settle(c.user, "user_model", &r.Mixed)
	r.WriterModel = settle(c.writer, "writer_model", &r.Mixed)
	return r
}

func settle[T comparable](a agreed[T], name string, mixed *[]string) stats.Null[T] {
	switch {
	case !a.met:
		return stats.Null[T]{}
	case a.differ:
		*mixed = append(*mixed, name)
		return stats.Null[T]{}
	}
	return stats.Of(a.value)
}
