package measure

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rollmill/rollmill/formats/rollout"
)

// gradingStatus is what became of a row's grading, as a word of judge_status.
// Tools write a status as "timeout", "TIMEOUT" or "Status.TIMEOUT", and words
// that row v1 does not know, which then stand in Extra: they come back in lower
// case and without the name of their type, so that spellings compare equal.
func gradingStatus(r *rollout.Row) string {
	if r.Status != rollout.StatusAbsent {
		return r.Status.String()
	}
	for i := range r.Extra {
		if m := &r.Extra[i]; m.Name == "judge_status" && m.JSON != "null" {
			return plainWord(scalarText(m.JSON))
		}
	}
	return ""
}

func plainWord(word string) string {
	return strings.ToLower(word[strings.LastIndexByte(word, '.')+1:])
}

// scalarText is the text of a JSON value: that of a string decoded, of null
// nothing, of any other value its JSON.
func scalarText(json string) string {
	switch {
	case json == "" || json == "null":
		return ""
	case json[0] != '"':
		return json
	case strings.IndexByte(json, '\\') < 0:
		return json[1 : len(json)-1]
	}
	text, err := jsontext.AppendUnquote(nil, json)
	if err != nil && len(text) == 0 { // a lone surrogate is an error and still gives text
		return json
	}
	return string(text)
}
