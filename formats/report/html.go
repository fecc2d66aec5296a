package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"
)

//go:embed page.html
var pageText string

// page is parsed when the first page is written and not at every start.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"kind":    func(i Item) string { return i.kind() },
		"grouped": Grouped,
		"clean":   Clean,
		"lines":   Block,
		"funnel":  drawFunnel,
		"bars":    drawBars,
		"many":    func(t Table) bool { return len(t.Columns) >= manyColumns },
	}).Parse(pageText))
})

// WriteHTML writes the report as one page that needs nothing else: styles and
// pictures are within, there is no script and no network. It follows the
// reader's choice of light and dark and fits a phone.
func WriteHTML(w io.Writer, r *Report) error { return page().Execute(w, r) }

// rowBar is a step of a funnel as it is drawn: widths in percent.
type rowBar struct {
	Label, Count, Share, Reason string
	Width                       string
	Out                         bool
}

func drawFunnel(f Funnel) []rowBar {
	whole := f.whole()
	out := make([]rowBar, len(f))
	for i, s := range f {
		out[i] = rowBar{Label: s.Label, Count: Grouped(s.Count), Share: Share(s.Count, whole), Reason: s.Reason, Out: s.Out, Width: "0"}
		if whole > 0 {
			out[i].Width = fmt.Sprintf("%.2f", 100*min(1, float64(s.Count)/float64(whole)))
		}
	}
	return out
}

// manyColumns are so many that a phone shows each row of a table as a paragraph.
const manyColumns = 4

// The picture of a histogram, in units of its view box. A phone shows it at little more
// than half its size, and letters larger than the rest: there labels stand in two lines by
// turns.
const (
	barStep    = 56
	barTop     = 24 // for the count above the highest bar
	barHeight  = 140
	barBase    = barTop + barHeight
	labelLine  = 20
	barsHeight = barBase + 2*labelLine + 6
)

// svgBar is a bar as it is drawn.
type svgBar struct {
	X, Y, Width, Height float64
	Middle              float64
	LabelY              int
	Label, Count, Short string
	Band, Turn          bool
}

// svgBars is a histogram as it is drawn.
type svgBars struct {
	Width, Height int
	Bars          []svgBar
}

func drawBars(h Histogram) svgBars {
	most := max(h.most(), 1)
	out := svgBars{Width: barStep * len(h.Bars), Height: barsHeight}
	for i, b := range h.Bars {
		height := barHeight * float64(b.Count) / float64(most)
		x := float64(i * barStep)
		out.Bars = append(out.Bars, svgBar{
			X: x + 4, Y: barBase - height, Width: barStep - 8, Height: height, Middle: x + barStep/2,
			LabelY: barBase + labelLine, Turn: i%2 == 1, Label: b.Label, Count: Grouped(b.Count), Short: short(b.Count), Band: b.Band,
		})
	}
	return out
}
