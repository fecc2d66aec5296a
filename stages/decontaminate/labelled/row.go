package labelled

import (
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Class is the form of a row.
type Class string

// The rows of these classes copy an item.
const (
	Verbatim     Class = "verbatim"              // the item and nothing else
	Paragraph    Class = "within a paragraph"    // prose before and after it
	Line         Class = "short line"            // an item of 8 to 12 words, on a line of its own among others
	Conversation Class = "in a conversation"     // in one of many turns of a user, the assistant or a tool
	OneWord      Class = "one word changed"      // within a paragraph
	TenthWord    Class = "every tenth word"      // changed, within a paragraph
	UpperCase    Class = "upper case"            //
	NoPunct      Class = "no punctuation"        // deleted, or spaces instead
	Wrapped      Class = "wrapped"               // in short lines, some of them quoted or indented
	Numerals     Class = "only numerals changed" // at least two of them, all of them
)

// The rows of these classes do not.
const (
	KnownFormula Class = "famous formulas" // in a text of its own
	Boilerplate  Class = "boilerplate"     // the instructions of items before other texts
	SameTemplate Class = "same template"   // as an item, with fewer than half of its words that are no numbers
	Permuted     Class = "permuted words"  // all words of an item in another order
	Prose        Class = "plain prose"
)

// Copies and Others are the classes of either kind, in the order of tables.
var (
	Copies = []Class{Verbatim, Paragraph, Line, Conversation, OneWord, TenthWord, UpperCase, NoPunct, Wrapped, Numerals}
	Others = []Class{KnownFormula, Boilerplate, SameTemplate, Permuted, Prose}
)

// Row is a training row of which is known what it is.
type Row struct {
	rollout.Row
	Class  Class
	Copied bool
	Item   string // id of the item that was copied; "" for none
}

// put makes a row of a text: the prompt of most, one turn of a conversation of others.
func (w *writer) put(id string, class Class, text string, conversation bool) Row {
	row := Row{Row: rollout.Row{ID: id}, Class: class}
	if conversation {
		row.Messages = w.conversation(text)
		for _, m := range row.Messages {
			if m.Role == rollout.RoleUser {
				row.Prompt = m.Content
				break
			}
		}
	} else {
		row.Prompt = text
		row.FinalText = w.prose(w.between(10, 60))
	}
	row.SetExtra("class", quote(string(class)))
	return row
}

// conversation is a long one that has a text in one of its turns.
func (w *writer) conversation(text string) []rollout.Message {
	var all []rollout.Message
	turns := w.between(4, 14)
	for range turns {
		all = append(all, rollout.Message{Role: rollout.RoleUser, Content: w.prose(w.between(8, 60))})
		if w.percent(35) {
			all = append(all, rollout.Message{Role: rollout.RoleAssistant, NoContent: rollout.Null, ToolCalls: []rollout.ToolCall{{
				ID: "call", Type: "function", Name: "search", Arguments: `{"query":` + quote(w.write("{adj} {things} of {town}")) + `}`}}},
				rollout.Message{Role: rollout.RoleTool, ToolCallID: "call", Content: w.prose(w.between(20, 120))})
		}
		all = append(all, rollout.Message{Role: rollout.RoleAssistant, Content: w.prose(w.between(20, 120))})
	}
	for {
		if m := &all[w.intn(len(all))]; m.Content != "" {
			m.Content = m.Content + "\n\n" + text + "\n\n" + w.prose(w.between(5, 40))
			return all
		}
	}
}

// within puts a text into a paragraph of prose.
func (w *writer) within(text string) string {
	gap := pick(w.source, []string{" ", " ", "\n"})
	return w.prose(w.between(15, 120)) + gap + text + gap + w.prose(w.between(15, 120))
}

// amid puts a short text on a line of its own among other short lines.
func (w *writer) amid(text string) string {
	var lines []string
	for range w.between(3, 12) {
		lines = append(lines, pick(w.source, []string{"- ", "", "", "* "})+w.write("{adj} {things} and {things} from {town}"))
	}
	at := w.intn(len(lines))
	lines = append(lines[:at:at], append([]string{text}, lines[at:]...)...)
	return strings.Join(lines, "\n")
}
