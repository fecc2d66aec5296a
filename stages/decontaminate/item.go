package decontaminate

import (
	"fmt"
	"slices"
)

// Part says what a text of an evaluation item is.
type Part uint8

const (
	Question  Part = iota // what is asked: prompt
	Answer                // what is right: answer
	Reference             // what a grader compares with: reference
	Passage               // what the question is about: passage, else context
	Gold                  // what only a grader may know: privileged.reference
	partEnd
)

var partNames = [partEnd]string{"question", "answer", "reference", "passage", "gold"}

// inReference reports whether the reference implementation indexes the part.
func (p Part) inReference() bool { return p <= Reference }

// String is the name of the part.
func (p Part) String() string {
	if p < partEnd {
		return partNames[p]
	}
	return fmt.Sprintf("part %d", uint8(p))
}

// MarshalText writes the name of the part.
func (p Part) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the name of a part.
func (p *Part) UnmarshalText(name []byte) error {
	i := slices.Index(partNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("decontaminate: %q is no part of an item", name)
	}
	*p = Part(i)
	return nil
}

// Text is one text of an evaluation item.
type Text struct {
	Part Part
	Text string
}

// Item is one item of an evaluation set.
type Item struct {
	ID     string // what a person finds it by; "" for its number in the set
	TaskID string // its explicit task id, for the rule of the same task
	Texts  []Text // the question first
	State  State  // of its question, when it has none
}

// Set is an evaluation set. Its name tells it from other sets: two files of one
// name in two folders are two sets.
type Set struct {
	Name      string
	Items     []Item
	Malformed int // records of the set that could not be read as items
}
