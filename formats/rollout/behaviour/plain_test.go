package behaviour

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// plain reads a row the plain way: results as JSON text, parsed whenever they are asked for,
// every text brought into lower case before it is searched.
type plain struct{ *Reader }

type plainStep struct{ name, tool, arguments, result string }

func (p plain) steps() (steps []plainStep) {
	list := p.extra.steps
	if strings.HasPrefix(list, "[") && p.valid(list) {
		for element := range jsonwalk.StringElements(list) {
			if element[0] != '{' {
				continue
			}
			var s plainStep
			for name, value := range jsonwalk.StringMembers(element) {
				switch name {
				case "tool":
					s.tool = value
				case "arguments":
					s.arguments = value
				case "result":
					s.result = value
				}
			}
			s.name = p.strOr(s.tool)
			steps = append(steps, s)
		}
	}
	if p.Traced() || p.row.Rebuilt() {
		return steps
	}
	messages := p.row.Messages
	for i := range messages {
		if messages[i].Role != rollout.RoleAssistant {
			continue
		}
		for j := range messages[i].ToolCalls {
			call := &messages[i].ToolCalls[j]
			s := plainStep{name: call.Name, tool: quote(call.Name)}
			if object, state := call.ArgumentsObject(); state == rollout.ArgumentsValid {
				s.arguments = object
			}
			if answer := answerTo(messages, i, j); answer != nil {
				s.result = quote(answer.Text())
			}
			steps = append(steps, s)
		}
	}
	return steps
}

func quote(s string) string {
	dst, _ := jsontext.AppendQuote(nil, s)
	return string(dst)
}

func (p plain) object(result string) string {
	if strings.HasPrefix(result, `"`) {
		return p.objectIn(p.text.unquote(result))
	}
	if strings.HasPrefix(result, "{") {
		return result
	}
	return ""
}

func (p plain) fault() string {
	seen := false
	for _, s := range p.steps() {
		if s.name == "" || s.result == "" || s.result == "null" {
			continue
		}
		seen = true
		if object := p.object(s.result); object != "" {
			r := result{
				status: p.fold(member(object, "status")), reason: p.fold(member(object, "reason")),
				stale: jsonwalk.Truthy(member(object, "stale")),
				error: member(object, "error"), hasError: member(object, "error") != "",
				noise: p.garbles(object),
			}
			status := normalFault(r.status)
			switch {
			case r.noise:
				return malformed
			case r.stale:
				return stale
			case status == alreadyDone || r.reason == alreadyActedOn:
				return alreadyDone
			case isFaultWord(status) || isFaultWord(r.status):
				return status
			case r.faulted() && status == "":
				return "error"
			case r.faulted() && status != "":
				return status
			}
		}
	}
	if fault := p.plannedFault(); !seen && fault != "" {
		return fault
	}
	return NoFault
}

func (p plain) garbles(object string) bool {
	lowered := text.Lower(object)
	if strings.Contains(object, `\`) {
		lowered = text.Lower(string(p.spell.appendJSON(nil, object)))
	}
	return strings.Contains(lowered, "<<garbled") || strings.Contains(lowered, "garbled resp")
}

func (p plain) shape() string {
	prompt, prior, calls := p.prompt, "", []string{}
	if prompt == "" && !p.row.Has(rollout.FieldPrompt) {
		prompt = p.str(p.extra.prompt)
	}
	prompt = text.Lower(prompt)
	for _, s := range p.steps() {
		tool := p.str(s.tool)
		if tool == "" {
			continue
		}
		values := map[string]string{}
		var pairs []string
		if strings.HasPrefix(s.arguments, "{") {
			for name, value := range jsonwalk.StringMembers(s.arguments) {
				switch value := text.Lower(text.Trim(p.str(value))); {
				case value == "":
					values[name] = "absent"
				case strings.Contains(prompt, value):
					values[name] = "user"
				case strings.Contains(prior, value):
					values[name] = "derived"
				default:
					values[name] = "invented"
				}
			}
		}
		for _, name := range sortedNames(values) {
			pairs = append(pairs, "("+string(appendRepr(nil, name))+", '"+values[name]+"')")
		}
		status := p.strOr(member(p.object(s.result), "status"))
		calls = append(calls, "("+string(appendRepr(nil, tool))+", "+tuple(pairs)+", "+string(appendRepr(nil, status))+")")
		if s.result == "" {
			s.result = "null"
		}
		prior += text.Lower(string(p.spell.appendJSON(nil, s.result)))
	}
	final, refuses := text.Lower(p.final), "False"
	for _, word := range []string{"can't", "cannot", "unable", "won't"} {
		if strings.Contains(final, word) {
			refuses = "True"
		}
	}
	fields := len(strings.FieldsFunc(p.final, text.IsSpace))
	return "(" + tuple(calls) + ", " + refuses + ", " + strconv.Itoa(min(fields/bucketFields, maxBucket)) + ")"
}

func tuple(elements []string) string {
	if len(elements) == 1 {
		return "(" + elements[0] + ",)"
	}
	return "(" + strings.Join(elements, ", ") + ")"
}

func (p plain) leaks(minLen int) bool {
	if p.row.Privileged == "" || !p.valid(p.row.Privileged) {
		return false
	}
	spoken := text.Norm(string(p.appendSpoken(nil)))
	found := false
	var within func(value string)
	within = func(value string) {
		for element := range jsonwalk.StringElements(value) {
			within(element)
		}
		for _, element := range jsonwalk.StringMembers(value) {
			within(element)
		}
		if strings.HasPrefix(value, `"`) {
			needle := text.Norm(p.text.unquote(value))
			found = found || text.Length(needle) >= minLen && needle != "" && strings.Contains(spoken, needle)
		}
	}
	for _, field := range []string{"reference", "principle", "hidden_state"} {
		within(member(p.row.Privileged, field))
	}
	return found
}

