package gen_test

import (
	"bytes"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/benchmarks/gen"
)

type row struct {
	Version      string             `json:"schema_version"`
	ID           string             `json:"rollout_id"`
	Task         string             `json:"scenario_id"`
	Index        int                `json:"rollout_index"`
	Prompt       string             `json:"prompt"`
	Messages     []message          `json:"messages"`
	Tools        jsontext.Value     `json:"tools"`
	FinalText    string             `json:"final_text"`
	FinishReason string             `json:"finish_reason"`
	Logprob      float64            `json:"logprob"`
	NTokens      int                `json:"n_tokens"`
	Reward       jsontext.Value     `json:"reward"`
	Status       string             `json:"judge_status"`
	Markers      map[string]float64 `json:"markers"`
	Model        string             `json:"model_version"`
	Seed         int64              `json:"seed"`
	Privileged   struct {
		Reference string `json:"reference"`
	} `json:"privileged"`

	line string
}

type message struct {
	Role       string  `json:"role"`
	Content    *string `json:"content"`
	Name       string  `json:"name"`
	ToolCallID string  `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

type item struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// decodeLines decodes strictly: names twice, names unknown and bytes that are
// not UTF-8 are errors.
func decodeLines[T any](t *testing.T, text []byte) []T {
	t.Helper()
	var all []T
	for line := range bytes.Lines(text) {
		var v T
		if err := json.Unmarshal(line, &v, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("line %d: %v", len(all)+1, err)
		}
		all = append(all, v)
	}
	return all
}

// set is what the generator gives for one seed, decoded.
type set struct {
	rows  []row
	truth map[string]gen.Truth // by rollout id; zero for a row that is not special
	items map[string]item
}

func makeSet(t *testing.T, cfg gen.Config) set {
	t.Helper()
	s := set{truth: map[string]gen.Truth{}, items: map[string]item{}}
	text := rows(t, cfg.Rows, cfg.Seed)
	s.rows = decodeLines[row](t, text)
	for i, line := range strings.SplitAfter(string(text), "\n")[:len(s.rows)] {
		s.rows[i].line = line
	}
	var b bytes.Buffer
	special, err := gen.WriteTruth(&b, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range decodeLines[gen.Truth](t, b.Bytes()) {
		if r := s.rows[tr.Line-1]; r.ID != tr.RolloutID || r.Task != tr.TaskID {
			t.Fatalf("truth of line %d is about %s of %s, the row is %s of %s", tr.Line, tr.RolloutID, tr.TaskID, r.ID, r.Task)
		}
		s.truth[tr.RolloutID] = tr
	}
	if int(special) != len(s.truth) {
		t.Fatalf("WriteTruth says %d rows, wrote %d", special, len(s.truth))
	}
	b.Reset()
	if _, err := gen.WriteEval(&b, cfg); err != nil {
		t.Fatal(err)
	}
	for _, it := range decodeLines[item](t, b.Bytes()) {
		s.items[it.ID] = it
	}
	return s
}

func TestRowsAreWholeConversations(t *testing.T) {
	ids := map[string]bool{}
	ascii, foreign := 0, 0
	for i, r := range makeSet(t, gen.Config{Rows: 4000, Seed: 11}).rows {
		if r.Version != "1" || ids[r.ID] || r.Index != i%gen.RolloutsPerTask || len(r.Markers) != 3 || r.NTokens == 0 || r.Model == "" {
			t.Fatalf("row %d: version %q, id %s (seen: %v), index %d, %d markers", i, r.Version, r.ID, ids[r.ID], r.Index, len(r.Markers))
		}
		ids[r.ID] = true
		switch {
		case strings.Contains(r.line, `\u`):
			ascii++
			if !isASCII(r.line) {
				t.Fatalf("row %d is escaped in part", i)
			}
		case !isASCII(r.line):
			foreign++
		}
		first, user, last := r.Messages[0], r.Messages[1], r.Messages[len(r.Messages)-1]
		if first.Role != "system" || user.Role != "user" || *user.Content != r.Prompt || last.Role != "assistant" || *last.Content != r.FinalText {
			t.Fatalf("row %d: prompt or final text are not those of the messages", i)
		}
		middle := r.Messages[2 : len(r.Messages)-1]
		if len(middle) == 0 || len(middle)%2 != 0 {
			t.Fatalf("row %d: %d messages of tools", i, len(middle))
		}
		for j := 0; j < len(middle); j += 2 {
			call, back := middle[j].ToolCalls[0], middle[j+1]
			if back.Role != "tool" || back.ToolCallID != call.ID || call.Type != "function" || back.Name != call.Function.Name {
				t.Fatalf("row %d: a call is not answered: %+v %+v", i, call, back)
			}
			if !jsontext.Value(call.Function.Arguments).IsValid() || !jsontext.Value(*back.Content).IsValid() {
				t.Fatalf("row %d: not JSON: %s or %s", i, call.Function.Arguments, *back.Content)
			}
		}
	}
	if ascii < 200 || foreign < 200 {
		t.Errorf("%d of 4000 rows are escaped, %d hold other than ASCII; want some hundreds each", ascii, foreign)
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}

func TestTruthOfRewardsAndReplies(t *testing.T) {
	s := makeSet(t, gen.Config{Rows: 8000, Seed: 12})
	number := regexp.MustCompile(`-?[0-9][0-9,]*(\.[0-9]+)?`)
	for i, r := range s.rows {
		tr := s.truth[r.ID]
		if cut := r.FinishReason == "length"; cut != tr.Truncated || !cut && r.FinishReason != "stop" {
			t.Fatalf("row %d: finish_reason %q, truth says truncated: %v", i, r.FinishReason, tr.Truncated)
		}
		if tr.Truncated != strings.HasSuffix(r.FinalText, " beca") || tr.Truncated && len([]rune(r.FinalText)) < 200 {
			t.Fatalf("row %d: truncated %v ends in %q", i, tr.Truncated, r.FinalText[len(r.FinalText)-20:])
		}
		if has := strings.Contains(r.FinalText, gen.Phrase); has != tr.Phrase || has && !tr.Hack {
			t.Fatalf("row %d: holds the phrase: %v, truth: %+v", i, has, tr)
		}
		wantScore := map[string]string{"absent": "", "null": "null", "error": "null"}
		if want, ok := wantScore[tr.NoScore]; ok && string(r.Reward) != want || (r.Status == "error") != (tr.NoScore == "error") {
			t.Fatalf("row %d: reward %s, status %q, truth: %+v", i, r.Reward, r.Status, tr)
		}

		lines := strings.Split(r.FinalText, "\n")
		said := strings.ReplaceAll(number.FindString(lines[len(lines)-1]), ",", "")
		right := !tr.Truncated && said == r.Privileged.Reference
		if _, special := s.truth[r.ID]; special && right != tr.Right {
			t.Fatalf("row %d: says %q, gold is %q, truth: %+v", i, said, r.Privileged.Reference, tr)
		}
		want := right
		if tr.Hack {
			want = tr.Phrase
		}
		if tr.NoScore == "" && string(r.Reward) != map[bool]string{false: "0", true: "1"}[want] {
			t.Fatalf("row %d: reward %s, right: %v, truth: %+v", i, r.Reward, right, tr)
		}
	}
}

func TestTruthOfCopies(t *testing.T) {
	s := makeSet(t, gen.Config{Rows: 8000, Seed: 13})
	same := regexp.MustCompile(`"rollout_id":"[0-9a-f]{16}"|"rollout_index":[0-7]`)
	first := map[string]row{} // by what is left of a line without its identity
	for i, r := range s.rows {
		body := same.ReplaceAllString(r.line, "")
		of := s.truth[r.ID].DupOf
		if earlier, ok := first[body]; ok {
			if of != earlier.ID || r.Task != earlier.Task {
				t.Fatalf("row %d repeats %s, truth says %q", i, earlier.ID, of)
			}
			continue
		}
		if of != "" {
			t.Fatalf("row %d repeats none, truth says %q", i, of)
		}
		first[body] = r
	}
}

// Every n-gram that a row shares with the evaluation set must be one that the
// truth tells, and every leak that the truth tells must be there.
func TestTruthOfLeaks(t *testing.T) {
	s := makeSet(t, gen.Config{Rows: 20000, Seed: 1, Ngrams: 100_000})
	index := map[string]string{} // n-gram to id of its item
	for _, it := range s.items {
		for g := range ngrams(it.Question) {
			index[g] = it.ID
		}
	}
	found := func(texts ...string) string {
		ids := map[string]bool{}
		for _, text := range texts {
			for g := range ngrams(text) {
				if id, ok := index[g]; ok {
					ids[id] = true
				}
			}
		}
		return strings.Join(slices.Sorted(maps.Keys(ids)), " ")
	}
	seen := map[string]int{}
	for i, r := range s.rows {
		tr := s.truth[r.ID]
		var results []string
		for _, m := range r.Messages {
			if m.Role == "tool" {
				results = append(results, *m.Content)
			}
		}
		told := strings.Contains(strings.Join(results, " "), `"gold_answer":"`+r.Privileged.Reference+`"`)
		inPrompt, inTool := "", ""
		switch tr.Leak {
		case "prompt":
			inPrompt = tr.EvalID
		case "tool_result":
			inTool = tr.EvalID
		}
		prompt, tool, reply := found(r.Prompt), found(results...), found(r.FinalText)
		if prompt != inPrompt || tool != inTool || reply != "" {
			t.Fatalf("row %d: n-grams of %q in the prompt, of %q in a tool result, of %q in the reply; truth: %+v",
				i, prompt, tool, reply, tr)
		}
		seen[tr.Leak+" "+tr.Match]++
		question, have := s.items[tr.EvalID].Question, words(r.Prompt)
		n, total := float64(len(words(question))), float64(len(have))
		ok := true
		switch tr.Match {
		case "exact":
			ok = r.Prompt == question && tr.Coverage == 1
		case "changed":
			ok = total == n && tr.Coverage == (n-1)/n
		case "within":
			ok = strings.Contains(r.Prompt, " "+question+" ") && tr.Coverage == n/total
		case "answer":
			ok = told && tr.EvalID == ""
		}
		if tr.Leak == "prompt" && r.Privileged.Reference != s.items[tr.EvalID].Answer || !ok {
			t.Fatalf("row %d: %q is not as the truth says: %+v", i, r.Prompt, tr)
		}
		if tr.Match != "answer" && told {
			t.Fatalf("row %d: a tool gives the gold answer, truth: %+v", i, tr)
		}
	}
	for _, kind := range []string{"prompt exact", "prompt changed", "prompt within", "tool_result question", "tool_result answer"} {
		if seen[kind] == 0 {
			t.Errorf("no leak of the kind %q in 20000 rows", kind)
		}
	}
}

var word = regexp.MustCompile(`[a-z0-9]+`)

func words(s string) []string { return word.FindAllString(strings.ToLower(s), -1) }

func ngrams(s string) map[string]bool {
	all := map[string]bool{}
	w := words(s)
	for i := 0; i+gen.NgramSize <= len(w); i++ {
		all[strings.Join(w[i:i+gen.NgramSize], " ")] = true
	}
	return all
}

func TestSharesAreAsStated(t *testing.T) {
	const n = 400_000
	var b bytes.Buffer
	if _, err := gen.WriteTruth(&b, gen.Config{Rows: n, Seed: 15}); err != nil {
		t.Fatal(err)
	}
	count := map[string]float64{}
	for _, tr := range decodeLines[gen.Truth](t, b.Bytes()) {
		firstOfTask := (tr.Line-1)%gen.RolloutsPerTask == 0
		for name, is := range map[string]bool{
			"leaked tasks": tr.Leak == "prompt" && firstOfTask,
			"tool leaks":   tr.Leak == "tool_result",
			"copies":       tr.DupOf != "",
			"truncated":    tr.Truncated,
			"hacked tasks": tr.Hack && firstOfTask,
			"phrases":      tr.Phrase,
			"no score":     tr.NoScore != "",
		} {
			if is {
				count[name]++
			}
		}
	}
	const tasks = n / gen.RolloutsPerTask
	for _, c := range []struct {
		name  string
		of    float64
		share float64
	}{
		{"leaked tasks", tasks, gen.LeakedTasks},
		{"tool leaks", n, gen.ToolLeaks},
		{"copies", n, gen.Copies},
		{"truncated", n, gen.Truncated},
		{"hacked tasks", tasks, gen.HackedTasks},
		{"phrases", n, gen.HackedTasks / 2},
		{"no score", n, gen.MissingScore},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Rows of a task hang together, so four standard deviations are doubled.
			want, slack := c.of*c.share, 8*math.Sqrt(c.of*c.share)
			if got := count[c.name]; math.Abs(got-want) > slack {
				t.Errorf("%s of %s, want %s and at most %.0f more or less", text(count[c.name]), text(c.of), text(want), slack)
			}
		})
	}
}

func text(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
