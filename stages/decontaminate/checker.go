package decontaminate

import "github.com/rollmill/rollmill/formats/rollout"

// Checker applies rules to rows: it scans each text of a row once and judges it
// by every rule. Make one for each worker; it is not safe for concurrent use.
type Checker struct {
	x       *Index
	rules   []Rule
	parts   Parts
	scanner *Scanner
	escapes escapes
	found   []Found
	matches []Match
	shared  shared
	look    func(Place, string) // the method judge

	prompt     State // of the prompt of the last row
	discounted int   // n-grams found in it that are no evidence
	texts      int   // its texts that have words
}

// Found is a match and where in the row it stands.
type Found struct {
	Match
	Place Place
	Rule  int // the number of the rule
}

// taskRule is a rule that reads the task id of a row.
type taskRule interface {
	JudgeTask(x *Index, taskID string) (Match, bool)
}

// NewChecker returns a checker of rows by rules. It panics when the index does
// not serve one; see [Index.Serves].
func (x *Index) NewChecker(parts Parts, rules ...Rule) *Checker {
	c := &Checker{x: x, rules: rules, parts: parts, scanner: x.NewScanner(rules...)}
	c.look = c.judge
	return c
}

// Row returns what the rules find in a row: by text, and within a text by rule.
// A rule that matches the task comes first. The result holds until the next row.
func (c *Checker) Row(row *rollout.Row) []Found {
	c.found, c.discounted, c.texts = c.found[:0], 0, 0
	for i, r := range c.rules {
		if t, ok := r.(taskRule); ok {
			if m, ok := t.JudgeTask(c.x, row.TaskID); ok {
				c.found = append(c.found, Found{Match: m, Place: Place{Message: -1, Call: -1}, Rule: i})
			}
		}
	}
	prompt, state := promptOf(row)
	c.prompt = state
	c.parts.each(row, prompt, c.look)
	return c.found
}

// judge judges one text of a row.
func (c *Checker) judge(place Place, text string) {
	slot, there := c.shared.slot(place.Part, text)
	if there {
		c.count(place, slot.words, slot.discounted)
		for _, f := range slot.found {
			f.Place = place
			c.found = append(c.found, f)
		}
		return
	}
	before := len(c.found)
	e := c.scanner.Scan(c.escapes.open(place.Part, text))
	c.count(place, e.Words(), e.Discounted())
	if !e.Clean() {
		c.apply(place, e)
	}
	if slot != nil {
		slot.keep(text, e.Words(), e.Discounted(), c.found[before:])
	}
}

// count counts a text of so many words.
func (c *Checker) count(place Place, words, discounted int) {
	c.discounted += discounted
	if words > 0 {
		c.texts++
	}
	if place.Part == Prompt && c.prompt == Usable {
		c.prompt = c.stateOf(words)
	}
}

// apply applies the rules to what a scan found.
func (c *Checker) apply(place Place, e *Evidence) {
	for i, r := range c.rules {
		c.matches = r.Judge(e, c.matches[:0])
		for _, m := range c.matches {
			m.Start, m.End = c.escapes.place(m.Start), c.escapes.place(m.End)
			c.found = append(c.found, Found{Match: m, Place: place, Rule: i})
		}
	}
}

// Prompt is the state of the prompt of the last row, where prompts are compared.
func (c *Checker) Prompt() State { return c.prompt }

// Discounted is how many n-grams were found in the last row that are no evidence.
func (c *Checker) Discounted() int { return c.discounted }

// Texts is how many texts of the last row have words: without any, that nothing was
// found is no clearance.
func (c *Checker) Texts() int { return c.texts }

// stateOf is the state of a text of so many words: those of fewer than the
// shortest n-grams that are looked up are too short.
func (c *Checker) stateOf(words int) State {
	switch {
	case words == 0:
		return Empty
	case len(c.scanner.grams) > 0 && words < c.scanner.grams[0].n:
		return TooShort
	}
	return Usable
}
