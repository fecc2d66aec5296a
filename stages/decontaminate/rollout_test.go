package decontaminate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

const (
	question = "How many crates of green pears did the very tired postman carry over the north pier on Monday?"
	gold     = "The treaty was signed in the small chapel of the harbour master, and nobody but the cook was there."
)

// conversation is a rollout in which the texts stand where they are told to.
func conversation(user, call, result, reply string) rollout.Row {
	return rollout.Row{
		Pos: rollout.Pos{Record: 1}, TaskID: "t1", Prompt: "Please help me with this.", FinalText: "Done, as you asked.",
		Messages: []rollout.Message{
			{Role: rollout.RoleSystem, Content: "You are a helpful clerk."},
			{Role: rollout.RoleUser, Content: "Please help me with this."},
			{Role: rollout.RoleAssistant, Content: reply, ToolCalls: []rollout.ToolCall{{Name: "get", Arguments: `{"n":1}`}, {Name: "find", Arguments: call}}},
			{Role: rollout.RoleTool, Content: result},
			{Role: rollout.RoleUser, Content: user},
			{Role: rollout.RoleAssistant, Content: "Done, as you asked."},
		},
	}
}

func rolloutIndex(t testing.TB) *Index {
	return build(t, Config{N: []int{4}, Words: Unicode}, Set{Name: "eval", Items: []Item{
		{ID: "pears", TaskID: "t9", Texts: []Text{{Question, question}, {Answer, gold}}},
	}})
}

// A match says in which message it stands, and which bytes of it are what of the
// item. A gold answer is found that stands in a tool result alone.
func TestPlaces(t *testing.T) {
	x := rolloutIndex(t)
	around := func(text string) string { return "Well — now “read” this: " + text + " That is all." }
	for _, c := range []struct {
		name  string
		row   rollout.Row
		parts Parts
		want  string // place of the match
		part  Part
	}{
		{"later user turn", conversation(around(question), "{}", "ok", "Sure."), AllParts, "messages.4 (user)", Question},
		{"tool result", conversation("Thanks.", "{}", around(gold), "Sure."), AllParts, "messages.3 (tool)", Answer},
		{"tool arguments", conversation("Thanks.", `{"q":"`+question+`"}`, "ok", "Sure."), AllParts, "messages.2.tool_calls.1", Question},
		{"assistant", conversation("Thanks.", "{}", "ok", around(gold)), AllParts, "messages.2 (assistant)", Answer},
		{"tool result, not compared", conversation("Thanks.", "{}", around(gold), "Sure."), AllParts &^ ToolResults, "", 0},
		{"upper case, wrapped", conversation(strings.ToUpper(strings.ReplaceAll(question, " ", "\n")), "{}", "ok", "Sure."), User, "messages.4 (user)", Question},
		{"nowhere", conversation("Thanks.", "{}", "ok", "Sure."), AllParts, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := x.NewChecker(c.parts, Windowed{}).Row(&c.row)
			if c.want == "" {
				if len(found) > 0 {
					t.Fatalf("found %+v", found)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("found %+v", found)
			}
			f := found[0]
			location, text := x.TextAt(f.Text)
			if f.Place.String() != c.want || location != (Location{"eval", "pears", c.part, "t9"}) {
				t.Errorf("%s is %+v, want %s and %v", f.Place, location, c.want, c.part)
			}
			here := f.Place.textOf(&c.row)[f.Start:f.End]
			if got, want := wordsOf(Unicode, here), wordsOf(Unicode, text); !slices.Equal(got, want) {
				t.Errorf("bytes hold %q", here)
			}
			if f.ItemStart != 0 || f.ItemEnd != len(text)-1 { // without its last mark
				t.Errorf("bytes %d to %d of the item of %d", f.ItemStart, f.ItemEnd, len(text))
			}
		})
	}
}

// A text that is a field and a message is compared once.
func TestSameTextOnce(t *testing.T) {
	row := conversation("Thanks.", "{}", "ok", "Sure.")
	row.Prompt, row.Messages[1].Content = question, question
	row.FinalText, row.Messages[5].Content = gold, gold
	var places []string
	for _, f := range rolloutIndex(t).NewChecker(AllParts, Windowed{}).Row(&row) {
		places = append(places, f.Place.String())
	}
	if want := []string{"prompt", "final_text"}; !slices.Equal(places, want) {
		t.Errorf("found in %v, want %v", places, want)
	}
}

