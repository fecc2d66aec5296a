package arrowipc

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/rollmill/rollmill/formats/rollout"
)

// batch are the columns of a record batch of our schema, those that are wanted,
// seen without copies. It may be read by several goroutines.
type batch struct {
	rows int
	want rollout.Fields // columns that are there and wanted

	badText bool // some text is not UTF-8
	anyJSON bool // texts that should be JSON may be anything

	texts    [maxColumns]texts // of the columns of texts, by their place in the schema
	index    numbers[int64]
	tokens   numbers[int64]
	logprob  numbers[float64]
	reward   numbers[float64]
	prior    numbers[float64]
	status   statusView
	messages messageViews
	markers  markerViews
	gates    gateViews
	others   []namedColumn // columns that are no fields
}

// maxColumns is more than our schema has.
const maxColumns = 32

type messageViews struct {
	list                         lists
	role, content, name, callID  texts
	calls                        lists
	id, kind, function, argument texts
}

type markerViews struct {
	list  lists
	name  texts
	value numbers[float64]
}

type gateViews struct {
	list               lists
	gate, code, detail texts
}

// namedColumn is a column of another's making.
type namedColumn struct {
	name  string
	array arrow.Array
}

// newBatch looks at the columns of a record batch that are of our schema. A
// column that is nil is not wanted.
func newBatch(names []arrow.Field, columns []arrow.Array, rows int) *batch {
	b := &batch{rows: rows}
	for i, a := range columns {
		if a == nil {
			continue
		}
		name := names[i].Name
		f, ok := columnNamed(name)
		if !ok {
			b.others = append(b.others, namedColumn{name, a})
			continue
		}
		b.want |= f
		b.see(f, a)
	}
	return b
}

// columnNamed returns the field whose column is called name.
func columnNamed(name string) (rollout.Fields, bool) {
	places := schema.FieldIndices(name)
	if len(places) == 0 {
		return 0, false
	}
	return fieldOf(places[0]), true
}

func (b *batch) see(f rollout.Fields, a arrow.Array) {
	switch f {
	case rollout.FieldIndex:
		b.index = numbersOf[int64](a)
	case rollout.FieldNTokens:
		b.tokens = numbersOf[int64](a)
	case rollout.FieldLogprob:
		b.logprob = numbersOf[float64](a)
	case rollout.FieldReward:
		b.reward = numbersOf[float64](a)
	case rollout.FieldPriorReward:
		b.prior = numbersOf[float64](a)
	case rollout.FieldStatus:
		b.status.see(a.(*array.Dictionary))
	case rollout.FieldMessages:
		b.messages.see(a)
	case rollout.FieldMarkers:
		item := structIn(a)
		b.markers = markerViews{listsOf(a), textsOf(item.Field(0)), numbersOf[float64](item.Field(1))}
	case rollout.FieldGates:
		item := structIn(a)
		b.gates = gateViews{listsOf(a), textsOf(item.Field(0)), textsOf(item.Field(1)), textsOf(item.Field(2))}
	default:
		b.texts[columnOf(f)] = textsOf(a)
	}
}

func (m *messageViews) see(a arrow.Array) {
	message := structIn(a)
	call := structIn(message.Field(4))
	function := call.Field(2).(*array.Struct)
	*m = messageViews{
		list: listsOf(a),
		role: textsOf(message.Field(0)), content: textsOf(message.Field(1)), name: textsOf(message.Field(2)), callID: textsOf(message.Field(3)),
		calls: listsOf(message.Field(4)),
		id:    textsOf(call.Field(0)), kind: textsOf(call.Field(1)),
		function: textsOf(function.Field(0)), argument: textsOf(function.Field(1)),
	}
}

func structIn(list arrow.Array) *array.Struct {
	return list.(*array.List).ListValues().(*array.Struct)
}

// allTexts lists all texts that the batch has, those within structs too.
func (b *batch) allTexts() []*texts {
	m, g := &b.messages, &b.gates
	all := []*texts{
		&m.role, &m.content, &m.name, &m.callID, &m.id, &m.kind, &m.function, &m.argument,
		&b.markers.name, &g.gate, &g.code, &g.detail,
	}
	for i := range b.texts {
		all = append(all, &b.texts[i])
	}
	return all
}

// doubt notes what must be looked at row by row, since nobody vouches for it.
func (b *batch) doubt() {
	b.anyJSON = true
	for _, t := range b.allTexts() {
		b.badText = b.badText || !t.areUTF8()
	}
}
