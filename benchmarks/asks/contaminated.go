package asks

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// Contaminated says what [WriteContaminated] makes.
type Contaminated struct {
	Rows, Eval int
	Templated  bool // stock sentences in 30 % of both
	Seed       uint64
}

const (
	taskWords  = 300
	itemWords  = 100
	stockWords = 14
	stocks     = 40
	templated  = 0.3

	verbatim = 0.005 // rows that are an item
	near     = 0.015 // and those that hold one, with them
)

// WriteContaminated writes rows and an evaluation set as JSON Lines. Some rows hold an
// item of the set.
func WriteContaminated(rows, eval io.Writer, c Contaminated) error {
	src := rand.New(rand.NewPCG(c.Seed, 2))
	words := newWords(src)
	stock := make([]string, stocks)
	for i := range stock {
		stock[i] = string(words.appendText(nil, stockWords))
	}
	body := func(n int) string {
		if c.Templated && src.Float64() < templated {
			return string(words.appendText(nil, n-stockWords)) + " " + stock[src.IntN(stocks)]
		}
		return string(words.appendText(nil, n))
	}
	items := make([]string, c.Eval)
	out := bufio.NewWriterSize(eval, 1<<16)
	for i := range items {
		items[i] = body(itemWords)
		if _, err := fmt.Fprintf(out, "{\"prompt\":\"%s\",\"answer\":\"%s %s %s %s\"}\n", items[i], words.draw(), words.draw(), words.draw(), words.draw()); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	out.Reset(rows)
	for i := range c.Rows {
		prompt := ""
		switch u := src.Float64(); {
		case u < verbatim:
			prompt = items[src.IntN(c.Eval)]
		case u < near:
			prompt = items[src.IntN(c.Eval)] + " " + string(words.appendText(nil, 10))
		default:
			prompt = body(taskWords)
		}
		if _, err := fmt.Fprintf(out, "{\"prompt\":\"%s\",\"scenario_id\":\"s%d\",\"reward\":%d,\"final_text\":\"Done.\"}\n", prompt, i, i%2); err != nil {
			return err
		}
	}
	return out.Flush()
}
