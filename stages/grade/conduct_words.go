package grade

import (
	"iter"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// The words by which the conduct rules read, in lower case.
var (
	notFoundWords = []string{"not found", "not_found", "no such", "does not exist", "doesn't exist", "no results", "unknown id"}
	alreadyWords  = []string{"already cancelled", "already canceled", "already been", "already exists", "already refunded", "already closed", "already done", "already processed"}
	troubleWords  = []string{"not found", "no such", "couldn't", "could not", "cannot", "can't", "unable", "wasn't able", "was not able",
		"fail", "error", "unfortunately", "sorry", "apolog", "doesn't exist", "does not exist", "didn't", "did not", "invalid", "issue", "problem",
		"unavailable", "timed out", "no record", "no results", "isn't", "is not", "don't", "do not", "no longer", "already"}
	successWords = []string{"successfully", "has been", "have been", "is now", "are now", "all set", "all done", "is complete", "i have ", "i've ", "done!"}
	deedWords    = []string{"booked", "cancelled", "canceled", "updated", "refunded", "created", "deleted", "removed", "changed", "sent", "placed",
		"scheduled", "submitted", "processed", "transferred", "modified", "added", "issued", "applied", "completed", "reserved"}
	harnessWords = []string{"<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<|im_start|>", "<|im_end|>", "<|eot_id|>",
		"<|assistant|>", "<|tool", "[tool_calls]", "<function_calls>", "</function_calls>", "<function=", "tool_call_id", "\"tool_calls\":"}
	referenceNames = []string{"order", "reservation", "booking", "confirmation", "ticket", "invoice", "reference", "account", "case"}
)

func saysAny(lower string, words []string) bool {
	for _, w := range words {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}

// claimsSuccess reports whether a reply says that something was done.
func claimsSuccess(lower string) bool {
	return saysAny(lower, successWords) && saysAny(lower, deedWords)
}

// claimsAction reports whether one sentence of a reply says that the agent, or
// somebody, did something.
func claimsAction(lower string) bool {
	for _, s := range sentences(lower) {
		if claimsSuccess(s) && !strings.Contains(s, "if ") && !strings.Contains(s, "once ") && !strings.HasSuffix(s, "?") && !saysAny(s, troubleWords) {
			return true
		}
	}
	return false
}

// sentences cuts a text roughly: at line ends and where a space follows a mark.
func sentences(s string) (list []string) {
	from := 0
	for i := range len(s) {
		end := s[i] == '\n' || (s[i] == '.' || s[i] == '!' || s[i] == '?') && (i+1 == len(s) || s[i+1] <= ' ')
		if end {
			list, from = append(list, s[from:i+1]), i+1
		}
	}
	return append(list, s[from:])
}

// argumentsOf yields the scalars among arguments, at any depth, with the names
// under which they stand.
func argumentsOf(object string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) { eachScalar("", object, yield) }
}

func eachScalar(name, json string, yield func(string, string) bool) bool {
	switch {
	case strings.HasPrefix(json, "{"):
		for member, value := range rollout.MembersOf(json) {
			if !eachScalar(member, value, yield) {
				return false
			}
		}
		return true
	case strings.HasPrefix(json, "["):
		for element := range rollout.ElementsOf(json) {
			if !eachScalar(name, element, yield) {
				return false
			}
		}
		return true
	}
	return yield(name, rollout.ScalarText(json))
}

// isReferenceName reports whether an argument of this name refers to a thing.
func isReferenceName(name string) bool {
	lower := text.Lower(name)
	if strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, "_ids") || lower == "id" || lower == "ids" || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID") {
		return true
	}
	for _, n := range referenceNames {
		if lower == n || strings.HasPrefix(lower, n+"_n") { // order, order_no, order_number
			return true
		}
	}
	return false
}

// isReference reports whether a value looks like an id: one word of four or more
// characters with a digit in it.
func isReference(value string) bool {
	return len(value) >= 4 && strings.ContainsAny(value, "0123456789") && !strings.ContainsAny(value, " \n")
}

// isSpokenID reports whether a word of a reply looks like an id: capitals, or a
// number sign, then digits, four or more.
func isSpokenID(word string) bool {
	rest := strings.TrimLeft(word, "#ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if rest == word {
		return false
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(rest, "-"), "_")
	return len(digits) >= 4 && strings.Trim(digits, "0123456789") == ""
}

func isBetweenIDs(r rune) bool {
	return r != '#' && r != '-' && r != '_' && !text.IsWord(r)
}

// supplied reports whether somebody else named an id before a call: people, or a
// tool that was called before. Its digits alone will do: who hears of order 4017
// may call it ORD-4017.
func (d *deed) supplied(id string, before int) bool {
	id = text.Lower(strings.TrimLeft(id, "#"))
	number := longestNumber(id)
	for _, given := range d.given {
		if strings.Contains(given, id) || len(number) >= 3 && strings.Contains(given, number) {
			return true
		}
	}
	for i := range before {
		if result := resultOf(&d.acts[i]); strings.Contains(result, id) || len(number) >= 3 && strings.Contains(result, number) {
			return true
		}
	}
	return false
}

// longestNumber is the longest run of digits in a text.
func longestNumber(s string) (longest string) {
	for run := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}
