package labelled

import "strings"

// sentences are what plain prose, passages and the talk around a copy are made of.
var sentences = []string{
	"the {adj} {thing} that {name} {verbed} in the {place} [last spring|that evening|years ago] was never {verbed} again",
	"nobody in {town} {verbed} the {things} until the {job} {verbed} a {adj} {thing} beside the {place}",
	"[when|after|before] the {job} left the {place}, {name} {verbed} [every|each|one] {adj} {thing} and {verbed} the {things}",
	"there was a {adj} smell of {things} in the {place}, and the {animals} kept away from it",
	"{name} once told the {job} that {adj} {things} are [worth|like] nothing without a {adj} {thing}",
	"on {day} a {job} from {town} {verbed} [some|several|a few] {things}, though {name} had {verbed} them [already|before]",
	"it took the {jobs} of {town} a whole winter to get the {adj} {thing} out of the {place}",
	"a {adj} {animal} slept under the {thing} while {name} {verbed} the {adj} {things}",
	"[some|many|most] {jobs} say that the {place} near {town} was built by {jobs} who {verbed} {adj} {things}",
	"{name} did not mind the {adj} {place}, but the {thing} on the {thing} made the {kin} uneasy",
	"the {place} of {town} is known for its {adj} {things}, its {animals} and one {adj} {thing}",
	"in {year} the {adj} {place} burned down, and what the {jobs} {verbed} there became a {thing}",
	"if one looks at {concept} from the side of {field}, it {does} {concept} more than {concept} does",
	"{name} wrote to a {kin} in {town} about {animals}, {things} and the {adj} weather",
	"[by noon|at dawn|toward night] the {animals} had {verbed} half of the {adj} {things} in the {place}",
	"whoever {verbed} the {thing} must have known the {place}, thought the {job}, and {verbed} a {adj} {thing}",
	"the book on {field} says little of {concept}, which {does} {concept} wherever {concept} is {adj}",
	"for {n} days the {kin} of {name} {verbed} nothing but {things}, and the {jobs} began to talk",
	"{adj} {things} lay on the {thing}; a {animal} had {verbed} them, or so {name} believed",
	"a letter from {town} arrived, in which {name} [asked for|described|complained of] {adj} {things}",
	"[few|no] {jobs} remember how {concept} and {concept} were taught in {town} before {year}",
	"under the {adj} roof of the {place} {name} kept {n} {things} and a {animal} that feared {things}",
	"the younger {job} {verbed} what the older one {verbed}, so the {place} filled with {things}",
	"along the road to {town} stand {adj} {things}, [each|every one] {verbed} by a different {job}",
	"{concept} {does} {concept}, as every student of {field} learns, [unless|except where] {concept} {does} both",
	"{name} and {name} {verbed} a {thing} for the {kin} who had {verbed} the {adj} {place}",
	"at the {place} they sell {things} by the {thing}, and {adj} {animals} on {day}",
	"rain had {verbed} the {things}, yet the {adj} {thing} of the {job} stayed dry",
	"children from {town} like to watch the {animals} which the {job} {verbed} near the {place}",
	"[perhaps|maybe] the {adj} {thing} was {verbed} by mistake, [wrote|said|thought] {name}, since {jobs} seldom look",
	"what {field} calls {concept} is to a {job} merely {adj} {concept}",
	"the {animal} of {name} {verbed} a {thing}, which amused the {jobs} of the {place} for weeks",
}

// sentence writes one sentence of the half.
func (w *writer) sentence() string {
	return capital(w.write(pick(w.source, of(w.half, sentences)))) + "."
}

// prose writes sentences of about that many words.
func (w *writer) prose(words int) string {
	var all []string
	for n := 0; n < words; {
		s := w.sentence()
		n += strings.Count(s, " ") + 1
		all = append(all, s)
	}
	return strings.Join(all, " ")
}
