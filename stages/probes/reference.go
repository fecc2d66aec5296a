package probes

import (
	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/formats/rollout"
)

// referenceNames are the members that hold the right answer, in the order in
// which they are looked for; nestedIn is where else they may stand.
var (
	referenceNames = []string{"reference", "answer", "target", "solution", "label", "expected"}
	nestedIn       = []string{"info", "metadata"}
)

// Reference is the right answer of a row as text, "" when it has none: that of
// privileged.reference, else of a member of the record that is named for it, else
// of one within info, metadata or privileged.
func Reference(r *rollout.Row) string {
	privileged := object(r.Privileged)
	if s := scalar(privileged["reference"]); s != "" {
		return s
	}
	extra := map[string]string{}
	for _, m := range r.Extra {
		extra[m.Name] = m.JSON
	}
	for _, name := range referenceNames {
		var v any
		if json.Unmarshal([]byte(extra[name]), &v) == nil {
			if s := scalar(v); s != "" {
				return s
			}
		}
	}
	for _, outer := range nestedIn {
		if s := named(object(extra[outer])); s != "" {
			return s
		}
	}
	return named(privileged)
}

func named(members map[string]any) string {
	for _, name := range referenceNames {
		if s := scalar(members[name]); s != "" {
			return s
		}
	}
	return ""
}

func object(text string) map[string]any {
	var m map[string]any
	if text == "" || json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	return m
}

// scalar is a text as it is, and a number or boolean as its JSON.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64, bool:
		text, err := json.Marshal(v)
		if err == nil {
			return string(text)
		}
	}
	return ""
}
