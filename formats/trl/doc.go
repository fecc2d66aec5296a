// Package trl shapes rows as the trainers of TRL take them, a line of JSON each
// (spec of rows, sections 5.5 and 9.1):
//
//	line, err := trl.AppendMessages(nil, &row)            // SFTTrainer
//	line, err = trl.AppendPrompt(nil, &row, "42")         // GRPOTrainer, one a task
//	line, err = trl.AppendPreference(nil, &better, &worse) // DPOTrainer
//
// Arguments of tool calls are objects there, since chat templates want objects, and
// of what only the grader may know nothing is written but the reference and the
// info that reward functions get.
package trl
