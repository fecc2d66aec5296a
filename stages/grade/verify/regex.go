package verify

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// Regex matches the answer against a pattern (package regexp: linear in the
// text). Where the row has a reference, the text of a group must be equal to it
// but for case and white space at the ends: the first group, or the whole match
// of a pattern without groups. Where it has none, a match passes (spec of rows,
// section 3.2).
//
// The error says what is wrong with the pattern.
func Regex(pattern string, o Options) (*Verifier, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	group := min(1, re.NumSubexp())
	v := newVerifier("regex:"+pattern, "1", o, func(answer string, gold Reference, _ *rollout.Row) grade.Result {
		at := re.FindStringSubmatchIndex(answer)
		switch {
		case at == nil:
			return grade.Fail("no match")
		case !gold.Given():
			return grade.Pass("match")
		case at[2*group] < 0:
			return grade.Fail("the group did not match")
		}
		text := strings.TrimSpace(answer[at[2*group]:at[2*group+1]])
		return equalOrNot(strings.EqualFold(text, strings.TrimSpace(gold.Text)))
	})
	v.optional()
	return v, nil
}
