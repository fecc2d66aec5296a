package selection

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// corpus draws the rollouts on which the reference implementation was timed
// (spec of gates, appendix A), from the same generator: Zipf words of exponent
// 1.05 in sentences of 8 to 18.
type corpus struct {
	rng   *stats.MersenneTwister
	words []string
	cum   []float64
}

func newCorpus(seed int64) *corpus {
	c := &corpus{rng: stats.NewMersenneTwister(seed)}
	var syllables []string
	for _, consonant := range "bdfgklmnprstvz" {
		for _, vowel := range "aeiou" {
			syllables = append(syllables, string(consonant)+string(vowel))
		}
	}
	rng, seen := stats.NewMersenneTwister(11), map[string]bool{}
	for total := 0.0; len(c.words) < 20000; {
		w := ""
		for range 1 + rng.Below(4) {
			w += syllables[rng.Below(len(syllables))]
		}
		if seen[w] {
			continue
		}
		seen[w] = true
		total += 1 / math.Pow(float64(len(c.words))+2.7, 1.05)
		c.words, c.cum = append(c.words, w), append(c.cum, total)
	}
	return c
}

func (c *corpus) draw(n int) []string {
	list := make([]string, n)
	for i := range list {
		at := c.rng.Float64() * c.cum[len(c.cum)-1]
		list[i] = c.words[min(sort.Search(len(c.cum), func(i int) bool { return c.cum[i] > at }), len(c.words)-1)]
	}
	return list
}

func (c *corpus) text(n int) string {
	words := c.draw(n)
	var out []string
	for i := 0; i < n; {
		s := words[i:min(n, i+8+c.rng.Below(11))]
		i += len(s)
		out = append(out, strings.ToUpper(s[0][:1])+s[0][1:]+strings.TrimRight(" "+strings.Join(s[1:], " "), " ")+".")
	}
	return strings.Join(out, " ")
}

// rollouts are n records of 8 rollouts an ask: a tool on half of them drives the
// reward, 2 % are exact duplicates, 2 % are cut off, 1 % quote their reference.
func (c *corpus) rollouts(n int) []json.RawMessage {
	rows := make([]json.RawMessage, 0, n)
	for g := 0; len(rows) < n; g++ {
		prompt, base := c.text(40), c.rng.Float64()
		ref := "key " + strings.Join(c.draw(5), " ")
		var prev map[string]any
		for i := 0; i < 8 && len(rows) < n; i++ {
			tool := c.rng.Float64() < 0.5
			p := base - 0.35
			if tool {
				p = base + 0.35
			}
			txt := c.text(260)
			if c.rng.Float64() < 0.3 {
				txt += " ### end ###."
			}
			if c.rng.Float64() < 0.02 {
				txt = strings.TrimRight(txt, ".# end") + " and then"
			}
			if c.rng.Float64() < 0.01 {
				txt = fmt.Sprintf("It is %s. %s", ref, txt)
			}
			reward := 0
			if c.rng.Float64() < min(1, max(0, p)) {
				reward = 1
			}
			row := map[string]any{
				"scenario_id": fmt.Sprintf("t%d", g), "rollout_index": i, "prompt": prompt, "reward": reward, "final_text": txt,
				"steps":      []any{},
				"messages":   []any{map[string]any{"role": "user", "content": prompt}, map[string]any{"role": "assistant", "content": txt}},
				"privileged": map[string]any{"reference": ref}, "policy_version": "p1",
			}
			if tool {
				row["steps"] = []any{map[string]any{"tool": "lookup_order", "arguments": map[string]any{"id": g}, "result": map[string]any{"status": "ok", "id": g}}}
			}
			if prev != nil && c.rng.Float64() < 0.02 {
				same := map[string]any{}
				for k, v := range prev {
					same[k] = v
				}
				same["rollout_index"] = i
				row = same
			}
			prev = row
			line, err := json.Marshal(row)
			if err != nil {
				panic(err)
			}
			rows = append(rows, line)
		}
	}
	return rows
}