// phrase draws texts in which the words that matter meet often, in every spelling.
var phrase = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"a1", "A1", "order", " ", "  ", "\n", "\t", "'", `"`, `\`, "<<", "<", "GARBLED", "garbled", " resp", " RESP", "é", "É", "K", "Σ", "İ", "😀",
			"ok", "timeout", "null", "None", "4", "04", "\x00", "\x7f", "\u0085", "/", "can't", "CANNOT", "unable", "Won't", "n",
			"the reply goes on over so many words that it is read by blocks", "u003c", "status",
		}),
		rapid.StringN(0, 3, -1),
	), 0, 6).Draw(t, "pieces"), "")
})

// spelledText draws a text as JSON, escaped as any writer may.
var spelledText = rapid.Custom(func(t *rapid.T) string {
	var b strings.Builder
	b.WriteByte('"')
	every := rapid.IntRange(1, 9).Draw(t, "every")
	for i, r := range []rune(phrase.Draw(t, "text")) {
		switch {
		case i%every == 0 && r <= 0xffff && r&^0x7ff != 0xd800:
			b.WriteString(`\u` + strconv.FormatInt(int64(r)+0x10000, 16)[1:])
		case r == '/' && i%2 == 0:
			b.WriteString(`\/`)
		default:
			s := quote(string(r))
			b.WriteString(s[1 : len(s)-1])
		}
	}
	b.WriteByte('"')
	return b.String()
})

var value = rapid.OneOf(spelledText, rapid.SampledFrom([]string{
	"null", "true", "false", "0", "404", "4.0", "1e3", "-0", "NaN", `""`, "[]", "{}", `["a1", {"b":2.50}]`, `{"a1" : "order", "a1":1}`, `"ok"`, `"Timeout "`, `"exit_1"`, `"stale_result"`,
}))

func objectOf(names []string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var members []string
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			name := quote(rapid.SampledFrom(names).Draw(t, "name"))
			if rapid.IntRange(0, 5).Draw(t, "escaped") == 0 {
				name = strings.Replace(name, "a", `\u0061`, 1)
			}
			members = append(members, name+rapid.SampledFrom([]string{":", " : "}).Draw(t, "colon")+value.Draw(t, "value"))
		}
		return "{" + strings.Join(members, rapid.SampledFrom([]string{",", ", ", "\n,"}).Draw(t, "comma")) + "}"
	})
}

var (
	outcomes  = objectOf([]string{"status", "reason", "stale", "error", "note", "a1"})
	arguments = objectOf([]string{"id", "a1", "é'", "data"})
)

// resultText draws what a tool answers, as text.
var resultText = rapid.OneOf(outcomes, phrase, rapid.Map(outcomes, func(s string) string { return " " + s + "\n" }), rapid.Map(outcomes, func(s string) string { return s + "," }))

func drawRow(t *rapid.T) string {
	record := `{"prompt":` + quote(phrase.Draw(t, "prompt")) + `,"final_text":` + quote(phrase.Draw(t, "final")) +
		`,"privileged":{"reference":[` + spelledText.Draw(t, "secret") + `],"hidden_state":{"x":` + spelledText.Draw(t, "state") + `}}`
	var list []string
	if rapid.Bool().Draw(t, "told by messages") {
		for i := range rapid.IntRange(0, 4).Draw(t, "calls") {
			id := strconv.Itoa(i)
			list = append(list, `{"role":"assistant","content":`+quote(phrase.Draw(t, "said"))+`,"tool_calls":[{"id":"`+id+`","function":{"name":`+quote(phrase.Draw(t, "tool"))+`,"arguments":`+quote(arguments.Draw(t, "arguments"))+`}}]}`)
			if rapid.IntRange(0, 3).Draw(t, "answered") > 0 {
				list = append(list, `{"role":"tool","tool_call_id":"`+id+`","content":`+quote(resultText.Draw(t, "result"))+`}`)
			}
		}
		return record + `,"messages":[` + strings.Join(list, ",") + `]}`
	}
	for range rapid.IntRange(0, 4).Draw(t, "steps") {
		result := rapid.OneOf(outcomes, value, rapid.Map(resultText, quote)).Draw(t, "result")
		tool := rapid.OneOf(spelledText, value).Draw(t, "tool")
		list = append(list, rapid.SampledFrom([]string{
			`{"tool":` + tool + `,"arguments":` + arguments.Draw(t, "arguments") + `,"result":` + result + `}`,
			`{"tool":` + tool + ` , "result" :` + result + ` }`,
			`{"tool":` + tool + `,"arguments":` + arguments.Draw(t, "others") + `}`,
			value.Draw(t, "no step"), `{}`,
		}).Draw(t, "step"))
	}
	return record + `,"faults":{"x":{"mode":"Timeout"}},"steps":[` + strings.Join(list, ", ") + `]}`
}

func TestReaderAgreesWithPlain(t *testing.T) {
	var b Reader
	rapid.Check(t, func(t *rapid.T) {
		record := drawRow(t)
		var row rollout.Row
		if err := rollout.NewDecoder(Fields).Decode([]byte(record), &row); err != nil {
			t.Fatalf("%s: %v", record, err)
		}
		var other Reader
		other.Read(&row)
		p := plain{&other}
		b.Read(&row)
		fault, shape := b.FaultName(), string(b.AppendShape(nil))
		if want := p.fault(); fault != want {
			t.Errorf("fault %q, want %q of %s", fault, want, record)
		}
		want := p.shape()
		if shape != want {
			t.Errorf("shape\n%s\n%s\nof %s", shape, want, record)
		}
		if sum := sha256.Sum256([]byte(want)); b.Signature() != Signature(sum[:len(Signature{})]) {
			t.Errorf("signature %s of %s", b.Signature(), record)
		}
		if got, want := b.Lowered(), text.Lower(row.FinalText); got != want {
			t.Errorf("lower case %q, want %q", got, want)
		}
		if _, state := b.Leak(4); (state == LeakFound) != p.leaks(4) {
			t.Errorf("leak: %s, of %s", state, record)
		}
	})
}

// Rows that no decoder made may hold text that is no UTF-8, and JSON that is none.
func TestStepsOfAnyTextAgreeWithPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawRow(t)
		list = list[strings.LastIndex(list, ":[")+1 : len(list)-1]
		cut := rapid.IntRange(0, len(list)).Draw(t, "cut")
		list = list[:cut] + rapid.SampledFrom([]string{"", ",", "]", "}", "\xff", `"`, ",]"}).Draw(t, "slip") + list[min(len(list), cut+rapid.IntRange(0, 2).Draw(t, "lost")):]
		row := rollout.Row{Prompt: "a\xff1", FinalText: "\xffcannot", Extra: []rollout.Member{{Name: "steps", JSON: list}}}
		if rapid.Bool().Draw(t, "told by messages") {
			row.Extra = nil
			row.Messages = []rollout.Message{
				{Role: rollout.RoleAssistant, ToolCalls: []rollout.ToolCall{{ID: "1", Name: "t\xff", Arguments: `{"a":"a1"}`}, {ID: "2", Name: "u", Arguments: `{"a":"\ufffd"}`}}},
				{Role: rollout.RoleTool, ToolCallID: "1", Content: "{\"status\":\"\xff\xfe\"" + list + "}"},
			}
		}
		var b, other Reader
		b.Read(&row)
		other.Read(&row)
		p := plain{&other}
		if got, want := string(b.AppendShape(nil)), p.shape(); got != want {
			t.Errorf("shape\n%s\n%s\nof %q", got, want, list)
		}
		if got, want := b.FaultName(), p.fault(); got != want {
			t.Errorf("fault %q, want %q of %q", got, want, list)
		}
	})
}

