package labelled

// Word problems: an opening, one or two turns and a question.
var (
	openings = []string{
		"{name1} the {job} {verbed} {n} {adj} {things1} and {n} {things2} at the {place} in {town}.",
		"A {place} in {town} holds {n} {adj1} {things1}, of which {n} are {adj}.",
		"{name1}'s {kin} {verbed} {n} {things1} on {day} and twice as many on {day}.",
		"At the {place}, each {adj1} {thing} costs {n} coins and each {things1} set costs {n} coins.",
		"{name1} has {n} {things1} in a {adj} {thing}, {n} fewer than {name2} the {job}.",
		"The {jobs} of {town} {verbed} {n} {adj} {things1} every day for {n} days.",
		"{n} {animals} and {n} {animals} share a {place} with {name1}, who {verbed} {n} {things1}.",
		"A {adj1} {thing} can carry {n} {things1}, and {name1} owns {n} of them.",
		"In {town} a {job} earns {n} coins for every {n} {adj} {things1} that are {verbed}.",
		"{name1} and {name2} {verbed} {n} {things1} together; {name2} {verbed} {n} of them.",
		"Last {day} {n} {jobs} in the {place} {verbed} {n} {things1} each.",
		"There are {n} rows of {n} {things1} in {name1}'s {place}, all of them {adj}.",
		"A {job} called {name1} packs {things1} into {adj} crates that hold {n} {things1} apiece.",
		"Of the {n} {things1} that {name1} {verbed} in {town}, one in {n} was {adj}.",
		"{name1} walks {n} miles from the {place} to {town} with {n} {things1} and a {animal}.",
		"The {adj} {place} opens with {n} {things1} on {day} and {verbed} {n} more by noon.",
	}
	turns = []string{
		"Then {n} of the {things1} were {verbed} by a {adj} {animal}, and a {job} {verbed} {n} others.",
		"A {kin} gave back {n} {things1}, but {n} had to be {verbed} on {day}.",
		"On the way to the {place}, {n} {things1} fell out of the {thing}, and {n} {adj} ones were {verbed} instead.",
		"Each {job} got {n} of them, and a {kin} in {town} {verbed} {n}.",
		"After {n} weeks, {n} percent of the {things1} had been {verbed} for {adj} {things}.",
		"The {job} from {town} asked for {n} {things1} and paid {n} coins for each.",
		"By {day} the {adj} {thing} was {n} times as heavy, since {n} {things1} had been {verbed}.",
		"Every {n} hours the {animals} {verbed} {n} {things1}, which lasted for {n} hours.",
		"{n} {adj} {things1} were too {adj} to keep, so they were {verbed} at {n} coins a {thing}.",
		"A storm {verbed} {n} {things1}, and the {jobs} {verbed} {n} from the {place}.",
		"Half of what remained was {verbed} to the {place}, with {n} {things} on top.",
		"For every {thing} that was {verbed}, {n} {adj} {things1} came from {town}.",
		"A discount of {n} percent was given on the {adj} {things1} to {n} {jobs}.",
		"Two {kin}s of a {job} {verbed} {n} {things1} more than the {animals} did.",
	}
	questions = []string{
		"How many {things1} are left?",
		"What did all of this cost in coins?",
		"How many {things1} does the {job} have now?",
		"Find the number of {adj} {things1} at the end of the week.",
		"How many more {things1} must be {verbed} to reach {n}?",
		"By how much did the {things1} exceed {n}?",
		"How many coins remain after all {things1} are paid for?",
		"What is the average number of {things1} for each {job}?",
		"How many {things1} were not {verbed}?",
		"After how many days will there be {n} {things1}?",
		"In total, how many {things1} reached the {place}?",
		"What share of the {things1} was {adj}, in percent?",
	}
)

func (w *writer) wordProblem() string {
	s := w.write(pick(w.source, of(w.half, openings))) + " " + w.write(pick(w.source, of(w.half, turns)))
	if w.percent(40) {
		s += " " + w.write(pick(w.source, of(w.half, turns)))
	}
	return s + " " + w.write(pick(w.source, of(w.half, questions)))
}
