package arrowipc

import (
	"bytes"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/rollmill/rollmill/formats/arrowipc/internal/message"
)

// packet is a record batch in the form that it has in a file.
type packet struct {
	message *bytes.Buffer
	head    int // bytes of the message before its body
	rows    int64
	endFile bool // the file ends behind it
	home    *buffers
}

// recycle gives back a packet that was written.
func (p *packet) recycle() {
	if p.message.Cap() <= maxPooled {
		p.home.put(p.message)
	}
}

// packer makes packets: encoding and compression, without what has to be done in
// order.
type packer struct {
	columns
	writer *ipc.Writer // into the packet
	packet packet
}

func newPacker(c Compression) *packer {
	p := &packer{}
	p.open(c, schema)
	return p
}

// open makes the writer of record batches of a schema.
func (p *packer) open(c Compression, s *arrow.Schema) {
	p.writer = ipc.NewWriterWithPayloadWriter(p, append(c.options(), ipc.WithSchema(s))...)
}

// packers make packets, several at once. The columns and the compressors of the
// library are large, so they are kept.
type packers struct {
	compression Compression
	spares      spares[*packer]
	buffers     buffers
}

// pack makes the packet of a group of rows.
func (ps *packers) pack(g *group) (packet, error) {
	p, ok := ps.spares.take()
	if !ok {
		p = newPacker(ps.compression)
	}
	p.fill(g.runs)
	rec, err := p.checked()
	if err != nil {
		return packet{}, err
	}
	p.packet = ps.buffers.packet(int64(g.rows))
	p.packet.endFile = g.endFile
	if err := p.writer.Write(rec); err != nil {
		return packet{}, err
	}
	done := p.packet
	p.packet = packet{}
	if p.pooled() { // one that failed is not used again
		ps.spares.put(p)
	}
	return done, nil
}

// checked returns the columns as a record batch with its checksums. It shares
// their memory.
func (p *packer) checked() (arrow.RecordBatch, error) {
	data, err := p.data()
	if err != nil {
		return nil, err
	}
	sums := make([]uint64, len(data))
	arrays := make([]arrow.Array, len(data))
	for i, d := range data {
		sums[i] = sumOf(d)
		arrays[i] = array.MakeFromData(d)
	}
	rows := int64(p.rows)
	meta := message.NewChecks(preamble().sum, rows, noteOf(p.beside), sums).Metadata()
	return array.NewRecordBatchWithMetadata(schema, arrays, rows, meta), nil
}

// WritePayload takes the messages of the library's writer. That of the record
// batch is the last one, behind the schema and the dictionary of a stream.
func (p *packer) WritePayload(payload ipc.Payload) (err error) {
	p.packet.message.Reset()
	p.packet.head, err = payload.WritePayload(p.packet.message)
	return err
}

// Start and Close are part of what the library's writer wants.
func (p *packer) Start() error { return nil }
func (p *packer) Close() error { return nil }

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
