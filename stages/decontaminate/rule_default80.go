package decontaminate

// Default80 is the rule of the reference implementation (spec of gates, section
// 2.1): a row of the same task; else a text that equals a text of an item but for
// case and white space; else one of whose words a share stands in n-grams of a
// single such text. The share is of the row's words: a long row that contains a
// short item whole is not flagged. Use it with the ASCII words and the prompt
// alone to get what the reference does.
type Default80 struct {
	Grams   int     // words of an n-gram; 0 is 8
	Overlap float64 // the share, up to 1; 0 is 0.8, and below 0 any shared n-gram flags a row
}

// Name is default80.
func (Default80) Name() string { return "default80" }

// N is the length of the n-grams.
func (r Default80) N() int { return or(r.Grams, DefaultN) }

// Judge appends the text that covers most of the scanned one, the first of
// several, if it covers enough.
func (r Default80) Judge(e *Evidence, dst []Match) []Match {
	if t := e.exact(); t >= 0 {
		return append(dst, e.sameMatch(r, t))
	}
	var best []Run
	most := 0
	for text, runs := range byText(e.Runs(r.N())) {
		if !e.x.texts[text].part.inReference() {
			continue
		}
		if words := coveredHere(runs); words > most {
			most, best = words, runs
		}
	}
	if most == 0 {
		return dst
	}
	score := float64(most) / float64(e.Words())
	if score < min(or(r.Overlap, 0.8), 1) {
		return dst
	}
	return append(dst, e.scored(r, best, score))
}

// JudgeTask matches the task of a row.
func (r Default80) JudgeTask(x *Index, taskID string) (Match, bool) {
	if _, there := x.tasks[taskID]; !there || taskID == "" {
		return Match{}, false
	}
	return Match{Rule: r.Name(), Kind: SameTask, Text: -1, Score: 1}, true
}

// Phrase is the first n-gram of a match, as the words are compared: what the
// report of the reference implementation shows.
func (e *Evidence) Phrase(m Match, n int) string {
	for _, r := range e.Runs(n) { // by At
		if r.Text == m.Text {
			return e.x.phrase(r.Text, r.Pos, n)
		}
	}
	return ""
}
