package decontaminate

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// MatchesMember is the member of a flagged row that lists its matches.
const MatchesMember = "rollmill_matches"

// matchesJSON lists matches as JSON text: rule, kind, score, where in the row, as
// message, role and byte offsets, and where in the evaluation sets.
func (x *Index) matchesJSON(rules []Rule, found []Found) string {
	b := []byte{'['}
	for i := range found {
		f := &found[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		b = appendText(b, "rule", rules[f.Rule].Name())
		b = appendText(b, "kind", f.Kind)
		b = appendName(b, "score")
		b = rollout.AppendFloat(b, f.Score)
		if f.Text >= 0 {
			b = x.appendMatch(b, f)
		}
		b = append(b, '}')
	}
	return string(append(b, ']'))
}

func (x *Index) appendMatch(b []byte, f *Found) []byte {
	b = appendText(b, "part", f.Place.Part.String())
	if f.Place.Member != "" {
		b = appendText(b, "member", f.Place.Member)
	}
	if f.Place.Message >= 0 {
		b = appendInt(b, "message", f.Place.Message)
		b = appendText(b, "role", f.Place.Role)
	}
	if f.Place.Call >= 0 {
		b = appendInt(b, "tool_call", f.Place.Call)
	}
	b = appendInt(b, "start", f.Start)
	b = appendInt(b, "end", f.End)
	at, _ := x.TextAt(f.Text)
	b = appendText(b, "set", at.Set)
	b = appendText(b, "item", at.Item)
	b = appendText(b, "item_part", at.Part.String())
	b = appendInt(b, "item_start", f.ItemStart)
	b = appendInt(b, "item_end", f.ItemEnd)
	b = appendInt(b, "item_first_word", f.Pos)
	b = appendInt(b, "item_span_words", f.ItemLen)
	b = appendInt(b, "words", f.Words)
	return appendInt(b, "of", f.Of)
}

func appendName(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

func appendText(b []byte, name, text string) []byte {
	out, _ := jsontext.AppendQuote(appendName(b, name), text) // bytes that are no UTF-8 become U+FFFD
	return out
}

func appendInt(b []byte, name string, n int) []byte {
	return strconv.AppendInt(appendName(b, name), int64(n), 10)
}
