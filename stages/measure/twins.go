package measure

import (
	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// GoldOptions say where gold labels stand.
type GoldOptions struct {
	Columns []Field // of people or programs; several: the majority counts. Default: gold_reward, or the reward in a file of its own
	Kind    string  // of all labels: human, program or model; default: the gold_kind of each row, which may be unknown
	Key     Field   // what joins two files; default: RowKey
}

func (o GoldOptions) reader(def Field) gold {
	g := gold{fields: o.Columns, kind: o.Kind}
	if len(g.fields) == 0 {
		g.fields = []Field{def}
	}
	return g
}

func (o GoldOptions) key() Field {
	if o.Key.IsZero() {
		return RowKey
	}
	return o.Key
}

// Twins hold the gold labels of one file, to be found by the rows of another.
// Of rows with one key the first counts. It holds about 100 bytes a row that
// carries a label. Like an [Accumulator] it merges, and is not safe for
// concurrent use; lookups are, when all rows are in.
type Twins struct {
	gold  gold
	key   Field
	byKey map[xxh3.Uint128]twin
}

type twin struct {
	at      position
	ratings []rating
	kind    string
}

// NewTwins returns twins without rows. Labels that do not say their kind are a
// model's, as those of another judge would be.
func NewTwins(o GoldOptions) *Twins {
	return &Twins{gold: o.reader(rewardField), key: o.key(), byKey: map[xxh3.Uint128]twin{}}
}

// Fields are the fields of a row that Add reads.
func (t *Twins) Fields() rollout.Fields { return t.gold.wants() | t.key.Fields() }

// Len is the number of labelled rows with a key of their own.
func (t *Twins) Len() int { return len(t.byKey) }

// Add takes the labels of rows.
func (t *Twins) Add(rows []rollout.Row) {
	for i := range rows {
		r := &rows[i]
		key := t.key.Text(r)
		ratings, kind, any := t.gold.read(r)
		if key == "" || !any {
			continue
		}
		if kind == "" {
			kind = stats.KindModel
		}
		t.put(xxh3.HashString128(key), twin{positionOf(r.Pos), ratings, kind})
	}
}

func (t *Twins) put(key xxh3.Uint128, w twin) {
	if old, ok := t.byKey[key]; !ok || w.at.compare(old.at) < 0 {
		t.byKey[key] = w
	}
}

// Merge adds the labels of another one of the same options.
func (t *Twins) Merge(o *Twins) {
	for key, w := range o.byKey {
		t.put(key, w)
	}
}

// of finds the labels of a row.
func (t *Twins) of(r *rollout.Row) (twin, bool) {
	key := t.key.Text(r)
	if key == "" {
		return twin{}, false
	}
	w, ok := t.byKey[xxh3.HashString128(key)]
	return w, ok
}
