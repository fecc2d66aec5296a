package grid

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxRules is how many clauses of a policy stand on the axis; the rest is
	// left out, and a run says how many. A convention of the reference
	// implementation.
	MaxRules = 16

	minClause = 8   // characters
	maxClause = 120 // characters
)

var (
	blankLines = regexp.MustCompile(`\n[ \t]*\n`)
	// A heading, a numbered item, a bullet, or a short "Label:".
	itemStart = regexp.MustCompile(`^[ \t]*(#{1,6} |\d{1,3}[.)] |[-*•+] |[A-Z][A-Za-z ]{0,30}:([ \t]|$))`)
	marker    = regexp.MustCompile(`^[ \t]*(#{1,6} +|\d{1,3}[.)] +|[-*•+] +)`)
	sentence  = regexp.MustCompile(`[.!?]["')\]]*[ \t\n]+`)
	semicolon = regexp.MustCompile(`;[ \t\n]*`)
	identity  = regexp.MustCompile(`(?i)^(you are|you're|your role|act as|i am|as an? )\b`)
)

// Clauses splits a policy into the rules it states, in order and without
// repetition: at blank lines, before headings and items, into sentences and at
// semicolons, as long as no piece gets too short. A statement of who the agent
// is does not count, and a long clause is cut at a word (spec of simulation,
// section 7.2).
func Clauses(policy string) []string {
	var out []string
	seen := map[string]bool{}
	for _, block := range blankLines.Split(strings.ReplaceAll(policy, "\r\n", "\n"), -1) {
		for _, item := range items(block) {
			for _, clause := range clausesOf(item) {
				clause = cut(clause)
				key := strings.ToLower(clause)
				if utf8.RuneCountInString(clause) >= minClause && !seen[key] {
					seen[key] = true
					out = append(out, clause)
				}
			}
		}
	}
	return out
}

// items splits a block before the lines that start an item.
func items(block string) []string {
	var out []string
	for _, line := range strings.Split(block, "\n") {
		if len(out) == 0 || itemStart.MatchString(line) {
			out = append(out, line)
		} else {
			out[len(out)-1] += "\n" + line
		}
	}
	return out
}

// clausesOf splits an item into sentences and those at semicolons.
func clausesOf(item string) []string {
	item = strings.Join(strings.Fields(marker.ReplaceAllString(item, "")), " ")
	sentences := pieces(item, sentence, true)
	if len(sentences) > 0 && identity.MatchString(sentences[0]) {
		sentences = sentences[1:]
	}
	var out []string
	for _, s := range sentences {
		out = append(out, pieces(s, semicolon, false)...)
	}
	return out
}

// pieces splits at the matches of a pattern, unless that makes a piece too
// short. keep leaves what matched, without its spaces, with the piece before.
func pieces(s string, at *regexp.Regexp, keep bool) []string {
	if s == "" {
		return nil
	}
	var out []string
	from := 0
	for _, m := range at.FindAllStringIndex(s, -1) {
		end := m[0]
		if keep {
			end = m[1]
		}
		out = append(out, strings.TrimSpace(s[from:end]))
		from = m[1]
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	for _, p := range out {
		if utf8.RuneCountInString(p) < minClause {
			return []string{s}
		}
	}
	return out
}

// cut shortens a clause to maxClause characters at the end of a word.
func cut(clause string) string {
	runes := []rune(clause)
	if len(runes) <= maxClause {
		return clause
	}
	end := maxClause
	for end > 0 && !unicode.IsSpace(runes[end]) {
		end--
	}
	if end == 0 {
		end = maxClause
	}
	return strings.TrimRightFunc(string(runes[:end]), unicode.IsSpace)
}
