package stats_test

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stats"
)

// The package knows no rows; the vectors do. This file reads their rows the way
// sections 1.1 and 1.2 of the spec of statistics say.

type row = map[string]any

// decode reads JSON and keeps numbers as they are written.
func decode(t testing.TB, raw []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// rowsOf expands {groups, const, markers}, {concat: [...]} and lists of either.
func rowsOf(v any) []row {
	var out []row
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if r, ok := x.(row); ok && r["groups"] == nil && r["concat"] == nil {
				out = append(out, r)
				continue
			}
			out = append(out, rowsOf(x)...)
		}
	case row:
		if c, ok := v["concat"]; ok {
			return rowsOf(c)
		}
		markers, _ := v["markers"].(row)
		for _, g := range v["groups"].([]any) {
			g := g.([]any)
			for _, reward := range g[1].([]any) {
				r := row{"task_id": g[0], "reward": reward}
				maps.Copy(r, v["const"].(row))
				if len(markers) > 0 {
					m := row{}
					for name, values := range markers {
						m[name] = values.([]any)[len(out)]
					}
					r["markers"] = m
				}
				out = append(out, r)
			}
		}
	}
	return out
}

func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, _ := v.Float64()
		return f != 0
	}
	return true
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// taskKey is the first truthy of scenario_id, task_id and prompt.
func taskKey(r row) string {
	for _, name := range []string{"scenario_id", "task_id", "prompt"} {
		if truthy(r[name]) {
			return text(r[name])
		}
	}
	return ""
}

// rowKey identifies a rollout.
func rowKey(r row) string {
	if truthy(r["rollout_id"]) {
		return text(r["rollout_id"])
	}
	if r["scenario_id"] != nil && r["rollout_index"] != nil {
		return text(r["scenario_id"]) + "#" + text(r["rollout_index"])
	}
	sum := sha1.Sum([]byte(text(r["prompt"]) + "\x1f" + text(r["final_text"])))
	return hex.EncodeToString(sum[:])[:16]
}

// number reads a JSON number that is finite.
func number(v any) stats.Null[float64] {
	n, ok := v.(json.Number)
	if !ok {
		return stats.Null[float64]{}
	}
	f, err := n.Float64()
	if err != nil {
		return stats.Null[float64]{}
	}
	return stats.Of(f)
}

// readerC accepts JSON numbers that are 0 or 1.
func readerC(v any) stats.Label {
	switch f := number(v); {
	case f.Valid && f.V == 0:
		return stats.Fail
	case f.Valid && f.V == 1:
		return stats.Pass
	}
	return stats.NoLabel
}

// readerA accepts numeric text as well.
func readerA(v any) stats.Label {
	if s, ok := v.(string); ok {
		if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && (f == 0 || f == 1) {
			return stats.Label(f)
		}
		return stats.NoLabel
	}
	return readerC(v)
}

// readerB is readerA of reward, else of qwen_reward.
func readerB(r row) stats.Label {
	if l := readerA(r["reward"]); l != stats.NoLabel {
		return l
	}
	return readerA(r["qwen_reward"])
}

func graded(r row) stats.Null[float64] {
	if f := number(r["reward"]); f.Valid {
		return f
	}
	return number(r["qwen_reward"])
}

// passInput counts rows a task with readerB.
func passInput(rows []row) stats.PassInput {
	var in stats.PassInput
	at := map[string]int{}
	for _, r := range rows {
		key := taskKey(r)
		i, seen := at[key]
		if !seen {
			i = len(in.Tasks)
			at[key] = i
			in.Tasks = append(in.Tasks, stats.Task{Key: key})
		}
		task := &in.Tasks[i]
		label, g := readerB(r), graded(r)
		switch {
		case label != stats.NoLabel:
			task.N++
			task.Passes += int(label)
		case g.Valid:
			task.Invalid++
			in.Partial++
		default:
			task.Unscored++
		}
		if g.Valid {
			if in.Graded.Rows == 0 {
				in.Graded.Value = g.V
			}
			in.Graded.Varies = in.Graded.Varies || g.V != in.Graded.Value
			in.Graded.Rows++
		}
	}
	in.Tasks = slices.DeleteFunc(in.Tasks, func(t stats.Task) bool { return t.N+t.Unscored+t.Invalid == 0 })
	return in
}

