package selection

import (
	"regexp"
	"sync"

	"github.com/rollmill/rollmill/formats/rollout"
)

// DoNothing reports whether a row calls no tool where its situation wants one
// (spec of gates, section 5.1).
func DoNothing(r *rollout.Row) bool {
	var x reader
	x.begin(r)
	return x.idle()
}

func (x *reader) idle() bool { return !x.callsTool() && wantsTools(x.Row()) }

// wantsTools tells whether a tool is needed: the record says so, or the prompt
// asks for an action or names a record.
func wantsTools(r *rollout.Row) bool {
	for i := range r.Extra {
		m := &r.Extra[i]
		switch m.Name {
		case "tool_known", "faults":
			if truthy(m.JSON) {
				return true
			}
		case "ask_family":
			if textOf(m.JSON) == "tool" {
				return true
			}
		case "world_state":
			if s := textOf(m.JSON); truthy(m.JSON) && s != "unspecified" && s != "unknown" {
				return true
			}
		case "scenario_dimensions":
			if truthy(memberOf(m.JSON, "intent")) || truthy(memberOf(m.JSON, "tool")) {
				return true
			}
		}
	}
	return action().MatchString(r.Prompt)
}

// action is a word for an action or an id, as a whole word. Word characters are
// Unicode's; a # counts only directly behind one. As the other patterns here it
// is compiled when first asked for: that takes milliseconds, which programs that
// only link this package would pay at every start.
var action = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])(?:merge|refund|schedule|commit|deploy|rebase|checkout|asin|` +
		`[a-z]{2,}[-_]\p{Nd}+|ord[-_][\pL\pN_]+|pr#?\p{Nd}+)(?:$|[^\pL\pN_])|[\pL\pN_]#\p{Nd}+(?:$|[^\pL\pN_])`)
})
