package behaviour

const (
	malformed      = "malformed"
	stale          = "stale"
	alreadyDone    = "already_done"
	alreadyActedOn = "already_acted_on"
)

// normalFault returns the one name of a fault, "" for words that say that all is
// well. word is in lower case and trimmed.
func normalFault(word string) string {
	switch word {
	case alreadyActedOn, "entity already acted on":
		return alreadyDone
	case "permission_denied", "denied", "unauthorized", "blocked":
		return "deny"
	case "malformed_result":
		return malformed
	case "stale_result":
		return stale
	case "entity missing", "missing":
		return "not_found"
	case "ok", "created", "deleted", "success", "exit_0", NoFault, "clean":
		return ""
	}
	return word
}

// isBadStatus reports whether a status says by itself that a call failed.
func isBadStatus(status string) bool {
	switch status {
	case "rejected", "not_found", "error", "blocked", "denied", "failed", "unauthorized", "invalid", "timeout", "permission_denied":
		return true
	}
	return false
}

// isFaultWord reports whether a status is the name of a fault, or an alias of one.
func isFaultWord(status string) bool {
	switch status {
	case alreadyDone, alreadyActedOn, "entity already acted on", "deny", malformed, "malformed_result",
		stale, "stale_result", "entity missing", "missing", "garbled":
		return true
	}
	return isBadStatus(status)
}
