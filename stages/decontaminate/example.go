package decontaminate

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Example is a match with both texts, for a person to judge.
type Example struct {
	Row   rollout.Pos `json:"-"`
	At    string      `json:"at,omitempty"` // where the row stands, for whoever knows the names of inputs to fill in
	RowID string      `json:"row_id"`
	Rule  string      `json:"rule"`
	Kind  string      `json:"kind"`
	Score float64     `json:"score"`
	Words int         `json:"words"` // of the item that were found
	Of    int         `json:"of"`    // that it has

	Place string `json:"place"` // where in the row: prompt, messages.3 (tool)
	Start int    `json:"start"` // the match in that text, as byte offsets
	End   int    `json:"end"`
	Text  string `json:"text"` // from a little before the match on

	Item      Location `json:"item"`
	ItemStart int      `json:"item_start"`
	ItemEnd   int      `json:"item_end"`
	ItemText  string   `json:"item_text"`
}

// exampleOf makes an example of a match. What it keeps is copied.
func (x *Index) exampleOf(row *rollout.Row, rules []Rule, f *Found) Example {
	e := Example{
		Row: row.Pos, RowID: strings.Clone(row.RowKey()), Rule: rules[f.Rule].Name(), Kind: f.Kind, Score: f.Score, Words: f.Words, Of: f.Of,
		Place: f.Place.String(), Start: f.Start, End: f.End, ItemStart: f.ItemStart, ItemEnd: f.ItemEnd,
	}
	if f.Text < 0 {
		e.Place = "task"
		e.Item = x.location(int(x.tasks[row.TaskID][0]), Question)
		return e
	}
	item, text := x.TextAt(f.Text)
	e.Item = item
	e.Text = Excerpt(f.Place.textOf(row), f.Start)
	e.ItemText = Excerpt(text, f.ItemStart)
	return e
}

const (
	excerptLen    = 80 // characters
	excerptBefore = 12 // of them before the match
)

// Excerpt is up to 80 characters of a text from a little before a byte offset on.
// Bytes that are no UTF-8 stay as they are.
func Excerpt(text string, at int) string {
	from := at
	for n := 0; n < excerptBefore && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	to := from
	for n := 0; n < excerptLen && to < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	return strings.Clone(text[from:to])
}

// textOf is the text at a place of a row.
func (p Place) textOf(row *rollout.Row) string {
	switch {
	case p.Part == Prompt:
		prompt, _ := promptOf(row)
		return prompt
	case p.Part == Final:
		return row.FinalText
	case p.Part == Sides:
		return p.textOfSide(row)
	case p.Call >= 0:
		return row.Messages[p.Message].ToolCalls[p.Call].Arguments
	}
	return row.Messages[p.Message].Text()
}
