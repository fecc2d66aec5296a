package decontaminate

// Report says what was found in rows.
type Report struct {
	Rows       int64          `json:"rows"`
	Kept       int64          `json:"kept"`
	Flagged    int64          `json:"flagged"`
	Config     Config         `json:"index"`
	Parts      []string       `json:"parts"`
	Rules      []RuleReport   `json:"rules"`
	Sets       []SetReport    `json:"sets"`
	Meaning    *MeaningReport `json:"meaning,omitzero"`     // where the semantic rule was asked
	Prompts    *States        `json:"prompts,omitzero"`     // of the rows, where prompts are compared
	Blank      int64          `json:"rows_without_text"`    // nothing of these was compared
	Beside     []NameCount    `json:"members_not_compared"` // members that hold text, and the rows they do so in
	Skipped    []Skipped      `json:"rules_skipped"`
	Discounted []Discounted   `json:"discounted,omitempty"`
	Less       int64          `json:"discounted_hits"` // times that an n-gram which is no evidence was found
	First      []Example      `json:"examples"`        // of each of the first rows flagged its best match
	Top        []Example      `json:"top"`             // the best matches, one a row
	Notes      []Note         `json:"notes"`
}

// RuleReport counts rows by what one rule made of them.
type RuleReport struct {
	Name   string      `json:"rule"`
	Rows   int64       `json:"rows"`
	Kinds  []NameCount `json:"by_kind"` // of the first match of a row
	Parts  []NameCount `json:"by_part"` // of the first match of a row
	Scores []ScoreBin  `json:"scores"`  // of the best match of a row, where there are any
}

// NameCount is a name and how many rows it stands for.
type NameCount struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
}

// ScoreBin is how many rows have a score from so much on, up to the next bin.
type ScoreBin struct {
	From float64 `json:"from"`
	Rows int64   `json:"rows"`
}

// SetReport says of one evaluation set what of it was found.
type SetReport struct {
	Name    string    `json:"set"`
	Items   int       `json:"items"`
	Copies  int       `json:"copies"`  // texts that an earlier item has too
	States  States    `json:"records"` // its records by the state of their questions
	ByRule  []SetRule `json:"by_rule"`
	NotSeen int       `json:"not_checkable"` // items whose question has no words
}

// SetRule is what one rule found of a set.
type SetRule struct {
	Rule     string `json:"rule"`
	ItemsHit int    `json:"items_hit"`
	Rows     int64  `json:"rows"`
}

// Skipped says why a rule could not have found anything.
type Skipped struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Note is something that has to be known about the figures: a code for programs
// and a sentence for people.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Report returns what was counted.
func (t *Tally) Report() *Report {
	r := &Report{
		Rows: t.rows, Kept: t.rows - t.flagged, Flagged: t.flagged, Config: t.x.Config(), Parts: t.o.Parts.Names(),
		Blank: t.blank, Beside: t.beside.list(),
		Rules: []RuleReport{}, Sets: []SetReport{}, Skipped: []Skipped{}, Less: t.discounted,
		First: append([]Example{}, t.first...), Top: append([]Example{}, t.top...), Notes: []Note{},
	}
	if t.o.Parts&Prompt != 0 {
		r.Prompts = &t.prompts
	}
	if t.o.Boilerplate != nil {
		r.Discounted = t.o.Boilerplate.Report()
	}
	for i := range t.rules {
		r.Rules = append(r.Rules, t.rules[i].report(t.o.Rules[i].Name()))
	}
	for i := range t.x.sets {
		set := t.x.setReport(i)
		for k := range t.rules {
			set.ByRule = append(set.ByRule, SetRule{t.o.Rules[k].Name(), t.rules[k].itemsOf(&t.x.sets[i]), t.rules[k].sets[i]})
		}
		r.Sets = append(r.Sets, set)
	}
	t.note(r)
	t.reportMeaning(r)
	return r
}

func (r *ruleTally) report(name string) RuleReport {
	out := RuleReport{Name: name, Rows: r.rows, Kinds: []NameCount{}, Parts: []NameCount{}, Scores: []ScoreBin{}}
	for i, n := range r.kinds {
		if n > 0 {
			out.Kinds = append(out.Kinds, NameCount{kindNames[i], n})
		}
	}
	out.Parts = partCounts(r.parts[:])
	for i, n := range r.scores {
		if n > 0 {
			out.Scores = append(out.Scores, ScoreBin{float64(i) / (scoreBins - 1), n})
		}
	}
	return out
}

// partCounts names the parts that rows were found in.
func partCounts(parts []int64) []NameCount {
	list := []NameCount{}
	for i, n := range parts {
		switch {
		case n > 0 && i < len(partsNames):
			list = append(list, NameCount{partsNames[i], n})
		case n > 0:
			list = append(list, NameCount{"task", n})
		}
	}
	return list
}

// SetReports says what the index was made of, set by set.
func (x *Index) SetReports() (list []SetReport) {
	for i := range x.sets {
		list = append(list, x.setReport(i))
	}
	return list
}

func (x *Index) setReport(i int) SetReport {
	set := &x.sets[i]
	return SetReport{
		Name: set.Name, Items: set.Items, Copies: set.Copies, States: set.States,
		NotSeen: int(set.States.Missing + set.States.Null + set.States.Empty), ByRule: []SetRule{},
	}
}

// itemsOf is how many items of a set the rule found.
func (r *ruleTally) itemsOf(set *setInfo) (items int) {
	for item := set.First; item < set.First+set.Items; item++ {
		if r.items.has(item) {
			items++
		}
	}
	return items
}
