package labelled

// Programming tasks.
var (
	tasks = []string{
		"Write a function `{ident1}` that takes a list of {adj} {things1} and returns the {things1} whose {thing} is {adj}.",
		"Implement `{ident1}(text)`, which counts how often the word {thing} stands before {adj} {things} in a text.",
		"Given two arrays `{things1}` and `{things2}`, find the largest {adj} difference that `{ident1}` can reach in one pass.",
		"def {ident1}({thing1}, {thing2}): return the {adj} {things} of a grid in the order in which a {animal} meets them.",
		"Complete the class {name1}{name2} so that `{ident1}` merges {adj} {things} without changing the {thing}.",
		"Parse a log of {jobs}, one a line, and report with `{ident1}` which {job} {verbed} the most {things}.",
		"You have a graph of {places1} joined by {adj} roads; `{ident1}` shall give the cheapest way from {place} to {place}.",
		"The table `{things1}` has columns {thing1}, {thing2} and {concept}; select every {adj} {thing} that {name} {verbed}.",
		"Create a stack of {things1} where `{ident1}` runs in constant time even if {adj} {things} are removed.",
		"Translate a string of {animals} into {things1} by the rules in `{ident1}`, {adj} letters first.",
		"Simulate {jobs} in a queue: `{ident1}` moves each {adj} one behind the {thing} and stops when {concept} is reached.",
		"Using recursion, let `{ident1}` split {adj} {things1} into parts of equal {concept}, or say that no {thing} fits.",
	}
	constraints = []string{
		"An empty list of {things} yields an empty {thing}.",
		"Ties go to the {thing} that comes first in the {place}.",
		"The input holds at most {n} {things}, each below {n}.",
		"Do not sort; {adj} {things} keep their places.",
		"If the {thing} is missing, use the {adj} one instead.",
		"Values above {n} count as {adj}.",
		"Upper and lower case {things} are the same to a {job}.",
		"Raise a ValueError for every {adj} {thing}.",
	}
	examples = []string{
		"For instance `{ident1}([{n}, {n}, {n}])` gives {n}.",
		"Example: {ident1}('{thing} {thing}') == '{animal}'.",
		"So [{n}, {n}] becomes [{n}, {n}, {n}] and '{thing}' stays '{thing}'.",
		">>> {ident1}({n}, {n})\n{n}",
	}
)

func (w *writer) task() string {
	w.given["places1"] = plural(pick(w.source, places))
	return w.sentence() + " " + w.write(pick(w.source, of(w.half, tasks))) + " " + w.write(pick(w.source, of(w.half, constraints))) +
		" " + w.sentence() + "\n" + w.write(pick(w.source, of(w.half, examples)))
}
