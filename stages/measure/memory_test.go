package measure_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/measure"
)

// heap is how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// fill counts tasks of so many rollouts each, a batch at a time.
func fill(a *measure.Accumulator, tasks, rollouts int, marked bool) {
	rows := make([]rollout.Row, 0, 1000)
	markers := make([][]rollout.Marker, 10)
	for i := range markers {
		markers[i] = []rollout.Marker{{Name: "m", Value: rollout.Number(float64(i) / 10)}}
	}
	id := ""
	for i := range tasks * rollouts {
		if i%rollouts == 0 {
			id = fmt.Sprintf("task-%07d", i/rollouts) // 12 bytes
		}
		r := rollout.Row{
			Pos: rollout.Pos{Record: int64(i + 1)}, TaskID: id,
			Index: rollout.Integer(int64(i % rollouts)), Reward: rollout.Integer(int64(i*i/7) % 2),
		}
		if marked {
			r.Markers = markers[i%10]
		}
		if rows = append(rows, r); len(rows) == cap(rows) {
			a.Add(rows)
			rows = rows[:0]
		}
	}
	a.Add(rows)
}

// Memory is a number of bytes a task, whatever the number of its rows, and grows
// with no step.
func TestBytesPerTask(t *testing.T) {
	for _, c := range []struct {
		name string
		o    measure.Options
		most int64
	}{
		{"verdicts", measure.Options{}, 72},
		{"a marker", measure.Options{Markers: true}, 114},
		{"keys of 12 bytes", measure.Options{Keys: true}, 102},
		{"a slice", measure.Options{By: []measure.Field{field(t, "rollout_index")}}, 648}, // 8 slices with every task in each
	} {
		t.Run(c.name, func(t *testing.T) {
			const tasks = 50_000 // the hash table has just doubled
			for _, rollouts := range []int{1, 8} {
				a := measure.New(c.o)
				before := heap()
				fill(a, tasks, rollouts, c.o.Markers)
				used := (heap() - before) / tasks
				t.Logf("%d tasks of %d rollouts: %d bytes a task", tasks, rollouts, used)
				if used > c.most {
					t.Errorf("%d tasks of %d rollouts take %d bytes a task, want at most %d", tasks, rollouts, used, c.most)
				}
				runtime.KeepAlive(a)
			}
		})
	}
}

// What is kept is copied, so that the block that rows were read from can go.
func TestNoBlockIsPinned(t *testing.T) {
	record := []byte(`{"scenario_id":"a","prompt":"p","reward":1,"judge_status":"Status.CRASHED","reason":"r","final_text":"f",` +
		`"category":"c","lineage":{"eval_run":"e","judge_version":"j"},"sampling":{"temperature":1},"policy_version":"p@q",` +
		`"gold_reward":0,"gold_kind":"human","judge_name":"n","markers":{"m":0.5,"n":"0.25"}}`)
	o := measure.ForComparison()
	a, labels, twins := measure.New(o), measure.NewLabels(measure.LabelOptions{}), measure.NewTwins(measure.GoldOptions{})
	blocks := make([]weak.Pointer[byte], 3)
	for i, add := range []func([]rollout.Row){a.Add, labels.Add, twins.Add} {
		block := []byte(strings.Repeat(string(record), 1)) // a fresh one
		blocks[i] = weak.Make(unsafe.SliceData(block))
		rows := make([]rollout.Row, 1)
		if err := rollout.NewDecoder(rollout.AllFields).Decode(block, &rows[0]); err != nil {
			t.Fatal(err)
		}
		add(rows)
	}
	runtime.GC()
	for i, name := range []string{"Accumulator", "Labels", "Twins"} {
		if blocks[i].Value() != nil {
			t.Errorf("%s keeps the block of a row", name)
		}
	}
	runtime.KeepAlive([]any{a, labels, twins})
}
