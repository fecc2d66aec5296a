package mathequal

import "strings"

// normalise takes out of the text of an answer what carries no value, before it is
// cut into tokens: dollars around it, a point behind it, doubled backslashes, the
// braces of {,} and hard spaces within numbers. What can be told only with the
// tokens around it (units, fonts, missing braces) is left to lexer and parser.
func normalise(s string) string {
	s = strings.TrimSpace(s)
	for {
		was := s
		s = strings.TrimSpace(strings.TrimRight(s, ".;,"))
		for _, d := range [...][2]string{{"$$", "$$"}, {"$", "$"}, {`\(`, `\)`}, {`\[`, `\]`}, {"**", "**"}} {
			if len(s) > len(d[0])+len(d[1]) && strings.HasPrefix(s, d[0]) && strings.HasSuffix(s, d[1]) && !strings.HasSuffix(s, `\`+d[1]) {
				s = strings.TrimSpace(s[len(d[0]) : len(s)-len(d[1])])
			}
		}
		if s == was {
			break
		}
	}
	s = strings.TrimSuffix(s, `\`) // of a hard space that was trimmed
	if strings.Contains(s, `\!`) {
		s = strings.ReplaceAll(s, `\!`, "")
	}
	if strings.Contains(s, "{,}") {
		s = strings.ReplaceAll(s, "{,}", ",")
	}
	if strings.Contains(s, `\\`) && !strings.Contains(s, `\begin{`) {
		s = strings.ReplaceAll(s, `\\`, `\`)
	}
	return s
}
