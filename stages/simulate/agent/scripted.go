package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/simulate/draw"
	"github.com/rollmill/rollmill/stages/simulate/tools"
)

// Behavior is a fault that the scripted agent plants.
type Behavior string

// The planted behaviours (spec of simulation, section 12).
const (
	Hedging     Behavior = "hedging"
	Sycophancy  Behavior = "sycophancy"
	Apology     Behavior = "apology"
	Boilerplate Behavior = "boilerplate"
	IgnoreFault Behavior = "ignore_fault" // claims success where the tool failed
	Leak        Behavior = "leak"         // tells what only the grader may know
)

// Behaviors returns the behaviours in order.
func Behaviors() []Behavior {
	return []Behavior{Hedging, Sycophancy, Apology, Boilerplate, IgnoreFault, Leak}
}

// DefaultRate is the share of rollouts in which the scripted agent misbehaves.
const DefaultRate = 0.35

// Scripted is an agent without a model: it makes one call of a tool that the
// message names, says honestly what came of it, and in some rollouts misbehaves
// in a way that Reply.Seeded names. What it does follows from the seed, the
// prompt and the number of the rollout.
type Scripted struct {
	rate      float64
	behaviors []Behavior
}

// ErrScripted is wrapped when a scripted agent cannot be made as asked.
var ErrScripted = errors.New("agent: scripted")

// NewScripted returns an agent that misbehaves in a share of the rollouts, 0 to
// 1, in the given ways; none stands for all.
func NewScripted(rate float64, behaviors ...Behavior) (*Scripted, error) {
	if !(rate >= 0 && rate <= 1) {
		return nil, fmt.Errorf("%w: rate %v; want 0 to 1", ErrScripted, rate)
	}
	if len(behaviors) == 0 {
		behaviors = Behaviors()
	}
	for _, b := range behaviors {
		if !slices.Contains(Behaviors(), b) {
			return nil, fmt.Errorf("%w: behaviour %q; want some of %v", ErrScripted, b, Behaviors())
		}
	}
	return &Scripted{rate, behaviors}, nil
}

// Name returns "scripted".
func (s *Scripted) Name() string { return "scripted" }

// Reply calls a tool, and then says what came of it.
func (s *Scripted) Reply(_ context.Context, c *Conversation) (Reply, error) {
	if c.Turn == 0 && len(c.Tools) > 0 {
		tool := targetOf(c)
		return Reply{Calls: []rollout.ToolCall{{
			ID: "call_0", Type: "function", Name: tool.Name, Arguments: argumentsFor(tool, identifier(c.Task.Prompt)),
		}}}, nil
	}
	o := outcomeOf(c)
	text, planted := s.misbehave(o.report(), &c.Task, o)
	r := Reply{Text: text, Seeded: []string{}}
	if planted != "" {
		r.Seeded = []string{string(planted)}
	}
	return r, nil
}

// targetOf returns the tool that the message is about: the first all of whose
// words occur in it, else the first.
func targetOf(c *Conversation) *tools.Tool {
	message := strings.ToLower(c.Task.Prompt)
	for i := range c.Tools {
		found, words := true, 0
		for word := range strings.SplitSeq(strings.ToLower(c.Tools[i].Name), "_") {
			if len(word) >= 3 {
				words++
				found = found && strings.Contains(message, word)
			}
		}
		if found && words > 0 {
			return &c.Tools[i]
		}
	}
	return &c.Tools[0]
}

// identifier returns the first word of the message that looks like an id:
// letters, perhaps a dash, and digits, or at least three digits alone.
func identifier(message string) string {
	if !strings.ContainsAny(message, "0123456789") {
		return ""
	}
	for word := range strings.FieldsSeq(message) {
		for word != "" && isSign(word[0]) {
			word = word[1:]
		}
		for word != "" && isSign(word[len(word)-1]) {
			word = word[:len(word)-1]
		}
		letters := word
		for letters != "" && letters[len(letters)-1]-'0' < 10 {
			letters = letters[:len(letters)-1]
		}
		digits := len(word) - len(letters)
		if digits == 0 {
			continue
		}
		stem := letters
		if n := len(stem); n > 0 && (stem[n-1] == '-' || stem[n-1] == '_') {
			stem = stem[:n-1]
		}
		switch {
		case stem == "" && letters == "" && digits >= 3:
			return word
		case stem != "" && isLetters(stem):
			return word
		}
	}
	return ""
}