func sortedNames(values map[string]string) (names []string) {
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct{ name, result, status, fault string }{
		{"an object", `{"status":"ok"}`, `"ok"`, ""},
		{"the last of a name", `{"status":"ok","st\u0061tus":"timeout"}`, `"timeout"`, "timeout"},
		{"a semicolon", `{"status":"timeout";"a":1}`, "", ""},
		{"a comma too many", `{"status":"timeout",}`, "", ""},
		{"a comma first", `{,"status":"timeout"}`, "", ""},
		{"no comma", `{"status":"timeout""a":1}`, "", ""},
		{"cut", `{"status":"timeout"`, "", ""},
		{"more behind it", `{"status":"timeout"}}`, "", ""},
		{"garbled", `{"a":"<<GarBled"}`, "", malformed},
		{"garbled in escapes", `{"a":"\u003c\u003cgarbled"}`, "", malformed},
		{"garbled beside escapes", `{"a":"\ngarbled resp"}`, "", malformed},
		{"a value that does not count", `{"a":"\ngarbled resp","a":1}`, "", ""},
		{"half a mark", `{"a":"garbled res","b":"< <garbled"}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Reader
			b.Read(&rollout.Row{})
			o := b.readOutcome(c.result)
			if o.status != c.status {
				t.Errorf("status %s, want %s", o.status, c.status)
			}
			if got := b.faultOf(&o); got != c.fault {
				t.Errorf("fault %q, want %q", got, c.fault)
			}
		})
	}
}
