package decontaminate

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
)

// TaskCounts counts in how many training tasks the n-grams of an index stand: a
// phrase that many tasks have is a template of theirs. That takes a pass of its
// own over the rows. Counts of workers merge, in any order, to the same. It holds
// some bytes an n-gram that was found and nothing of a row. It is not safe for
// concurrent use.
type TaskCounts struct {
	x       *Index
	parts   Parts
	limit   int
	scanner *Scanner
	escapes escapes
	lengths []map[uint32][]uint64 // of each length: n-gram to hashes of tasks, one more than the limit at most
	task    uint64
	look    func(Place, string)
}

// NewTaskCounts returns counts of up to limit tasks an n-gram, at least 1.
func (x *Index) NewTaskCounts(parts Parts, limit int) *TaskCounts {
	if limit < 1 {
		panic("decontaminate: NewTaskCounts wants a limit of at least 1")
	}
	c := &TaskCounts{x: x, parts: parts, limit: limit, scanner: x.NewScanner()}
	for range x.grams {
		c.lengths = append(c.lengths, map[uint32][]uint64{})
	}
	c.look = c.text
	return c
}

// Fields are the fields of a row that Add reads.
func (c *TaskCounts) Fields() rollout.Fields {
	return c.parts.Fields() | rollout.FieldTaskID | rollout.FieldPrompt
}

// Add counts rows.
func (c *TaskCounts) Add(rows []rollout.Row) {
	for i := range rows {
		c.task = xxh3.HashString(rows[i].TaskKey())
		prompt, _ := promptOf(&rows[i])
		c.parts.each(&rows[i], prompt, c.look)
	}
}

func (c *TaskCounts) text(place Place, text string) {
	e := c.scanner.Scan(c.escapes.open(place.Part, text))
	for i := range e.found {
		for _, h := range e.found[i].hits {
			c.count(i, h.entry, c.task)
		}
	}
}

func (c *TaskCounts) count(length int, entry uint32, task uint64) {
	tasks := c.lengths[length][entry]
	if len(tasks) > c.limit || slices.Contains(tasks, task) {
		return
	}
	c.lengths[length][entry] = append(tasks, task)
}

// Merge adds other counts of the same index and limit.
func (c *TaskCounts) Merge(o *TaskCounts) {
	for i, entries := range o.lengths {
		for entry, tasks := range entries {
			for _, task := range tasks {
				c.count(i, entry, task)
			}
		}
	}
}

// AddTasks adds the n-grams that more tasks have than the counts go up to.
func (b *Boilerplate) AddTasks(c *TaskCounts) {
	b.maxTasks = c.limit
	for i, entries := range c.lengths {
		for entry, tasks := range entries {
			if len(tasks) > c.limit {
				b.sets[i].set(int(entry))
				b.tasks[i].set(int(entry))
			}
		}
	}
}
