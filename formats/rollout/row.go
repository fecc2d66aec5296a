package rollout

import "github.com/rollmill/rollmill/stream"

// Pos is where a row came from; see [stream.Pos].
type Pos = stream.Pos

// Row is one rollout: one conversation an agent had on one task, plus what was
// later said about it. It is one type for the whole program; what other people
// call these things is the business of package dialect.
//
// Strings of a row that was read point into the block it was read from. The
// block is immutable and never reused, so a row may be kept; whoever keeps one
// string of many rows should clone it, since it pins its whole block.
//
// Fields that decide what is written are set through the Set methods, or
// assigned and then named to Touch, so that the writer knows what changed.
type Row struct {
	Pos Pos // given by the reader, never changed

	ID      string // rollout_id
	TaskID  string // scenario_id, else task_id
	GroupID string // group_id
	Index   Value  // rollout_index: number of the rollout within its task

	Prompt   string    // the task text, the first user message
	Messages []Message // the conversation; rebuilt from steps when the record has only those
	Tools    string    // JSON text: the list of tool schemas the agent had

	FinalText    string // the last thing the agent said
	FinishReason string // stop, length, tool, error
	Logprob      Value  // sum of the log-probabilities of all agent tokens
	NTokens      Value  // number of those tokens

	Reward      Value    // the primary verdict, in 0..1
	PriorReward Value    // qwen_reward: the verdict a judge overwrote
	Status      Status   // judge_status
	Reason      string   // why, short
	Judge       string   // judge_name
	LabelSource string   // label_source: who set the reward when no judge ran
	Markers     []Marker // named side measurements, in the order of the record

	Privileged string // JSON text: what only the grader may know

	Gate  string    // rollmill_gate: the gate the row ended at
	Gates []Finding // rollmill_gates: what the gates found

	Extra []Member // every field that has no column of its own, in its order

	has     Fields   // fields that hold a value
	kept    Fields   // known fields whose exact JSON text is in Extra, where it wins
	changed Fields   // fields that differ from src
	present Fields   // fields whose name, or other name, stands in src
	others  nameSet  // names in src that are no fields
	set     []Member // members of Extra that differ from src
	rebuilt bool     // the messages were rebuilt from steps
	src     string   // the JSON text the row was decoded from; "" when it was made
}

// Message is one chat message in the OpenAI shape.
type Message struct {
	Role       string
	Content    string // the text; "" when there is none
	Parts      string // JSON text of a content that is neither text nor null: a list of parts
	Name       string
	ToolCallID string
	ToolCalls  []ToolCall
	NoContent  Absence // tells a null or absent content from an empty text
}

// ToolCall is one call of a tool within an assistant message.
type ToolCall struct {
	ID        string
	Type      string // "function" on the wire
	Name      string
	Arguments string // JSON text, kept as it came; not always valid JSON: models write it
}

// Absence tells how a value is missing.
type Absence uint8

const (
	Present Absence = iota // it is there
	Null                   // an explicit null
	Missing                // no such member
)

// Marker is a named side measurement. By convention 1 is good.
type Marker struct {
	Name  string
	Value Value
}

// Finding is what one gate found about a row.
type Finding struct {
	Gate   string
	Code   string
	Detail string
}

// Member is a field of a record that Rollmill does not know, or whose JSON its
// column would not reproduce: its name (decoded) and its value as JSON text.
type Member struct {
	Name string
	JSON string
}

// Position returns where the row came from, for errors of a flow.
func (r Row) Position() Pos { return r.Pos }
