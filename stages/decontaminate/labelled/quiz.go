package labelled

import "strings"

// Knowledge questions, with options, and short ones without.
var (
	stems = []string{
		"Which of the following best describes how {concept} {does} {concept} in {field}?",
		"A student of {field} observes that {concept} {does} {adj} {concept}. What follows?",
		"According to the {town} school of {field}, {concept} is {adj} because",
		"In {field}, the term {adj} {concept} refers to",
		"{name} argued in {year} that {concept} {does} {concept}. Which finding would weaken that claim?",
		"What distinguishes {adj} {concept} from {concept} in the study of {concept}?",
		"Which statement about {concept} and {concept} is NOT true in {field}?",
		"The {town} experiment on {concept} is important to {field} since it showed that",
		"When {concept} {does} {concept}, one would expect that",
		"All of these are examples of {adj} {concept} EXCEPT",
		"Where a {job} applies {field} to {concept}, the chief difficulty is that",
		"The theory of {adj} {concept}, proposed by {name}, holds that",
	}
	options = []string{
		"{concept} {does} the {adj} {concept} of {concept}",
		"{adj} {concept} rather than {concept}",
		"a {adj} form of {concept} among {jobs}",
		"the {concept} of {concept} is {adj}",
		"it {does} {concept} and {does} {concept}",
		"neither {concept} nor {adj} {concept}",
		"{jobs} who {verbed} {concept}",
		"no {concept} without {concept}",
	}
	// readings are asked about a passage.
	readings = []string{
		"From the text, what became of the {adj} {things}?",
		"According to what you have read, who {verbed} the {thing}?",
		"Which of the people in this account seems {adj}?",
		"What can be said of {town} after reading it?",
		"How many animals are spoken of above, {animals} included?",
		"Sum up what the {job} believed, in your own words.",
		"What is the writer's view of {concept}?",
		"Does the account say why anybody {verbed} {things}?",
	}
	shorts = []string{
		"Who {verbed} the {adj} {thing} of {town} before {year}?",
		"Why would {concept} hinder {concept} in {adj} {field} or {field}?",
		"Which {animal} {verbed} the {adj} {thing} near the {place}?",
		"What does {adj} {concept} mean to a {job} of {town}?",
		"How is {concept} measured in {field} with a {adj} {thing}?",
		"In which year was the {adj} {place} of {town} {verbed}?",
		"Name the {job} who {verbed} {adj} {things} in {town}.",
		"Explain how a {thing} {does} {concept} to a {adj} {kin}.",
		"Where do {adj} {animals} keep the {things} of {town}?",
		"Is {concept} {adj} when {concept} {does} the {thing}?",
		"List three {adj} uses of a {thing} in {field}.",
		"Describe the {adj} {thing} that {name} {verbed} in {town}.",
	}
)

func (w *writer) quiz() string {
	s := w.write(pick(w.source, of(w.half, stems)))
	forms := [][4]string{{"A) ", "B) ", "C) ", "D) "}, {"(a) ", "(b) ", "(c) ", "(d) "}, {"A. ", "B. ", "C. ", "D. "}}
	form, mine := pick(w.source, forms), of(w.half, options)
	for _, mark := range form {
		s += "\n" + mark + w.write(pick(w.source, mine))
	}
	return s
}

// short writes a question of 8 to 12 words.
func (w *writer) short() string {
	for {
		s := newWriter(w.source, w.half).write(pick(w.source, of(w.half, shorts)))
		if n := len(strings.Fields(s)); n >= 8 && n <= 12 {
			return s
		}
	}
}
