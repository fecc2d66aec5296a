package gen

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/conc/stream"
)

// chunkRows is what one worker makes at a time: whole tasks, about 1.5 MB.
const chunkRows = 64 * RolloutsPerTask

// Write writes the rows of cfg to w, one JSON object a line. Chunks are made
// on all cores and written in order; the bytes do not depend on how many there are.
func Write(w io.Writer, cfg Config) error {
	g := New(cfg.Seed)
	var (
		err     error // belongs to the callbacks, which run one after another
		failed  atomic.Bool
		buffers = sync.Pool{New: func() any { return new([]byte) }}
		workers = stream.New().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	)
	for from := int64(0); from < cfg.Rows && !failed.Load(); from += chunkRows {
		workers.Go(func() stream.Callback {
			buf := buffers.Get().(*[]byte)
			*buf = g.AppendRows((*buf)[:0], from, min(from+chunkRows, cfg.Rows))
			return func() {
				if err == nil {
					if _, err = w.Write(*buf); err != nil {
						failed.Store(true)
					}
				}
				buffers.Put(buf)
			}
		})
	}
	workers.Wait()
	return err
}
