package selection

import "github.com/rollmill/rollmill/formats/rollout/behaviour"

// marks are what a gate wants to know of a row and is settled by the row alone.
type marks uint16

const (
	markHeld     marks = 1 << iota // its task is held out
	markSolved                     // its task passed too often before
	markUnsolved                   // or too rarely
	markChecked                    // it has something to leak
	markLeaked
	markCut         // the reply was cut off
	markJunk        // incomplete, or a fault of the harness
	markIdle        // no tool call where one is wanted; told of rows without a label and of verified zeros
	markContent     // a reply or a tool call is there
	markVerified    // a zero from a trusted source, with content
	markLabelled    // a verdict of 0 or 1 came with it
	markPassed      // and it is 1
	markEval        // its score comes from an evaluation
	markJudgeFailed // a judge was asked and came to no verdict
	markNoPrompt    // its prompt is empty
	markScored      // a number is there: of mode SFT and Pairs
)

func (m marks) has(f marks) bool { return m&f != 0 }

// head begins a sketch of each mode: 8 bytes.
type head struct {
	prompt uint32 // number of the prompt: as it is in mode RL, normalised in the others
	slice  uint16 // number of the slice, plus 1; 0 is none
	marks  marks
}

// rlSketch is what mode RL keeps of a row: 32 bytes.
type rlSketch struct {
	head
	twin   uint64 // hash of behaviour and reply: equal in duplicates within a prompt
	task   uint32
	length uint32 // of the reply, in characters
	fault  uint16 // number of the fault kind
}

// sftSketch is what mode SFT keeps of a row: 40 bytes.
type sftSketch struct {
	head
	reward    float64
	order     uint64 // stable key of the prompt, normalised, salted with the signature
	spread    uint64 // the same of the prompt as it is
	signature behaviour.Signature
}

// pairSketch is what mode Pairs keeps of a row: 32 bytes.
type pairSketch struct {
	head
	score  float64
	turn   uint64 // hash of the first turn
	length uint32
	model  uint16 // number of the model, plus 1; 0 is unknown
}
