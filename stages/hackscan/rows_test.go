package hackscan

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rollmill/rollmill/formats/rollout"
)

// reply is what a rollout of the test data does, drawn by chance.
type reply struct {
	tool, delimiter, phrase bool
	task, index             int
}

var stock = strings.Fields("parcel crate ledger depot route clerk stamp note check item label seal dock ramp belt scale shelf")

// rowsOf makes tasks of so many rollouts each, whose reward is what pays says of
// a reply.
func rowsOf(seed uint64, tasks, rollouts int, pays func(reply, *rand.Rand) float64) []rollout.Row {
	src := rand.New(rand.NewPCG(seed, 1))
	var rows []rollout.Row
	for task := range tasks {
		for index := range rollouts {
			r := reply{src.IntN(2) == 0, src.IntN(10) < 3, src.IntN(10) < 2, task, index}
			var said strings.Builder
			for range 8 + src.IntN(20) {
				said.WriteString(stock[src.IntN(len(stock))] + " ")
			}
			if r.phrase {
				said.WriteString("as verified above ")
			}
			said.WriteString("done.")
			if r.delimiter {
				said.WriteString(" ### end ###")
			}
			steps := "[]"
			if r.tool {
				steps = fmt.Sprintf(`[{"tool":"lookup","arguments":{"id":%d,"mode":"%s"},"result":{"status":"ok","note":"%s"}}]`,
					task, stock[src.IntN(3)], stock[src.IntN(4)])
			}
			record := fmt.Sprintf(`{"prompt":"ask %d","reward":%g,"final_text":%q,"steps":%s,"logprob":%d,"n_tokens":10,"markers":{"grounded":%d,"polite":%g}}`,
				task, pays(r, src), said.String(), steps, -src.IntN(90), src.IntN(2), float64(src.IntN(1000))/1000)
			var row rollout.Row
			if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(record), &row); err != nil {
				panic(err)
			}
			row.Pos = rollout.Pos{Record: int64(len(rows) + 1)}
			rows = append(rows, row)
		}
	}
	return rows
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func paysTool(r reply, _ *rand.Rand) float64      { return one(r.tool) }
func paysDelimiter(r reply, _ *rand.Rand) float64 { return one(r.delimiter) }
func paysChance(_ reply, src *rand.Rand) float64  { return float64(src.IntN(2)) }
