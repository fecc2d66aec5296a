package curate

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// spool is what the first pass leaves for the others: the rows, graded and compared,
// in parts, each an Arrow IPC file and a note of what it covers.
type spool struct {
	dir    string
	starts []int // the row that each part begins with
	bytes  int64
	at     positions
	sum    *part // what was counted of all parts
}

// path is the file of a part.
func (s *spool) path(n int) string { return filepath.Join(s.dir, fmt.Sprintf("part-%05d.arrow", n)) }

// note is what says that a part is finished.
func (s *spool) note(n int) string { return filepath.Join(s.dir, fmt.Sprintf("part-%05d.json", n)) }

// add adds a part that is finished.
func (s *spool) add(p *part) {
	s.starts = append(s.starts, s.at.n)
	s.bytes += p.Bytes
	s.at.join(&p.At)
	for i, g := range p.Graded {
		s.sum.Graded[i].Merge(g)
	}
	if s.sum.Compared != nil {
		s.sum.Compared.Merge(p.Compared)
	}
}

// parts is how many parts are finished.
func (s *spool) parts() int { return len(s.starts) }

// rows is how many there are.
func (s *spool) rows() int64 { return int64(s.at.n) }

// paths are the files in their order.
func (s *spool) paths() (paths []string) {
	for n := range s.parts() {
		paths = append(paths, s.path(n))
	}
	return paths
}

// spooled are the rows of the spool, with the positions of where they came from.
func (l *line) spooled(want rollout.Fields) stream.Flow[rollout.Row] {
	reader := arrowipc.OpenAll(l.spool.paths(), arrowipc.Fields(want), arrowipc.Workers(l.Workers))
	return stream.Through(stream.From(reader), stream.Map(l.Workers, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		if len(b.Rejects) > 0 {
			return b, lost("a row of the spool cannot be read: %s", b.Rejects[0].Detail)
		}
		for i := range b.Items {
			at := b.Items[i].Pos
			b.Items[i].Pos = l.spool.at.at(l.spool.starts[at.Input] + int(at.Record-1))
		}
		return b, nil
	}), stream.Name("spool"))
}
