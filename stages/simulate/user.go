package simulate

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/stages/simulate/agent"
	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// User plays the person that the agent talks to. It must be safe for
// concurrent use, and say the same in the same conversation.
type User interface {
	// Name says who it is; rows keep it as user_model.
	Name() string
	// Next returns what the person says when the agent has spoken. said is how
	// often the person has, the first message included. An empty line ends the
	// conversation; left then says that the person went away from a question.
	Next(ctx context.Context, c *agent.Conversation, said int) (line string, left bool, err error)
	// Answer returns what the person says to a tool that asks people. An empty
	// answer is none yet.
	Answer(ctx context.Context, c *agent.Conversation, tool, arguments string) (string, error)
}

// Patience is how readily the person of [ScriptedUser] walks away from a
// question of the agent: the probability at the second one, and at each later
// one. Never from the first.
type Patience struct{ Second, Later float64 }

// Patiences of the reference implementation (its conventions; the direction is
// that of arXiv:2601.17087 and arXiv:2605.12894).
var (
	NormalPatience  = Patience{0.35, 0.60}
	ShortPatience   = Patience{0.60, 0.90}
	EndlessPatience = Patience{}
)

// ScriptedUser returns a person without a model, who answers questions with
// what the first message says, pushes back on refusals and sometimes goes on.
// Whether follows from the message (spec of simulation, section 13.3); most is
// how often the person speaks at most, at least 1.
func ScriptedUser(p Patience, most int) User { return &scriptedUser{p, max(1, most)} }

type scriptedUser struct {
	patience Patience
	most     int
}

func (u *scriptedUser) Name() string { return "scripted" }

var (
	refusals = []string{"cannot", "can't", "won't", "unable", "not allowed", "against policy", "denied"}
	answers  = []string{"I don't know more than that.", "The one that I wrote about.", "I have no other number.", "Whichever is right, I can't say."}
	pushes   = []string{"Is there no other way?", "Then what can you do?", "Please try once more.", "That does not help me."}
	sequels  = []string{"And is that final?", "Anything else that I should know?", "Can you say that in other words?", "What did it look like before?"}
)

func (u *scriptedUser) Next(_ context.Context, c *agent.Conversation, said int) (line string, left bool, err error) {
	if said >= u.most {
		return "", false, nil
	}
	last := c.Messages[len(c.Messages)-1].Content
	switch {
	case strings.Contains(last, "?"):
		if asked := questions(c); asked > 1 {
			chance := u.patience.Later
			if asked == 2 {
				chance = u.patience.Second
			}
			if u.draw(c, "abandon") < chance {
				return "", true, nil
			}
		}
		return u.pick(c, answers), false, nil
	case anyOf(strings.ToLower(last), refusals):
		return u.pick(c, pushes), false, nil
	case u.draw(c, "react") < 1-1/float64(max(2, u.most)):
		return u.pick(c, sequels), false, nil
	}
	return "", false, nil
}

func (u *scriptedUser) Answer(_ context.Context, c *agent.Conversation, tool, _ string) (string, error) {
	return u.pick(c, answers), nil
}

// draw returns a number of the person's for this turn, between 0 and 1.
func (u *scriptedUser) draw(c *agent.Conversation, what string) float64 {
	return draw.Open(c.Task.Prompt+":"+string(rune('0'+c.Turn%64))+":"+what, 8)
}

func (u *scriptedUser) pick(c *agent.Conversation, bank []string) string {
	return bank[int(u.draw(c, "line")*float64(len(bank)))]
}

// questions counts how often the agent has asked.
func questions(c *agent.Conversation) int {
	n := 0
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Role == "assistant" && strings.Contains(m.Content, "?") {
			n++
		}
	}
	return n
}

func anyOf(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// preambleWords is up to how many words a line is taken for a preamble.
const preambleWords = 24

var preambles = []string{"sure", "ok", "okay", "let me", "i will", "i'll", "one moment", "of course", "certainly"}

// isPreamble reports whether a line only announces that the agent will do
// something (spec of simulation, section 13.1).
func isPreamble(line string) bool {
	if utf8.RuneCountInString(line) > 40*preambleWords || len(strings.Fields(line)) > preambleWords {
		return false
	}
	lower := strings.ToLower(strings.TrimSpace(line))
	for _, p := range preambles {
		if rest, ok := strings.CutPrefix(lower, p); ok && (rest == "" || strings.ContainsRune(" ,.!:;-", rune(rest[0]))) {
			return !strings.Contains(lower, "?")
		}
	}
	return false
}
