package main

import (
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bar shows a bar on a terminal. It appears with the first standing and goes
// when the run has ended.
type bar struct {
	w    io.Writer
	all  *mpb.Progress
	line *mpb.Bar
	now  atomic.Pointer[standing] // what is drawn, by a goroutine of mpb
}

func (b *bar) show(s standing) {
	b.now.Store(&s)
	if b.all == nil {
		b.draw(s.total)
	}
	b.line.SetCurrent(s.bytes)
}

func (b *bar) draw(total int64) {
	style := mpb.BarFillerBuilder(mpb.BarStyle())
	if total == 0 {
		style = mpb.NopStyle()
	}
	b.all = mpb.New(mpb.WithOutput(b.w), mpb.WithWidth(100), mpb.WithRefreshRate(barEvery))
	b.line = b.all.New(total, style, mpb.BarRemoveOnComplete(), mpb.AppendDecorators(
		decor.Any(func(decor.Statistics) string { return b.now.Load().String() })))
}

func (b *bar) end() {
	if b.all == nil {
		return
	}
	b.line.Abort(true)
	b.all.Wait()
}
