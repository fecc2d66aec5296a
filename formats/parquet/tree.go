package parquet

import (
	"iter"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// shape is what JSON a node of a schema becomes.
type shape uint8

const (
	scalar shape = iota
	object
	list   // one child
	mapped // two children: name and value
)

// node is a node of a schema of others.
type node struct {
	name     string
	shape    shape
	def      int // definition level at which it is there
	inner    int // that at which a list has elements
	rep      int // repetition level of the elements of a list
	leaf     int // first column below it
	leaves   int
	typ      parquet.Type // of a scalar
	children []*node
}

func treeOf(s *parquet.Schema) *node {
	root := &node{shape: object}
	root.addFields(s, 0, 0)
	return root
}

func (n *node) addFields(of parquet.Node, def, rep int) {
	for _, f := range of.Fields() {
		child := nodeOf(f, f.Name(), n.leaf+n.leaves, def, rep)
		n.leaves += child.leaves
		n.children = append(n.children, child)
	}
}

// nodeOf reads a node whose parent has the levels def and rep.
func nodeOf(of parquet.Node, name string, leaf, def, rep int) *node {
	if of.Repeated() { // a list without a group around it
		return listOf(of, name, leaf, def, def, rep)
	}
	if of.Optional() {
		def++
	}
	n := &node{name: name, def: def, leaf: leaf}
	if of.Leaf() {
		n.leaves, n.typ = 1, of.Type()
		return n
	}
	if fields := of.Fields(); len(fields) == 1 && fields[0].Repeated() {
		switch lt := logicalOf(of.Type()); {
		case isKind[*format.ListType](lt):
			return listOf(fields[0], name, leaf, def, def, rep)
		case isKind[*format.MapType](lt) && len(fields[0].Fields()) == 2:
			n.shape, n.inner, n.rep = mapped, def+1, rep+1
			n.addFields(fields[0], def+1, rep+1)
			return n
		}
	}
	n.shape = object
	n.addFields(of, def, rep)
	return n
}

// listOf makes a list of a repeated node. In the three-level form that node
// only wraps the element.
func listOf(repeated parquet.Node, name string, leaf, there, def, rep int) *node {
	n := &node{name: name, shape: list, def: there, inner: def + 1, rep: rep + 1, leaf: leaf}
	var element *node
	if !repeated.Leaf() && len(repeated.Fields()) == 1 {
		element = nodeOf(repeated.Fields()[0], "", leaf, def+1, rep+1)
	} else {
		element = nodeOf(parquet.Required(repeated), "", leaf, def+1, rep+1)
	}
	n.children, n.leaves = []*node{element}, element.leaves
	return n
}

func isKind[T any](lt any) bool {
	_, ok := lt.(T)
	return ok
}

// rowValues are the values of some rows, column by column.
type rowValues struct {
	tree *node
	rows int64
	cols [][]parquet.Value

	at   int64 // rows that were read
	left [][]parquet.Value
}

func (v *rowValues) rewind() { v.at, v.left = 0, append(v.left[:0], v.cols...) }

// records yields each row as JSON text, in a slice of its own.
func (p *piece) records() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		v := p.values
		size := 0
		for v.at < v.rows {
			v.at++
			record, _ := v.appendJSON(make([]byte, 0, size+size/8), v.tree)
			size = len(record)
			if !yield(record) {
				return
			}
		}
	}
}

// appendJSON appends the value of a node and passes over it; there is false,
// and nothing appended, for null.
func (v *rowValues) appendJSON(dst []byte, n *node) (_ []byte, there bool) {
	if n.leaves == 0 {
		return dst, false
	}
	first := v.left[n.leaf][0]
	if first.DefinitionLevel() < n.def {
		v.skip(n)
		return dst, false
	}
	switch n.shape {
	case scalar:
		v.left[n.leaf] = v.left[n.leaf][1:]
		return appendScalar(dst, n.typ, first)
	case object:
		dst = append(dst, '{')
		for _, child := range n.children {
			dst = v.appendMember(dst, child.name, child)
		}
		return append(dst, '}'), true
	}
	open, shut := byte('['), byte(']')
	if n.shape == mapped {
		open, shut = '{', '}'
	}
	dst = append(dst, open)
	if first.DefinitionLevel() < n.inner {
		v.skip(n)
		return append(dst, shut), true
	}
	for again := true; again; again = len(v.left[n.leaf]) > 0 && v.left[n.leaf][0].RepetitionLevel() >= n.rep {
		if n.shape == mapped {
			key := v.left[n.leaf][0]
			v.left[n.leaf] = v.left[n.leaf][1:]
			dst = v.appendMember(dst, key.String(), n.children[1])
			continue
		}
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		var there bool
		if dst, there = v.appendJSON(dst, n.children[0]); !there {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, shut), true
}

// appendMember appends a member of an object unless it is null.
func (v *rowValues) appendMember(dst []byte, name string, n *node) []byte {
	before := len(dst)
	if dst[before-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(jsonscan.AppendString(dst, name), ':')
	dst, there := v.appendJSON(dst, n)
	if !there {
		return dst[:before]
	}
	return dst
}

// skip passes over a node that is null or empty.
func (v *rowValues) skip(n *node) {
	for i := n.leaf; i < n.leaf+n.leaves; i++ {
		v.left[i] = v.left[i][1:]
	}
}
