package mathequal

// Place is where in a reply an answer stood.
type Place uint8

const (
	Nowhere     Place = iota // no answer was found
	Whole                    // the text was given as an answer, or is one from end to end
	Hope                     // "the final answer is ... I hope it is correct"
	Boxed                    // \boxed{...}, or several that belong together
	Phrase                   // "final answer ... is ..."
	Marker                   // after ####, or A: at the start of a line
	AnswerColon              // close after "answer:"
	AnswerWord               // after "answer"
	Formula                  // the last formula of the text
	LastNumber               // the last number or plain expression of the text
)

var placeNames = [...]string{"nowhere", "whole", "hope", "boxed", "phrase", "marker", "answer colon", "answer word", "formula", "last number"}

// String returns the name of the place.
func (p Place) String() string { return name(placeNames[:], int(p)) }

// Anchored reports whether the text itself says that its answer stands here.
func (p Place) Anchored() bool { return p > Whole && p < Formula }
