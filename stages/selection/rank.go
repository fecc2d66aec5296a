package selection

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rollmill/rollmill/stats"
)

// ranked is a task that passed the gates of mode RL, as the draw sees it.
type ranked struct {
	task   uint32
	fault  uint16 // the fault kind of its first row
	inBand bool
	rate   float64
	far    float64 // from the middle of the band, for order Middle
	key    digest
}

// KindCount is how many tasks have a fault kind.
type KindCount struct {
	Kind  string
	Tasks int
}

// kind is the tasks of one fault kind, in the order in which they are drawn.
type kind struct {
	name  string
	tasks []ranked
}

// survivors lists the tasks that are left, in the order of their first row that
// has a vote.
func (t *table) survivors(b Band, order Order, keys *numbers) []ranked {
	scores := t.scores()
	seen := make([]bool, t.tasks)
	var list []ranked
	for _, s := range t.alive {
		if seen[s.task] || t.rides(s) {
			continue
		}
		seen[s.task] = true
		score := scores[s.task]
		r := ranked{task: s.task, fault: s.fault, rate: score.rate(), key: *keys.digests.at(int(s.task))}
		r.inBand = b.place(r.rate, int(score.n)) == within && (b.Confidence == 0 || !score.unanimous())
		if order == Middle {
			r.far = math.Abs(r.rate - b.middle())
		}
		list = append(list, r)
	}
	return list
}

// rankByKind sorts tasks into fault kinds, the largest first, and each kind into
// the order in which it is drawn (spec of gates, section 5.3, steps 13 and 14).
func rankByKind(tasks []ranked, faults []string, order Order) []kind {
	byFault := map[uint16]*kind{}
	var kinds []*kind
	for _, r := range tasks {
		k := byFault[r.fault]
		if k == nil {
			k = &kind{name: faults[r.fault]}
			byFault[r.fault] = k
			kinds = append(kinds, k)
		}
		k.tasks = append(k.tasks, r)
	}
	slices.SortFunc(kinds, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(len(b.tasks), len(a.tasks)), strings.Compare(a.name, b.name))
	})
	out := make([]kind, len(kinds))
	for i, k := range kinds {
		k.sort(order)
		out[i] = *k
	}
	return out
}

func (k *kind) sort(order Order) {
	slices.SortFunc(k.tasks, func(a, b ranked) int {
		if a.inBand != b.inBand {
			return cmpTrueFirst(a.inBand)
		}
		return cmp.Or(cmp.Compare(a.far, b.far), a.key.compare(b.key))
	})
	if order != Spread {
		return
	}
	cut := slices.IndexFunc(k.tasks, func(r ranked) bool { return !r.inBand })
	if cut < 0 {
		cut = len(k.tasks)
	}
	k.tasks = append(dealByRate(k.tasks[:cut]), dealByRate(k.tasks[cut:])...)
}

func cmpTrueFirst(a bool) int {
	if a {
		return -1
	}
	return 1
}

// dealByRate takes one task of each pass rate in turn, the lowest first.
func dealByRate(tasks []ranked) []ranked {
	rounded := map[float64]float64{}
	buckets := map[float64][]ranked{}
	var rates []float64
	for _, r := range tasks {
		rate, ok := rounded[r.rate]
		if !ok {
			rate = stats.Round(r.rate, 4)
			rounded[r.rate] = rate
		}
		if buckets[rate] == nil {
			rates = append(rates, rate)
		}
		buckets[rate] = append(buckets[rate], r)
	}
	slices.Sort(rates)
	lists := make([][]ranked, len(rates))
	for i, rate := range rates {
		lists[i] = buckets[rate]
	}
	return deal(lists)
}

// deal takes the first of each list, then the second of each, and so on. A list
// that has run out is not looked at again: of many lists most are short.
func deal[T any](lists [][]T) []T {
	var out []T
	left := slices.Clone(lists)
	for round := 0; len(left) > 0; round++ {
		longer := left[:0]
		for _, list := range left {
			if round < len(list) {
				out = append(out, list[round])
				longer = append(longer, list)
			}
		}
		left = longer
	}
	return out
}

// members lists the rows of each task that are left: those that have a vote in
// order, then those that ride along.
func (t *table) members() groups {
	var rows []uint32
	for _, riders := range []bool{false, true} {
		for i, s := range t.alive {
			if t.rides(s) == riders {
				rows = append(rows, uint32(i))
			}
		}
	}
	return groupBy(rows, t.tasks, func(i uint32) uint32 { return t.rows.at(int(i)).task })
}

// draw takes whole tasks, one of each fault kind in turn, until there are target
// rows; 0 takes all. It returns the tasks and the rows in their order. What is
// left over ends at the target.
func (t *table) draw(kinds []kind, target int) (tasks, rows []uint32) {
	m := t.members()
	lists := make([][]ranked, len(kinds))
	for i, k := range kinds {
		lists[i] = k.tasks
	}
	for _, r := range deal(lists) {
		if target > 0 && len(rows) >= target {
			for _, i := range m.of(r.task) {
				t.gates[i] = GateTarget
			}
			continue
		}
		tasks = append(tasks, r.task)
		rows = append(rows, m.of(r.task)...)
	}
	return tasks, rows
}
