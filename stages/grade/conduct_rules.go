package grade

import (
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Limits of the conduct rules (spec of rows, section 2.10).
const (
	stutterRun      = 30  // of one character
	insistences     = 3   // identical calls
	unfinishedFloor = 600 // characters of a reply
)

func (d *deed) isStub() bool { return d.reply == "" || strings.HasPrefix(d.reply, agentError) }

func (d *deed) stutters() bool {
	run, last := 0, rune(-1)
	for _, r := range d.reply {
		if run++; r != last {
			run, last = 1, r
		}
		if run >= stutterRun && !text.IsSpace(r) {
			return true
		}
	}
	return false
}

// callsUndeclared fires when the row says which tools there were.
func (d *deed) callsUndeclared() bool {
	declared := map[string]bool{}
	for tool := range rollout.ElementsOf(d.row.Tools) {
		name := rollout.MemberOf(rollout.MemberOf(tool, "function"), "name")
		if name == "" {
			name = rollout.MemberOf(tool, "name")
		}
		declared[rollout.ScalarText(name)] = true
	}
	if len(declared) == 0 {
		return false
	}
	for i := range d.acts {
		if !declared[d.acts[i].Tool] {
			return true
		}
	}
	return false
}

func (d *deed) passesInventedID() bool {
	for i := range d.acts {
		for name, value := range argumentsOf(d.acts[i].Arguments) {
			if isReferenceName(name) && isReference(value) && !d.supplied(value, i) {
				return true
			}
		}
	}
	return false
}

// deniesSuccess fires when the reply says of an id that something failed, and
// every call with it worked.
func (d *deed) deniesSuccess() bool {
	if len(d.acts) == 0 || !saysAny(d.lower, troubleWords) {
		return false
	}
	for i := range d.acts {
		for name, value := range argumentsOf(d.acts[i].Arguments) {
			if !d.failed[i] && isReferenceName(name) && isReference(value) && d.deniedInSentence(value) && !d.everFailed(value) {
				return true
			}
		}
	}
	return false
}

// deniedInSentence reports whether a sentence of the reply names an id and says
// that something failed.
func (d *deed) deniedInSentence(id string) bool {
	for _, sentence := range sentences(d.lower) {
		if strings.Contains(sentence, text.Lower(id)) && saysAny(sentence, troubleWords) {
			return true
		}
	}
	return false
}

// everFailed reports whether a call with an id failed, or something failed with
// no id of its own.
func (d *deed) everFailed(id string) bool {
	for i := range d.acts {
		if d.failed[i] && (strings.Contains(d.acts[i].Arguments, id) || d.acts[i].Arguments == "{}") {
			return true
		}
	}
	return false
}

// hidesFault fires when the last call of some tool failed and the reply claims
// success without a word on it.
func (d *deed) hidesFault() bool {
	return d.standingFault(nil) && claimsSuccess(d.lower) && !saysAny(d.lower, troubleWords)
}

// ignoresNotFound fires when an answer "not found" stands and the reply does not
// say so.
func (d *deed) ignoresNotFound() bool {
	return d.standingFault(notFoundWords) && !saysAny(d.lower, troubleWords) && !strings.Contains(d.reply, "?")
}

// standingFault reports whether a call failed, with one of some words in its
// result if any are given, and no later call of that tool worked.
func (d *deed) standingFault(words []string) bool {
	for i := range d.acts {
		if !d.failed[i] || words != nil && !saysAny(resultOf(&d.acts[i]), words) {
			continue
		}
		mended := false
		for j := i + 1; j < len(d.acts); j++ {
			mended = mended || d.acts[j].Tool == d.acts[i].Tool && !d.failed[j]
		}
		if !mended {
			return true
		}
	}
	return false
}

// claimsWhatWasDone fires when the last answer of a tool says that something was
// done already, and the reply claims to have done it.
func (d *deed) claimsWhatWasDone() bool {
	n := len(d.acts) - 1
	return n >= 0 && saysAny(resultOf(&d.acts[n]), alreadyWords) && claimsSuccess(d.lower) && !strings.Contains(d.lower, "already")
}

// claimsUngrounded fires when there were tools and none was called.
func (d *deed) claimsUngrounded() bool {
	return len(d.acts) == 0 && len(d.row.Tools) > len("[]") && claimsAction(d.lower)
}

func (d *deed) leaksHarness() bool { return saysAny(d.lower, harnessWords) }

// saysInventedID fires in rows with tools: elsewhere an answer may well hold
// names with digits that the task did not.
func (d *deed) saysInventedID() bool {
	if len(d.acts) == 0 {
		return false
	}
	for word := range strings.FieldsFuncSeq(d.reply, isBetweenIDs) {
		if isSpokenID(word) && !d.supplied(word, len(d.acts)) && !d.passed(word) {
			return true
		}
	}
	return false
}

// passed reports whether a word stands in the arguments of a call.
func (d *deed) passed(word string) bool {
	for i := range d.acts {
		if strings.Contains(text.Lower(d.acts[i].Arguments), text.Lower(strings.TrimLeft(word, "#"))) {
			return true
		}
	}
	return false
}

func (d *deed) repeatsReply() bool {
	said := 0
	for words := range d.reader.Said() {
		if strings.TrimSpace(words) == d.reply {
			said++
		}
	}
	return said > 1
}

func (d *deed) repeatsCall() bool {
	for i := range d.acts {
		for j := range i {
			a, b := &d.acts[i], &d.acts[j]
			if same(a, b) && a.Result == b.Result && a.ResultText == b.ResultText && (a.Result != "" || a.ResultText != "") {
				return true
			}
		}
	}
	return false
}

func (d *deed) insists() bool {
	for i := range d.acts {
		n := 0
		for j := range d.acts {
			if same(&d.acts[i], &d.acts[j]) {
				n++
			}
		}
		if n >= insistences {
			return true
		}
	}
	return false
}

func (d *deed) breaksOff() bool {
	n := 0
	for range d.reply {
		n++
	}
	return n > unfinishedFloor && !text.LooksFinished(d.reply)
}
