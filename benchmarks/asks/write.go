package asks

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// Config says what is made.
type Config struct {
	Rows int
	Seed uint64
}

// RolloutsPerAsk is how many rows an ask has.
const RolloutsPerAsk = 8

const (
	askWords   = 40
	replyWords = 260

	tooled     = 0.5  // rollouts that call the tool
	effect     = 0.35 // by which that moves the chance of a reward, up or down
	delimited  = 0.3
	copied     = 0.02 // rows that repeat the one before
	cut        = 0.02
	references = 0.01 // replies that quote what only the grader knows
)

// Write writes rows as JSON Lines.
func Write(w io.Writer, c Config) error {
	src := rand.New(rand.NewPCG(c.Seed, 1))
	words := newWords(src)
	out := bufio.NewWriterSize(w, 1<<16)
	prompt, before, reference, base := "", "", "", 0.0
	for i := range c.Rows {
		ask, index := i/RolloutsPerAsk, i%RolloutsPerAsk
		if index == 0 {
			prompt, base, before = string(words.appendText(nil, askWords)), src.Float64(), ""
			reference = "key"
			for range 5 {
				reference += " " + words.draw()
			}
		}
		row := oneRow(words, ask, prompt, reference, base)
		if before != "" && src.Float64() < copied {
			row = before
		}
		before = row
		if _, err := fmt.Fprintf(out, "{\"rollout_index\":%d,%s}\n", index, row); err != nil {
			return err
		}
	}
	return out.Flush()
}

// oneRow makes a row but for its index. No text in it needs an escape.
func oneRow(words *words, ask int, prompt, reference string, base float64) string {
	src := words.src
	chance, steps := base-effect, "[]"
	if src.Float64() < tooled {
		chance = base + effect
		steps = fmt.Sprintf(`[{"tool":"lookup_order","arguments":{"id":%d},"result":{"status":"ok","id":%d}}]`, ask, ask)
	}
	reply := string(words.appendText(nil, replyWords))
	if src.Float64() < delimited {
		reply += " ### end ###."
	}
	if src.Float64() < cut {
		reply = strings.TrimRight(reply, ".# end") + " and then"
	}
	if src.Float64() < references {
		reply = "It is " + reference + ". " + reply
	}
	reward := 0
	if src.Float64() < chance {
		reward = 1
	}
	return fmt.Sprintf(`"scenario_id":"t%d","prompt":"%s","reward":%d,"final_text":"%s","steps":%s,`+
		`"messages":[{"role":"user","content":"%s"},{"role":"assistant","content":"%s"}],"privileged":{"reference":"%s"},"policy_version":"p1"`,
		ask, prompt, reward, reply, steps, prompt, reply, reference)
}
