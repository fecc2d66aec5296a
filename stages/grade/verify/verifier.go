package verify

import (
	"context"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// Options say where a verifier finds what it compares. The zero value is the
// default.
type Options struct {
	Answer Field // default: the final text, else the last text of the agent
	Gold   Field // default: privileged.reference, else the first of [ReferenceNames] in the record, or in its info, metadata or privileged
}

// ReferenceNames are the names under which references are looked for.
var ReferenceNames = []string{"reference", "answer", "target", "solution", "label", "expected"}

// referenceHomes are the objects in which references are looked for too.
var referenceHomes = []string{"info", "metadata"}

// Reference is what an answer is held against.
type Reference struct {
	Text    string // the text, or the JSON of a value of another kind
	JSON    string // the JSON text, "" where the row holds it as plain text
	Private bool   // only the grader may know it: no reason may quote it
}

// Given reports whether there is a reference. An empty text is one; null is not.
func (r Reference) Given() bool { return r.Text != "" || r.JSON != "" && r.JSON != "null" }

// IsList reports whether the reference is a list of several.
func (r Reference) IsList() bool { return len(r.JSON) > 0 && r.JSON[0] == '[' }

// Check holds an answer against a reference. It changes nothing, and says
// [grade.CannotJudge] where it cannot tell.
type Check func(answer string, gold Reference, row *rollout.Row) grade.Result

// Verifier is a grader of the kind rule. It is made by the functions of this
// package, and by [New] of any function.
type Verifier struct {
	info   grade.Info
	answer Field
	gold   Field
	bare   bool   // it looks for no reference
	open   bool   // it can do without a reference
	quotes bool   // its reasons may quote the reference
	none   string // the reason of a row without a reference
	check  Check
}

// noReference is the usual reason of a row without one.
const noReference = "no reference"

// New makes a verifier of a function, under a name and a version of its own.
// Rows without a reference cannot be judged. What a reason quotes of a private
// reference is struck out.
func New(name, version string, o Options, check Check) *Verifier {
	if name == "" || check == nil {
		panic("verify: New wants a name and a function")
	}
	v := newVerifier(name, version, o, check)
	v.quotes = true
	return v
}

func newVerifier(name, version string, o Options, check Check) *Verifier {
	v := &Verifier{answer: o.Answer, gold: o.Gold, none: noReference, check: check}
	v.info = grade.Info{Name: name, Version: version, Kind: grade.Rule, Pure: true, Needs: v.needs()}
	return v
}

// optional makes a verifier one that can do without a reference.
func (v *Verifier) optional() { v.open = true }

// without makes a verifier one that looks for no reference.
func (v *Verifier) without() *Verifier {
	v.bare = true
	v.info.Needs = v.needs()
	return v
}

func (v *Verifier) needs() rollout.Fields {
	f := v.answer.needs | v.gold.needs
	if v.answer.IsZero() {
		f |= rollout.FieldFinalText
	}
	if v.gold.IsZero() && !v.bare {
		f |= rollout.FieldPrivileged | rollout.FieldExtra
	}
	return f
}

// Info says what the verifier is.
func (v *Verifier) Info() grade.Info { return v.info }

// Grade holds the answer of a row against its reference.
func (v *Verifier) Grade(_ context.Context, row *rollout.Row) (grade.Result, error) {
	var gold Reference
	if !v.bare {
		gold = v.reference(row)
	}
	if !v.bare && !v.open && !gold.Given() {
		return grade.CannotJudge(v.none), nil
	}
	r := v.check(v.answerOf(row), gold, row)
	if r.Status == rollout.StatusOK {
		r.Reward = min(max(r.Reward, 0), 1)
	}
	if v.quotes && gold.Private {
		r.Reason = redact(r.Reason, gold.Text)
	}
	if len(r.Reason) > maxReason {
		r.Reason = cut(r.Reason, maxReason)
	}
	return r, nil
}

// maxReason is how many bytes of a reason are kept.
const maxReason = 400

func (v *Verifier) answerOf(row *rollout.Row) string {
	if !v.answer.IsZero() {
		return v.answer.text(row)
	}
	if row.FinalText != "" {
		return row.FinalText
	}
	text, _ := rollout.FinalTextOf(row.Messages)
	return text
}

func (v *Verifier) reference(row *rollout.Row) Reference { return ReferenceOf(row, v.gold) }

// ReferenceOf finds what the answer of a row is held against: what stands in gold,
// and where that is no field what verifiers take by default; see [Options].
func ReferenceOf(row *rollout.Row, gold Field) Reference {
	if !gold.IsZero() {
		if gold.plain {
			return Reference{Text: gold.read(row)}
		}
		return referenceOf(gold.json(row), gold.private)
	}
	if json := rollout.MemberOf(row.Privileged, ReferenceNames[0]); isValue(json) {
		return referenceOf(json, true)
	}
	for _, name := range ReferenceNames {
		if json := row.ExtraText(name); isValue(json) {
			return referenceOf(json, false)
		}
	}
	for _, home := range referenceHomes {
		if json := firstReference(row.ExtraText(home)); json != "" {
			return referenceOf(json, false)
		}
	}
	return referenceOf(firstReference(row.Privileged), true)
}

// firstReference is the first reference among the members of an object.
func firstReference(object string) string {
	if object == "" {
		return ""
	}
	for _, name := range ReferenceNames {
		if json := rollout.MemberOf(object, name); isValue(json) {
			return json
		}
	}
	return ""
}

func isValue(json string) bool { return json != "" && json != "null" }

func referenceOf(json string, private bool) Reference {
	return Reference{Text: rollout.ScalarText(json), JSON: json, Private: private}
}
