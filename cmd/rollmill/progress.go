package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rollmill/rollmill/stream"
)

const (
	barEvery  = 200 * time.Millisecond // on a terminal
	lineEvery = 10 * time.Second       // elsewhere
)

// standing is how far a run is.
type standing struct {
	bytes   int64 // of the input files that were read
	total   int64 // that there are; 0 when that is not known
	rows    int64
	elapsed time.Duration
}

// String says it in words.
func (s standing) String() string {
	var b strings.Builder
	b.WriteString("read " + byteSize(s.bytes))
	if s.total > 0 {
		fmt.Fprintf(&b, " of %s (%.0f %%)", byteSize(s.total), 100*float64(s.bytes)/float64(s.total))
	}
	b.WriteString(", " + count(s.rows, "row"))
	if seconds := s.elapsed.Seconds(); seconds > 0 {
		fmt.Fprintf(&b, ", %s rows/s", grouped(int64(float64(s.rows)/seconds)))
	}
	if s.bytes > 0 && s.total > s.bytes {
		left := s.elapsed.Seconds() / float64(s.bytes) * float64(s.total-s.bytes)
		fmt.Fprintf(&b, ", %.0f s left", left)
	}
	return b.String()
}

// display shows how far a run is.
type display interface {
	show(standing)
	end()
}

// watch shows how far a run is until it has ended: a bar on a terminal, else a
// line from time to time.
func watch(w io.Writer, reader *source, running *stream.Running) {
	var view display = lines{w}
	every := lineEvery
	if f, ok := w.(*os.File); ok && isTerminal(f) {
		view, every = &bar{w: w}, barEvery
	}
	total := sizeOf(reader.paths)
	follow(running, every, func(stats *stream.Stats) {
		view.show(standing{reader.BytesRead(), total, stageNamed(stats, rowsStage).ItemsIn, stats.Elapsed})
	})
	view.end()
}

// follow calls show from time to time until the run has ended.
func follow(running *stream.Running, every time.Duration, show func(*stream.Stats)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-running.Done():
			return
		case <-tick.C:
			show(running.Snapshot())
		}
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// sizeOf is the size of the input files, 0 when it is not known of all of them.
func sizeOf(paths []string) (total int64) {
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}

// lines shows a line each time.
type lines struct{ w io.Writer }

func (l lines) show(s standing) { fmt.Fprintln(l.w, "rollmill: "+s.String()) }

func (lines) end() {}
