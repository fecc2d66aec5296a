package parquet

import (
	"github.com/parquet-go/parquet-go"
	"github.com/rollmill/rollmill/formats/rollout"
)

// record is the schema: row v1 as columns that may all be null (spec of rows,
// sections 1.14 and 9.5). It only declares them; rows are cut into columns
// without it.
type record struct {
	ID           *string    `parquet:"rollout_id,optional"`
	TaskID       *string    `parquet:"scenario_id,optional,dict"`
	GroupID      *string    `parquet:"group_id,optional,dict"`
	Index        *int64     `parquet:"rollout_index,optional"`
	Prompt       *string    `parquet:"prompt,optional"`
	Messages     []*message `parquet:"messages,optional,list"`
	Tools        *string    `parquet:"tools,optional"`
	FinalText    *string    `parquet:"final_text,optional"`
	FinishReason *string    `parquet:"finish_reason,optional,dict"`
	Logprob      *float64   `parquet:"logprob,optional"`
	NTokens      *int64     `parquet:"n_tokens,optional"`
	Reward       *float64   `parquet:"reward,optional"`
	PriorReward  *float64   `parquet:"qwen_reward,optional"`
	Status       *string    `parquet:"judge_status,optional,dict"`
	Reason       *string    `parquet:"reason,optional"`
	Judge        *string    `parquet:"judge_name,optional,dict"`
	LabelSource  *string    `parquet:"label_source,optional,dict"`
	Markers      []*marker  `parquet:"markers,optional,list"`
	Privileged   *string    `parquet:"privileged,optional"`
	Gate         *string    `parquet:"rollmill_gate,optional,dict"`
	Gates        []*finding `parquet:"rollmill_gates,optional,list"`
	Extra        *string    `parquet:"extra,optional"`
}

type message struct {
	Role       *string `parquet:"role,optional,dict"`
	Content    *string `parquet:"content,optional"`
	Name       *string `parquet:"name,optional,dict"`
	ToolCallID *string `parquet:"tool_call_id,optional"`
	ToolCalls  []*call `parquet:"tool_calls,optional,list"`
}

type call struct {
	ID       *string   `parquet:"id,optional"`
	Type     *string   `parquet:"type,optional,dict"`
	Function *function `parquet:"function,optional"`
}

type function struct {
	Name      *string `parquet:"name,optional,dict"`
	Arguments *string `parquet:"arguments,optional"`
}

// marker is a pair and not an entry of a map, which Hugging Face's datasets
// cannot load.
type marker struct {
	Name  *string  `parquet:"name,optional,dict"`
	Value *float64 `parquet:"value,optional"`
}

type finding struct {
	Gate   *string `parquet:"gate,optional,dict"`
	Code   *string `parquet:"code,optional,dict"`
	Detail *string `parquet:"detail,optional"`
}

var schema = parquet.SchemaOf(record{})

// The columns of the schema, by the number of their leaf.
const (
	colID = iota
	colTaskID
	colGroupID
	colIndex
	colPrompt
	colRole
	colContent
	colName
	colToolCallID
	colCallID
	colCallType
	colCallName
	colArguments
	colTools
	colFinalText
	colFinishReason
	colLogprob
	colNTokens
	colReward
	colPriorReward
	colStatus
	colReason
	colJudge
	colLabelSource
	colMarkerName
	colMarkerValue
	colPrivileged
	colGate
	colFindingGate
	colFindingCode
	colFindingDetail
	colExtra
	columns
)

// columnFields has the field that each column is part of.
var columnFields = [columns]rollout.Fields{
	rollout.FieldID, rollout.FieldTaskID, rollout.FieldGroupID, rollout.FieldIndex, rollout.FieldPrompt,
	rollout.FieldMessages, rollout.FieldMessages, rollout.FieldMessages, rollout.FieldMessages,
	rollout.FieldMessages, rollout.FieldMessages, rollout.FieldMessages, rollout.FieldMessages,
	rollout.FieldTools, rollout.FieldFinalText, rollout.FieldFinishReason, rollout.FieldLogprob, rollout.FieldNTokens,
	rollout.FieldReward, rollout.FieldPriorReward, rollout.FieldStatus, rollout.FieldReason, rollout.FieldJudge,
	rollout.FieldLabelSource, rollout.FieldMarkers, rollout.FieldMarkers, rollout.FieldPrivileged, rollout.FieldGate,
	rollout.FieldGates, rollout.FieldGates, rollout.FieldGates, rollout.FieldExtra,
}

// Definition levels: how much of the path to a value is there.
const (
	flatValue = 1 // of a column that is no list

	listEmpty   = 1 // of a list: below it, the list is null
	listElement = 3
	listValue   = 4 // of a member of an element

	callElement  = 6 // of the list of calls in a message
	callValue    = 7
	functionText = 8 // of a member of the function in a call
)
