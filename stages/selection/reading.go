package selection

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// noFault is the fault kind of rows that met none.
const noFault = "no fault"

// reader reads what the gates want to know of one row after the other, and
// keeps its buffers.
type reader struct {
	behaviour.Reader
	digester
	lower string // the final text in lower case, trimmed, as junk read it
	buf   []byte

	lastTask, lastPrompt string // rows of a task follow on each other
	task, prompt         digest
	lastRaw, norm        string // a prompt, and its normal form
}

func (x *reader) begin(r *rollout.Row) { x.Read(r) }

// forget drops the texts of the last row, which point into its block.
func (x *reader) forget() { x.lastTask, x.lastPrompt, x.lastRaw, x.norm = "", "", "", "" }

// promptKey is the normal form of the prompt of a row.
func (x *reader) promptKey(r *rollout.Row) string {
	if r.Prompt != x.lastRaw {
		x.lastRaw, x.norm = r.Prompt, r.PromptKey()
	}
	return x.norm
}

// taskDigest is the digest of the task key.
func (x *reader) taskDigest(key string) digest {
	if key != x.lastTask || key == "" {
		x.lastTask, x.task = key, x.of(key, "")
	}
	return x.task
}

// promptDigest is the digest of a prompt.
func (x *reader) promptDigest(prompt string) digest {
	if prompt != x.lastPrompt || prompt == "" {
		x.lastPrompt, x.prompt = prompt, x.of(prompt, "")
	}
	return x.prompt
}

// readRL reads a row in mode RL.
func (a *Accumulator) readRL(h head, r *rollout.Row) rlSketch {
	x, o := &a.read, &a.o.RL
	s := rlSketch{head: h}
	key := x.taskDigest(r.TaskKey())
	s.task = a.tasks.number(key)
	s.prompt = a.prompt.number(x.promptDigest(r.Prompt))
	if o.Prior != nil && !s.marks.has(markHeld) {
		if side, ok := o.Prior.placeOf(key, o.Band); ok {
			s.marks |= [...]marks{markUnsolved, 0, markSolved}[side+1]
		}
	}
	if evalSourced(r) {
		s.marks |= markEval
	}
	if x.Truncated() {
		s.marks |= markCut
	}
	marked := s.marks.has(markCut) && o.Truncated != DropTruncated
	penalized := s.marks.has(markCut) && o.Truncated == PenalizeTruncated
	s.marks |= x.verdict(r, penalized, !o.NoTools)
	if x.junk(marked || truthy(member(r, "overlong"))) {
		s.marks |= markJunk
	}
	s.marks |= a.leak(s.marks)
	s.length = uint32(x.ReplyLength())
	if fault := x.FaultName(); fault != "" {
		s.fault = a.faults.number(fault)
	}
	s.twin = x.twin()
	return s
}

// twin is a hash of behaviour and reply, which junk has read before. The shape that
// signatures are made of says where arguments came from and not what they were; that is the reference
// for records with steps. For records that tell their calls in messages alone it
// has no rule, and there whoever called with something else did something else.
func (x *reader) twin() uint64 {
	x.buf = text.AppendNorm(x.AppendShape(x.buf[:0]), x.lower)
	if !x.Traced() {
		messages := x.Row().Messages
		for i := range messages {
			for _, c := range messages[i].ToolCalls {
				x.buf = append(append(append(append(x.buf, 0), c.Name...), 0), c.Arguments...)
			}
		}
	}
	return xxh3.Hash(x.buf)
}

// verdict reads the label of a row, and where the text gates depend on it what
// they ask for.
func (x *reader) verdict(r *rollout.Row, penalized, hasTools bool) (m marks) {
	pass, labelled := r.BinaryOrPriorReward()
	if labelled {
		m |= markLabelled
		if pass {
			m |= markPassed
		}
	}
	if x.content() {
		m |= markContent
		judged := r
		if penalized {
			zero := *r
			zero.Reward, zero.Status = rollout.Number(0), rollout.StatusOK
			judged = &zero
		}
		if judged.VerifiedZero() {
			m |= markVerified
		}
	}
	if hasTools && (!labelled || m.has(markVerified)) && x.idle() {
		m |= markIdle
	}
	return m
}

// content tells whether there is anything to train on: a tool call, a final
// text, a message of the assistant that says or calls something.
func (x *reader) content() bool {
	if !blank(x.FinalText()) || x.callsTool() {
		return true
	}
	for said := range x.Said() {
		if said != "" {
			return true
		}
	}
	return false
}

func blank(s string) bool { return text.Trim(s) == "" }

// readSFT reads a row in mode SFT.
func (a *Accumulator) readSFT(h head, r *rollout.Row) sftSketch {
	x := &a.read
	s := sftSketch{head: h}
	norm := x.promptKey(r)
	s.prompt = a.prompt.number(x.promptDigest(norm))
	if reward, ok := r.ScalarReward(); ok {
		s.reward = reward
		s.marks |= markScored
	}
	if evalSourced(r) {
		s.marks |= markEval
	}
	s.marks |= a.leak(s.marks)
	if x.junk(truthy(member(r, "overlong"))) {
		s.marks |= markJunk
	}
	s.signature = x.Signature()
	salt := s.signature.String()
	s.order, s.spread = x.of(norm, salt).hi, x.of(r.Prompt, salt).hi
	return s
}

// readPair reads a row in mode Pairs.
func (a *Accumulator) readPair(h head, r *rollout.Row) pairSketch {
	x := &a.read
	s := pairSketch{head: h}
	norm := x.promptKey(r)
	s.prompt = a.prompt.number(x.promptDigest(norm))
	if norm == "" {
		s.marks |= markNoPrompt
	}
	if r.Status != rollout.StatusAbsent && r.Status != rollout.StatusOK {
		s.marks |= markJudgeFailed
	}
	if score, ok := r.PairScore(); ok {
		s.score = score
		s.marks |= markScored
	}
	if evalSourced(r) {
		s.marks |= markEval
	}
	s.length = uint32(x.ReplyLength())
	s.turn = xxh3.HashString(x.firstTurn())
	if model := textOf(member(r, "model_version")); model != "" {
		s.model = a.models.number(model) + 1
	}
	return s
}

// firstTurn is what the agent did first: its first call, else the first thing it
// said (spec of gates, section 5.6). Where a record has messages alone, a call
// in the first of them counts as a step would.
func (x *reader) firstTurn() string {
	steps := x.Steps()
	for i := range steps {
		if steps[i].Name != "" {
			return callText(steps[i].Name, steps[i].Arguments)
		}
	}
	for i := range steps {
		if said := textOf(steps[i].Text); !blank(said) {
			return said
		}
	}
	messages := x.Messages()
	for i := range messages {
		m := &messages[i]
		if m.Role != rollout.RoleAssistant {
			continue
		}
		if said := m.Text(); !blank(said) {
			return said
		}
		if len(m.ToolCalls) > 0 {
			return callText(m.ToolCalls[0].Name, m.ToolCalls[0].Arguments)
		}
	}
	return x.FinalText()
}

// callText is a call with its arguments sorted by name.
func callText(name, arguments string) string {
	value := jsontext.Value(strings.Clone(arguments))
	if value.Canonicalize(jsontext.CanonicalizeRawFloats(false), jsontext.CanonicalizeRawInts(false)) != nil {
		return name + "\x00" + arguments
	}
	return name + "\x00" + string(value)
}

// evalSourced tells whether the score of a row comes from an evaluation.
func evalSourced(r *rollout.Row) bool {
	lineage := member(r, "lineage")
	return lineage != "" && textOf(memberOf(lineage, "source")) == "eval"
}