// metricOf reads one metric: pass_at_1 with readerA, or a marker.
func metricOf(rows []row, name string) stats.Metric {
	type sum struct {
		total float64
		n     int
	}
	m := stats.Metric{Name: name, Constant: true}
	at := map[string]int{}
	var sums []sum
	first := 0.0
	for _, r := range rows {
		var v stats.Null[float64]
		if name == stats.MetricPassAt1 {
			if l := readerA(r["reward"]); l != stats.NoLabel {
				v = stats.Of(float64(l))
			}
		} else if markers, ok := r["markers"].(row); ok {
			v = number(markers[strings.TrimPrefix(name, "marker:")])
		}
		if !v.Valid {
			continue
		}
		key := taskKey(r)
		i, seen := at[key]
		if !seen {
			i = len(sums)
			at[key] = i
			sums = append(sums, sum{})
			m.Tasks = append(m.Tasks, stats.TaskMean{Key: key})
		}
		sums[i] = sum{sums[i].total + v.V, sums[i].n + 1}
		rounded := stats.Round(v.V, 9)
		if m.Rows == 0 {
			first = rounded
		}
		m.Constant = m.Constant && rounded == first
		m.Rows++
		switch v.V {
		case 1:
			m.AtOne++
		case 0:
			m.AtZero++
		}
	}
	for i, s := range sums {
		m.Tasks[i].Mean, m.Tasks[i].N = s.total/float64(s.n), s.n
	}
	return m
}

// metricsOf reads pass_at_1 and every marker.
func metricsOf(rows []row) []stats.Metric {
	names := map[string]bool{}
	for _, r := range rows {
		if markers, ok := r["markers"].(row); ok {
			for name := range markers {
				names["marker:"+name] = true
			}
		}
	}
	out := []stats.Metric{metricOf(rows, stats.MetricPassAt1)}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		out = append(out, metricOf(rows, name))
	}
	return out
}

// partsBy splits rows by a key, in first-seen order; rows without one are
// counted.
func partsBy(rows []row, key func(row) string) (parts []stats.Part, unkeyed int) {
	byKey := map[string][]row{}
	var order []string
	for _, r := range rows {
		k := key(r)
		if k == "" {
			unkeyed++
			continue
		}
		if _, seen := byKey[k]; !seen {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], r)
	}
	for _, k := range order {
		parts = append(parts, stats.Part{Label: k, Metrics: metricsOf(byKey[k])})
	}
	return parts, unkeyed
}

func evalRun(r row) string {
	lineage, _ := r["lineage"].(row)
	return text(lineage["eval_run"])
}

// runKey is lineage.eval_run, else lineage.scoring_run_id.
func runKey(r row) string {
	lineage, _ := r["lineage"].(row)
	return cmp.Or(evalRun(r), text(lineage["scoring_run_id"]))
}

// runsOf reads a list of row lists, one run each.
func runsOf(v any, label string) []stats.Part {
	var out []stats.Part
	for i, rows := range v.([]any) {
		out = append(out, stats.Part{Label: label + strconv.Itoa(i+1), Metrics: metricsOf(rowsOf(rows))})
	}
	return out
}

// sideOf reads one side of a delta report.
func sideOf(rows []row) stats.Side {
	s := stats.Side{Metrics: metricsOf(rows)}
	s.EvalRuns, _ = partsBy(rows, evalRun)
	for _, field := range []string{"category", "slice"} {
		parts, _ := partsBy(rows, func(r row) string { return text(r[field]) })
		if parts != nil {
			s.Slices = append(s.Slices, stats.Slicing{Field: field, Parts: parts})
		}
	}
	s.Config.Counts.Rows = len(rows)
	k := math.MaxInt
	for _, t := range s.Metrics[0].Tasks {
		k = min(k, t.N)
	}
	if len(s.Metrics[0].Tasks) > 0 {
		s.Config.K = k
	}
	s.Config.Tasks = len(s.Metrics[0].Tasks)
	for _, r := range rows {
		if graded(r).Valid {
			s.Config.Counts.Graded++
		}
	}
	return s
}

// trustRows reads rows with labels; gold in gold_reward.
func trustRows(rows []row) []stats.TrustRow {
	var out []stats.TrustRow
	for _, r := range rows {
		t := stats.TrustRow{
			Task: taskKey(r), Judge: readerA(r["reward"]), Gold: readerA(r["gold_reward"]),
			Strict: stats.LabelPair{Judge: readerC(r["reward"]), Gold: readerC(r["gold_reward"]), GoldKind: text(r["gold_kind"])},
		}
		if t.Judge == stats.NoLabel {
			t.Reward = number(r["reward"])
		}
		if n := number(r["reply_length"]); n.Valid {
			t.Length = int(n.V)
		}
		out = append(out, t)
	}
	return out
}

func klRows(rows, refs []row, byKey bool) []stats.KLRow {
	ref := map[string]stats.Null[float64]{}
	for _, r := range refs {
		if _, seen := ref[rowKey(r)]; !seen {
			ref[rowKey(r)] = number(r["logprob"])
		}
	}
	var out []stats.KLRow
	for _, r := range rows {
		k := stats.KLRow{Task: taskKey(r), Logprob: number(r["logprob"]), Ref: number(r["ref_logprob"]), Tokens: tokens(r)}
		if byKey {
			k.Ref = ref[rowKey(r)]
		}
		out = append(out, k)
	}
	return out
}

func tokens(r row) int {
	n, ok := r["n_tokens"].(json.Number)
	if !ok {
		return 0
	}
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return int(i)
}
