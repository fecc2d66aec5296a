package conduct

import (
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Failed reports whether a call failed: it says so itself, its result has a
// status or an exit code that does, or an error, or is a text that begins with
// a word for failure.
func Failed(b *behaviour.Reader, act *behaviour.Act) bool {
	switch {
	case act.Failed:
		return true
	case act.ResultText != "":
		return startsWithFailure(act.ResultText)
	case strings.HasPrefix(act.Result, "{"):
		return objectFailed(b, act.Result)
	}
	return false
}

func objectFailed(b *behaviour.Reader, object string) bool {
	codes := [...]string{"exit_code", "returncode", "code"} // the first one that is there counts
	var values [len(codes)]string
	var status, failure string
	for name, value := range jsonwalk.StringMembers(object) {
		switch name {
		case "status":
			status = value
		case "error":
			failure = value
		}
		for i := range codes {
			if name == codes[i] {
				values[i] = value
			}
		}
	}
	if jsonwalk.Truthy(failure) || isFailure(text.Lower(b.Text(status))) {
		return true
	}
	for _, v := range values {
		if v != "" {
			return isInteger(v) && jsonwalk.Truthy(v)
		}
	}
	return false
}

func isFailure(status string) bool {
	switch status {
	case "error", "failed", "failure", "timeout", "permission_denied", "denied", "not_found", "rejected", "unknown_tool":
		return true
	}
	return false
}

// isInteger reports whether a JSON value is a number without point and exponent.
func isInteger(json string) bool {
	return (json[0] == '-' || json[0]-'0' < 10) && !strings.ContainsAny(json, ".eEI")
}

var failureWords = []string{"error", "traceback", "failed", "denied", "timeout", "exception"}

// startsWithFailure reports whether the first word of a text is one for failure,
// in any case.
func startsWithFailure(s string) bool {
	s = text.Trim(s)
	for _, word := range failureWords {
		if len(s) >= len(word) && strings.EqualFold(s[:len(word)], word) && !startsWord(s[len(word):]) {
			return true
		}
	}
	return false
}
