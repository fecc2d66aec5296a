package arrowipc

import (
	"bytes"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// packet is a record batch in the form that it has in a file.
type packet struct {
	head    []byte // of the message
	body    []byte
	rows    int64
	endFile bool // the file ends behind it
	home    *bodies
}

// recycle gives back a packet that was written.
func (p *packet) recycle() {
	if cap(p.body) <= maxPooled {
		p.home.put(p.body)
	}
}

// bodies are the spare bodies of packets.
type bodies struct{ spares[[]byte] }

// empty returns an empty body.
func (b *bodies) empty() []byte {
	body, _ := b.take()
	return body[:0]
}

// packers make packets, several at once: encoding and compression, without what has
// to be done in order. The columns are large, so they are kept.
type packers struct {
	compression Compression
	spares      spares[*columns]
	bodies      bodies
}

// pack makes the packet of a group of rows.
func (ps *packers) pack(g *group) (packet, error) {
	c, ok := ps.spares.take()
	if !ok {
		c = &columns{}
	}
	c.fill(g.runs)
	data, err := c.data()
	if err != nil {
		return packet{}, err
	}
	sums := make([]uint64, len(data))
	for i, d := range data {
		sums[i] = sumOf(d)
	}
	b := outline{Batch: message.Batch{Rows: int64(c.rows), Codec: message.Codec(ps.compression)}, body: ps.bodies.empty()}
	for _, d := range data {
		b.add(d)
	}
	p := packet{rows: b.Rows, endFile: g.endFile, body: b.body, home: &ps.bodies}
	p.head = message.AppendBatch(nil, &b.Batch, int64(len(b.body)), message.NewChecks(preamble().sum, b.Rows, noteOf(c.beside), sums).Metadata())
	if c.pooled() { // one that failed is not used again
		ps.spares.put(c)
	}
	return p, nil
}

// outline is a record batch that is being made: what its body holds, and the body.
type outline struct {
	message.Batch
	body []byte
}

// add adds a column, parents first, as the format wants it.
func (o *outline) add(d arrow.ArrayData) {
	o.Nodes = append(o.Nodes, message.Node{Length: int64(d.Len()), Nulls: int64(d.NullN())})
	for _, b := range d.Buffers() {
		o.put(bytesIn(b), o.Codec)
	}
	for _, c := range d.Children() {
		o.add(c)
	}
}

// put puts a buffer behind the others.
func (o *outline) put(b []byte, c message.Codec) {
	at := len(o.body)
	o.body = c.Append(o.body, b)
	size := len(o.body) - at
	o.Buffers = append(o.Buffers, message.Extent{Offset: int64(at), Length: int64(size)})
	o.body = append(o.body, padding[:-size&(len(padding)-1)]...)
}

// padding is what stands between buffers, which begin at multiples of its length.
var padding [8]byte

// opening is what every file of ours begins with: the schema and the dictionary
// of status.
type opening struct {
	schemaMeta []byte // the metadata of the schema's message
	sum        uint64 // its checksum
	schema     []byte // its message
	dictionary []byte // its message
	block      message.Block
}

// preamble lets the library write a record batch without rows, and keeps what
// comes before that.
var preamble = sync.OnceValue(func() *opening {
	rec, err := Encode(nil)
	if err != nil {
		panic("arrowipc: " + err.Error()) // the schema is a constant
	}
	o := &opening{}
	w := ipc.NewWriterWithPayloadWriter(o, ipc.WithSchema(schema))
	if err := w.Write(rec); err != nil {
		panic("arrowipc: " + err.Error())
	}
	return o
})

// Start and Close are part of what the library's writer wants.
func (o *opening) Start() error { return nil }
func (o *opening) Close() error { return nil }

// WritePayload takes the messages of a stream in order.
func (o *opening) WritePayload(p ipc.Payload) error {
	var b bytes.Buffer
	head, err := p.WritePayload(&b)
	switch {
	case o.schema == nil:
		meta := p.Meta()
		defer meta.Release()
		o.schemaMeta, o.schema = bytes.Clone(meta.Bytes()), b.Bytes()
		o.sum = message.SchemaSum(o.schemaMeta)
	case o.dictionary == nil:
		o.dictionary = b.Bytes()
		o.block = message.Block{Head: int64(head), Body: int64(b.Len() - head)}
	}
	return err
}
