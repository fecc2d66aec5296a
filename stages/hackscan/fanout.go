package hackscan

import (
	"sync/atomic"

	"github.com/sourcegraph/conc/iter"
)

// fanOut calls work for the numbers below n, in any order, on as many
// goroutines as there are scratches, each with its own.
func fanOut(workers []*scratch, n int, work func(s *scratch, i int)) {
	if len(workers) == 1 || n == 1 {
		for i := range n {
			work(workers[0], i)
		}
		return
	}
	var next atomic.Int64
	iter.Iterator[*scratch]{MaxGoroutines: len(workers)}.ForEach(workers, func(s **scratch) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			work(*s, i)
		}
	})
}
