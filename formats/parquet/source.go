package parquet

import (
	"context"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stream"
)

// piece is a run of rows of one input that one worker decodes: a row group of
// ours, which a writer of ours has bounded, or the values of some rows of
// another schema.
type piece struct {
	in     *input
	group  int
	first  int64      // records of the input before it
	rows   int64      //
	values *rowValues // nil for our schema
	weight int64      // of a row group of ours: what its columns are in memory
}

// read sends the pieces of all inputs.
func (r *Reader) read(ctx context.Context, held *budget, out chan<- stream.Batch[piece]) error {
	var before stream.Mark // the inputs that have ended
	records := int64(0)
	for n, path := range r.paths {
		end, err := r.readOne(ctx, n, path, before, held, out)
		if err != nil {
			return err
		}
		records += end.Record
		before = append(before[:len(before):len(before)], end)
	}
	if records == 0 {
		return &files.InputError{Path: r.paths[0], Err: files.ErrEmpty, Hint: "want at least one rollout"}
	}
	return nil
}

func (r *Reader) readOne(ctx context.Context, n int, path string, before stream.Mark, held *budget, out chan<- stream.Batch[piece]) (end stream.InputMark, err error) {
	end = stream.InputMark{Input: r.opts.first + uint32(n)}
	in, err := openInput(path, &r.bytes)
	if err != nil {
		return end, err
	}
	defer in.release()
	in.number = end.Input
	groups := in.file.RowGroups()
	r.seen.Open(Input{Path: r.paths[n], Foreign: !in.ours, Size: in.file.Size(), Rows: in.file.NumRows(), Groups: len(groups)})
	send := func(p piece, last bool) error {
		end.Record += p.rows
		end.Done = last
		r.seen.Change(n, func(in *Input) { in.Records = end.Record })
		mark := append(before[:len(before):len(before)], end)
		return stream.Send(ctx, out, stream.Batch[piece]{Items: []piece{p}, Mark: mark})
	}
	for g := range groups {
		p := piece{in: in, group: g, first: end.Record, rows: groups[g].NumRows()}
		last := g == len(groups)-1
		if in.ours {
			if p.weight, err = held.take(ctx, p.size(r.opts.fields, held.all)); err != nil {
				return end, err
			}
			in.users.Add(1)
			err = send(p, last)
		} else {
			err = r.readForeign(p, last, send)
		}
		if err != nil {
			return end, err
		}
	}
	end.Done = true
	return end, nil
}

// readForeign sends the rows of a row group of another schema, which may be
// large, in pieces that are not. Their values are decoded here, several columns
// at a time; making rows of them is the workers' part.
func (r *Reader) readForeign(p piece, last bool, send func(piece, bool) error) error {
	g, err := openGroup(p.in, p.group)
	if err != nil {
		return err
	}
	defer g.close()
	for left := p.rows; left > 0; {
		p.rows = min(left, g.pieceRows)
		if p.values, err = g.take(p.rows, r.opts.workers); err != nil {
			return err
		}
		if p.first == 0 {
			r.recognise(p)
		}
		left -= p.rows
		if err := send(p, last && left == 0); err != nil {
			return err
		}
		p.first += p.rows
	}
	return nil
}

// recognised is how many rows of a file decide what dialect it is.
const recognised = 16

// recognise decides who makes rows of the records of a file.
func (r *Reader) recognise(p piece) {
	if r.opts.dialectOK {
		p.in.dialect = r.opts.dialect
	} else {
		var head []byte
		for record := range p.records() {
			if head = append(append(head, record...), '\n'); p.values.at == recognised {
				break
			}
		}
		p.values.rewind()
		if guess, err := dialect.Recognise("rows.jsonl", head, p.rows <= recognised); err == nil {
			p.in.dialect = guess.Dialect
		}
	}
	if p.in.dialect != nil {
		r.seen.Change(int(p.in.number-r.opts.first), func(in *Input) { in.Dialect = p.in.dialect.Name() })
	}
}
