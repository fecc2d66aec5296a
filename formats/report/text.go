package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// barWidth is how many columns the longest bar takes on a terminal.
const barWidth = 40

// WriteText writes the report for a terminal. Control characters of the data
// are shown as escapes.
func WriteText(w io.Writer, r *Report) error {
	t := textWriter{bufio.NewWriter(w)}
	t.line(r.Title)
	t.line(strings.Repeat("=", columns(r.Title)))
	if r.Lead != "" {
		t.line(r.Lead)
	}
	for _, s := range r.Sections {
		t.line("")
		t.line(s.Title)
		t.line(strings.Repeat("-", columns(s.Title)))
		for _, n := range s.Notes {
			t.line(n)
		}
		for _, item := range s.Items {
			t.item(item)
		}
	}
	return t.Flush()
}

type textWriter struct{ *bufio.Writer }

func (t textWriter) line(parts ...string) {
	for _, p := range parts {
		t.WriteString(Clean(p))
	}
	t.WriteByte('\n')
}

func (t textWriter) item(item Item) {
	switch it := item.(type) {
	case Figures:
		var rows [][]Cell
		for _, f := range it {
			rows = append(rows, []Cell{{Text: f.Name}, {Text: f.Value}, {Text: f.Detail}})
		}
		t.grid([]Column{{}, {Number: true}, {}}, rows)
	case Table:
		if it.Title != "" {
			t.line(it.Title)
		}
		head := make([]Cell, len(it.Columns))
		for i, c := range it.Columns {
			head[i].Text = c.Name
		}
		t.grid(it.Columns, append([][]Cell{head}, it.Rows...))
	case Funnel:
		t.funnel(it)
	case Histogram:
		t.histogram(it)
	case Excerpts:
		t.excerpts(it)
	case Findings:
		for _, f := range it {
			t.line(strings.ToUpper(string(f.Level)), ": ", f.Text)
		}
	}
}

// grid sets cells in columns, two spaces apart.
func (t textWriter) grid(cols []Column, rows [][]Cell) {
	wide := make([]int, len(cols))
	for _, row := range rows {
		for i, c := range row {
			wide[i] = max(wide[i], columns(Clean(c.Text)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			text := Clean(c.Text)
			pad := strings.Repeat(" ", wide[i]-columns(text))
			if cols[i].Number {
				line.WriteString(pad + text)
			} else {
				line.WriteString(text + pad)
			}
		}
		t.line(strings.TrimRight(line.String(), " "))
	}
}

func (t textWriter) funnel(f Funnel) {
	whole := f.whole()
	var rows [][]Cell
	for _, s := range f {
		sign := ""
		if s.Out {
			sign = "-"
		}
		rows = append(rows, []Cell{{Text: s.Label}, {Text: sign + Grouped(s.Count)}, {Text: Share(s.Count, whole)}, {Text: s.Reason}})
	}
	t.grid([]Column{{}, {Number: true}, {Number: true}, {}}, rows)
}

// whole is what shares of a funnel are of: the first count.
func (f Funnel) whole() int64 {
	for _, s := range f {
		if !s.Out {
			return s.Count
		}
	}
	return 0
}

func (t textWriter) histogram(h Histogram) {
	if h.Title != "" {
		t.line(h.Title)
	}
	most := h.most()
	var rows [][]Cell
	for _, b := range h.Bars {
		mark := " "
		if b.Band {
			mark = "*"
		}
		bar := ""
		if most > 0 {
			bar = strings.Repeat("#", int((b.Count*barWidth+most-1)/most))
		}
		rows = append(rows, []Cell{{Text: b.Label}, {Text: mark}, {Text: Grouped(b.Count)}, {Text: bar}})
	}
	t.grid([]Column{{Number: true}, {}, {Number: true}, {}}, rows)
}

func (h Histogram) most() int64 {
	var most int64
	for _, b := range h.Bars {
		most = max(most, b.Count)
	}
	return most
}

func (t textWriter) excerpts(e Excerpts) {
	if e.Title != "" {
		t.line(e.Title)
	}
	for _, x := range e.List {
		t.line(x.Label)
		t.line("  | ", x.Left)
		if x.Right != "" {
			t.line("  | ", x.Right)
		}
		if x.Caption != "" {
			t.line("  ", x.Caption)
		}
	}
}

// Clean makes a text of unknown origin safe for a terminal: control characters,
// marks that turn the direction of writing and bytes that are no UTF-8 are
// shown as escapes.
func Clean(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unsafeRune(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// Block is Clean for a text of several lines, whose ends and tabs stay.
func Block(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		cells := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j := range cells {
			cells[j] = Clean(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}

// unsafeRune reports whether a character moves the cursor or turns the writing.
func unsafeRune(r rune) bool {
	return r < ' ' || r >= 0x7F && r < 0xA0 || r >= 0x200E && r <= 0x200F || r >= 0x2028 && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0xFEFF
}

// columns is how many columns of a terminal a text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