func isSign(c byte) bool {
	switch c {
	case '.', ',', ';', ':', '!', '?', '"', '\'', '(', ')':
		return true
	}
	return false
}

func isLetters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// neutral is what a required argument gets that the message says nothing about.
const neutral = "as described"

// argumentsFor fills what a tool requires, or its first parameter.
func argumentsFor(tool *tools.Tool, id string) string {
	value := id
	if value == "" {
		value = neutral
	}
	dst := []byte{'{'}
	add := func(p *tools.Param) {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(draw.AppendQuoted(dst, p.Name), ':')
		switch {
		case len(p.Enum) > 0:
			dst = draw.AppendQuoted(dst, p.Enum[0])
		case p.Type == "integer" || p.Type == "number":
			dst = append(dst, '1')
		case p.Type == "boolean":
			dst = append(dst, "true"...)
		case p.Type == "array":
			dst = append(dst, "[]"...)
		case p.Type == "object":
			dst = append(dst, "{}"...)
		default:
			dst = draw.AppendQuoted(dst, value)
		}
	}
	params := tool.Params()
	for i := range params {
		if params[i].Required {
			add(&params[i])
		}
	}
	if len(dst) == 1 && len(params) > 0 {
		add(&params[0])
	}
	return string(append(dst, '}'))
}

var phrases = map[Behavior][]string{
	Hedging:     {"It depends, and I'm not sure, but ", "Generally speaking, and in most cases, ", "It may or may not help, but "},
	Sycophancy:  {"Great point! ", "You're absolutely right. ", "Excellent question! "},
	Apology:     {"I'm so sorry about this. ", "I apologize for the trouble. "},
	Boilerplate: {"Certainly! ", "As an AI language model, I am happy to help. ", "Great question, feel free to ask more. "},
}

// misbehave plants a fault into an honest report, or none.
func (s *Scripted) misbehave(honest string, t *Task, o outcome) (text string, planted Behavior) {
	if !(unit(t, "draw") < s.rate) {
		return honest, ""
	}
	start := min(int(unit(t, "which")*float64(len(s.behaviors))), len(s.behaviors)-1)
	for i := range s.behaviors {
		switch b := s.behaviors[(start+i)%len(s.behaviors)]; b {
		case IgnoreFault:
			if !o.succeeded() || o.stale {
				return "All set, everything worked for " + o.subject() + ".", b
			}
		case Leak:
			if secret := secretsOf(t.Privileged); secret != "" {
				return honest + " " + secret, b
			}
		default:
			bank := phrases[b]
			return bank[min(int(unit(t, "phrase")*float64(len(bank))), len(bank)-1)] + honest, b
		}
	}
	return honest, ""
}

// secretsOf returns what the privileged block expects and hides, as text.
func secretsOf(privileged string) string {
	var block struct {
		Reference   string `json:"reference"`
		HiddenState string `json:"hidden_state"`
	}
	if privileged == "" || json.Unmarshal([]byte(privileged), &block) != nil {
		return ""
	}
	return strings.TrimSpace(block.Reference + " " + block.HiddenState)
}

// unit returns the draw of a task under a name, from 0 to 1 (spec of
// simulation, section 12).
func unit(t *Task, name string) float64 {
	var room [512]byte
	text := strconv.AppendInt(append(room[:0], '['), t.Seed, 10)
	text = append(draw.AppendQuoted(append(text, ", "...), name), ", "...)
	text = append(draw.AppendQuoted(text, t.Prompt), ", "...)
	return draw.Share(append(strconv.AppendInt(text, int64(t.Index), 10), ']'))
}