func TestParseParts(t *testing.T) {
	for text, want := range map[string]Parts{"prompt": Prompt, "user,tool_results": User | ToolResults, "all": AllParts, "system,all": AllParts} {
		if got, err := ParseParts(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "prompts", "user,", "user, system"} {
		if _, err := ParseParts(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if got := (User | ToolArguments).String(); got != "user,tool_arguments" {
		t.Error(got)
	}
}

// streamRows are rows of which every third holds an item of the set.
func streamRows(set Set, rows int) []rollout.Row {
	list := make([]rollout.Row, rows)
	for i := range list {
		list[i] = conversation("Thanks.", "{}", benchText(60, uint64(5e6+i)), "Sure.")
		list[i].Pos.Record = int64(i + 1)
		list[i].TaskID = fmt.Sprint("train", i)
		if i%3 == 0 {
			text := set.Items[i%len(set.Items)].Texts[0].Text
			list[i].Messages[3+i%2].Content = benchText(25, uint64(i)) + " " + text
		}
	}
	return list
}

// The same rows, report and matches come out for any number of workers and any
// size of batches.
func TestSameForAnyNumberOfWorkers(t *testing.T) {
	defer goleak.VerifyNone(t)
	sets := sampleSets(600)
	x := build(t, Config{N: []int{4, 8}, Words: Unicode}, sets...)
	o := Options{Rules: []Rule{Windowed{}, Any(8)}, Matches: true, Boilerplate: x.Boilerplate(30)}
	var first string
	for _, c := range []struct{ workers, items int }{{1, 1000}, {2, 7}, {8, 1}, {8, 64}} {
		tally := NewTally(x, o)
		rows, _, err := stream.Collect(context.Background(), stream.Through(stream.FromSlice(streamRows(sets[1], 300), stream.Items(c.items)), Stage(x, o, c.workers, tally)))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		flagged := 0
		for i := range rows {
			out.Write(rows[i].AppendJSON(nil))
			if rows[i].Gate != "" {
				flagged++
			}
		}
		report, err := json.Marshal(tally.Report())
		if err != nil {
			t.Fatal(err)
		}
		out.Write(report)
		if r := tally.Report(); r.Rows != 300 || r.Kept+r.Flagged != 300 || int(r.Flagged) != flagged || flagged < 100 || flagged > 130 {
			t.Errorf("in %d = %d + %d, %d ended at the gate", r.Rows, r.Kept, r.Flagged, flagged)
		}
		if first == "" {
			first = out.String()
		} else if out.String() != first {
			t.Errorf("%d workers, batches of %d: other bytes", c.workers, c.items)
		}
	}
}

// A row that is flagged ends at the gate and says why; one that ended at a gate
// before stays there.
func TestMark(t *testing.T) {
	x := rolloutIndex(t)
	rows := []rollout.Row{conversation(question, "{}", "ok", "Sure."), conversation(question, "{}", "ok", "Sure."), conversation("no", "{}", "ok", "Sure.")}
	rows[1].Gate, rows[1].Gates = "junk", []rollout.Finding{{Gate: "junk", Code: "cut"}}
	out, _, err := stream.Collect(context.Background(), stream.Through(stream.FromSlice(rows), Stage(x, Options{Matches: true}, 1, nil)))
	if err != nil {
		t.Fatal(err)
	}
	want := rollout.Finding{Gate: "decontaminate", Code: "windowed", Detail: fmt.Sprintf("exact 1.000: bytes 0 to %d of messages.4 (user) are question of item pears of eval", len(question)-1)}
	if out[0].Gate != GateName || len(out[0].Gates) != 1 || out[0].Gates[0] != want {
		t.Errorf("%q %+v", out[0].Gate, out[0].Gates)
	}
	if out[1].Gate != "junk" || len(out[1].Gates) != 2 || out[1].Gates[1] != want {
		t.Errorf("%q %+v", out[1].Gate, out[1].Gates)
	}
	if out[2].Gate != "" || len(out[2].Gates) != 0 || out[2].Changed() != 0 {
		t.Errorf("%q %+v", out[2].Gate, out[2].Gates)
	}
	var matches []map[string]any
	if json, there := memberOf(&out[0], MatchesMember); !there || jsonUnmarshal(json, &matches) != nil || len(matches) != 1 ||
		matches[0]["role"] != "user" || matches[0]["message"] != 4.0 || matches[0]["item"] != "pears" || matches[0]["words"] != matches[0]["of"] {
		t.Errorf("matches %v", matches)
	}
}

func jsonUnmarshal(text string, into any) error { return json.Unmarshal([]byte(text), into) }

func TestSameTask(t *testing.T) {
	x := rolloutIndex(t)
	row := conversation("hi", "{}", "ok", "Sure.")
	row.TaskID = "t9"
	tally := NewTally(x, Options{Rules: []Rule{Default80{Grams: 4}}})
	c := Options{Rules: []Rule{Default80{Grams: 4}}}.Checker(x)
	tally.Add(&row, c, c.Row(&row))
	r := tally.Report()
	if r.Flagged != 1 || r.Rules[0].Kinds[0] != (NameCount{SameTask, 1}) || r.Sets[0].ByRule[0].ItemsHit != 1 || len(r.Skipped) != 0 || r.First[0].Item.Item != "pears" {
		t.Errorf("%+v", r)
	}
	row.TaskID = ""
	tally = NewTally(x, Options{Rules: []Rule{Default80{Grams: 4}}})
	tally.Add(&row, c, c.Row(&row))
	if r := tally.Report(); r.Flagged != 0 || len(r.Skipped) != 1 || r.Skipped[0].Rule != SameTask {
		t.Errorf("skipped %+v", r.Skipped)
	}
}

// Five ways in which a prompt cannot be compared are five counts, and they add up.
func TestPromptStates(t *testing.T) {
	x := rolloutIndex(t)
	var records []json.RawMessage
	for _, r := range []string{
		`{"prompt":"four words that are here"}`, `{"prompt":["a list"]}`, `{"prompt":{"a":1}}`, `{"prompt":true}`, `{"reward":1}`, `{"prompt":null}`,
		`{"prompt":""}`, `{"prompt":" ... "}`, `{"prompt":"three words only"}`, `{"question":"one that stands under another name"}`, `{"prompt":4017}`,
	} {
		records = append(records, json.RawMessage(r))
	}
	rows := decode(t, records)
	tally := NewTally(x, Options{Parts: Prompt})
	c := Options{Parts: Prompt}.Checker(x)
	for i := range rows {
		tally.Add(&rows[i], c, c.Row(&rows[i]))
	}
	want := States{Usable: 2, Malformed: 3, Missing: 1, Null: 1, Empty: 2, TooShort: 2}
	if got := *tally.Report().Prompts; got != want || got.Total() != int64(len(rows)) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// N-grams that many tasks of the input have are no evidence; those of one task
// that has many rows are.
func TestTaskCounts(t *testing.T) {
	x := rolloutIndex(t)
	var rows []rollout.Row
	for i := range 12 {
		row := conversation("Say, how many crates of green pears did the clerk see?", "{}", "ok", "Sure.")
		row.TaskID = fmt.Sprint("t", i)
		if i >= 6 {
			row = conversation(gold, "{}", "ok", "Sure.")
			row.TaskID = "one"
		}
		rows = append(rows, row)
	}
	counts := x.NewTaskCounts(AllParts, 5)
	counts.Add(rows[:5])
	other := x.NewTaskCounts(AllParts, 5)
	other.Add(rows[4:])
	other.Merge(counts)
	b := x.Boilerplate(0)
	b.AddTasks(other)
	d := b.Report()[0]
	if d.Tasks != 5 || d.Grams != 5 || d.Items != 0 || !slices.Contains(d.Common, "how many crates of") {
		t.Errorf("%+v", d)
	}
	e := x.NewScanner()
	e.Discount(b)
	if got := e.Scan("how many crates of green pears did the clerk see").Discounted(); got != 5 {
		t.Errorf("%d discounted", got)
	}
	if got := e.Scan(gold); len(got.Runs(4)) != 1 {
		t.Errorf("%+v", got.Runs(4))
	}
}

// What finds nothing allocates nothing.
func TestMissesDoNotAllocate(t *testing.T) {
	x := build(t, Config{N: []int{4, 8}, Words: Unicode}, sampleSets(500)...)
	row := conversation("Naïve words — that \u201cnobody\u201d knows, über alles.", "{}", strings.Repeat("zzyzx qwrt plgh ", 500), "Sure.")
	row.TaskID = "none of them"
	c := x.NewChecker(AllParts, Windowed{}, Default80{}, Any(8))
	if n := testing.AllocsPerRun(20, func() {
		if len(c.Row(&row)) > 0 {
			t.Fatal("found something")
		}
	}); n > 0 {
		t.Errorf("%v allocations a row", n)
	}
}

// One line of 50 MB is a text as any other.
func TestHugeText(t *testing.T) {
	x := rolloutIndex(t)
	row := rollout.Row{Prompt: strings.Repeat("lorem ipsum dolor sit amet ", 1_850_000) + question + strings.Repeat(" x", 100)}
	if len(row.Prompt) < 49_000_000 {
		t.Fatal(len(row.Prompt))
	}
	found := x.NewChecker(Prompt, Windowed{}).Row(&row)
	if len(found) != 1 || row.Prompt[found[0].Start:found[0].End] != strings.TrimSuffix(question, "?") {
		t.Errorf("%+v", found)
	}
}

func TestScripts(t *testing.T) {
	items := []string{
		"Сколько ящиков зелёных груш перенёс очень усталый почтальон через северный пирс в понедельник?",
		"疲れた郵便配達員は月曜日に北の桟橋を越えて緑色の梨をいくつ運びましたか",
		"Wie viele Kisten grüner Birnen trug der müde Briefträger am Montag über die nördliche Mole?",
		"Run 🏃🏽‍♀️ to the café and buy four naïve crêpes for the fiancée before the soirée begins tonight!",
	}
	x := build(t, Config{N: []int{4}, Words: Unicode}, textSet("e", items...))
	s := x.NewScanner()
	for i, item := range items {
		for name, text := range map[string]string{
			"upper case": strings.ToUpper(item), "decomposed": decomposed(item), "within": "\xff\xfe " + item + " \xc3", "verbatim": item,
		} {
			m := Windowed{}.Judge(s.Scan(text), nil)
			if len(m) != 1 || m[0].Text != i || m[0].Score < 0.99 {
				t.Errorf("%s of %q: %+v", name, item, m)
			}
		}
	}
	ascii := build(t, Config{}, textSet("e", append(items, "some words in ASCII")...))
	if got := ascii.sets[0].States; got.Empty != 2 {
		t.Errorf("under the ASCII rule %+v", got)
	}
}
