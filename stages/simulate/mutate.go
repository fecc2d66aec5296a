package simulate

import (
	"fmt"
	"strings"
)

// mutations tell a message otherwise (spec of simulation, section 8).
var mutations = []struct {
	name string
	tell func(sentences []string) string
}{
	{"truncate", func(s []string) string { return s[0] }},
	{"repeat", func(s []string) string { return s[0] + " " + strings.Join(s, " ") }},
	{"contradict", func(s []string) string { return strings.Join(s, " ") + " Or rather, the opposite of that." }},
	{"reverse", func(s []string) string {
		out := make([]string, len(s))
		for i := range s {
			out[len(s)-1-i] = s[i]
		}
		return strings.Join(out, " ")
	}},
	{"number", func(s []string) string {
		out := make([]string, len(s))
		for i := range s {
			out[i] = fmt.Sprintf("%d) %s", i+1, s[i])
		}
		return strings.Join(out, " ")
	}},
	{"strip", func(s []string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(".,;:!?'\"", r) {
				return -1
			}
			return r
		}, strings.Join(s, " "))
	}},
	{"quote", func(s []string) string { return "The message was: \"" + strings.Join(s, " ") + "\"" }},
	{"correct", func(s []string) string {
		return strings.Join(s, " ") + userTurn + "Wait, I put that badly. Please go by what I wrote first."
	}},
}

// shortestMutation is how long a mutated message is at least, in bytes.
const shortestMutation = 12

// mutated tells a message otherwise: in the first way from the round's on that
// changes it, that leaves enough of it and that gave nothing known.
func mutated(prompt string, round int, known func(string) bool) (string, bool) {
	sentences := sentencesOf(strings.ReplaceAll(prompt, userTurn, " "))
	if len(sentences) == 0 {
		return "", false
	}
	for i := range mutations {
		told := mutations[(round+i)%len(mutations)].tell(sentences)
		if told != prompt && len(told) >= shortestMutation && !known(told) {
			return told, true
		}
	}
	return "", false
}

// sentencesOf splits a text behind the signs that end sentences.
func sentencesOf(text string) (out []string) {
	for rest := strings.TrimSpace(text); rest != ""; {
		end := strings.IndexAny(rest, ".?!")
		for end >= 0 && end+1 < len(rest) && rest[end+1] != ' ' {
			next := strings.IndexAny(rest[end+1:], ".?!")
			if next < 0 {
				end = -1
				break
			}
			end += 1 + next
		}
		if end < 0 {
			return append(out, rest)
		}
		out, rest = append(out, rest[:end+1]), strings.TrimSpace(rest[end+1:])
	}
	return out
}
