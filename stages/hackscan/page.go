package hackscan

import (
	"math"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/conduct"
)

// Page is what the first pass reads in a batch of rows, ready to be added to a
// [First]. It holds no text of the rows but a copy of what was said, for the
// names of new terms, and is short-lived.
type Page struct {
	rows    int // graded and not
	at      []rollout.Pos
	tasks   []xxh3.Uint128
	rewards []float64
	profile []uint64 // of all that the scan sees of a row
	trends  []trend
	names   []string
	slots   []int // of each name, its place in the first row that has it
	entries []entry
	terms   pageTerms
}

// entry is a value of a feature that is not zero.
type entry struct {
	row, feature uint32
	value        float64
}

// pageReader makes pages. It is used by one goroutine at a time.
type pageReader struct {
	o        *Options
	followed *followed // terms, by now
	view     rowView
	flags    conduct.Scanner
	page     *Page
	number   map[string]uint32 // of the names of the page
	place    []uint32          // of each name, where it last stood in values
	hash     []uint64          // of each name
	values   []named           // of the row
	terms    termFinder
}

// named is a feature of the row that is read.
type named struct {
	feature uint32
	value   float64
}

// read fills a page, which may have been used before.
func (p *pageReader) read(page *Page, rows []rollout.Row) {
	p.page = page
	*page = Page{
		rows: len(rows), at: page.at[:0], tasks: page.tasks[:0], rewards: page.rewards[:0], profile: page.profile[:0], trends: page.trends[:0],
		names: page.names[:0], slots: page.slots[:0], entries: page.entries[:0], terms: page.terms,
	}
	page.terms.reset(p.followed)
	p.number, p.place, p.hash = map[string]uint32{}, p.place[:0], p.hash[:0]
	for i := range rows {
		r := &rows[i]
		reward, ok := p.o.graded(r)
		if !ok {
			continue
		}
		p.page.at = append(p.page.at, r.Pos)
		p.page.tasks = append(p.page.tasks, xxh3.HashString128(p.o.Task(r)))
		p.page.rewards = append(p.page.rewards, reward)
		p.page.trends = append(p.page.trends, p.o.trend(r))
		p.view.read(r, p.o.Sources)
		p.features(r)
		page.terms.add(&p.view, p.o.Sources, &p.terms)
	}
	p.page = nil
	p.view.forget()
	p.flags = conduct.Scanner{}
}

// handNames are the features that every row has, in their order.
var handNames = [...]string{
	"reply_length", "tool_calls", "assistant_turns", "truncated", "n:words", "n:digits", "n:newlines", "n:punct", "frac:upper",
}

// features reads the features of a row but for terms (spec of gates, section
// 4.2).
func (p *pageReader) features(r *rollout.Row) {
	p.values = p.values[:0]
	v := &p.view
	n := v.counts()
	upper := 0.0
	if n.length > 0 {
		upper = float64(n.upper) / float64(n.length)
	}
	truncated := 0.0
	if v.Truncated() {
		truncated = 1
	}
	p.setHand([...]float64{
		float64(v.ReplyLength()), float64(len(v.Acts())), float64(v.AssistantTurns()), truncated,
		float64(n.words), float64(n.digits), float64(n.newlines), float64(n.punct), upper,
	})
	for _, tool := range v.tools {
		p.set("tool:", tool, 1)
	}
	for _, flag := range p.flags.Scan(&v.Reader).Fired() {
		p.set("trace:", flag.String(), 1)
	}
	var exploits Exploits
	for i := range v.Acts() {
		exploits |= InAct(&v.Acts()[i])
	}
	for _, e := range exploits.All() {
		p.set("exploit:", e.String(), 1)
	}
	if tokens, ok := r.NTokens.Int(); ok && tokens > 0 && r.Logprob.Kind() == rollout.KindNumber {
		p.set("", "logprob_mean", r.Logprob.Num/float64(tokens))
	}
	for i := range r.Markers {
		if m := &r.Markers[i]; m.Value.Kind() == rollout.KindNumber {
			p.set("marker:", m.Name, m.Value.Num)
		}
	}
	if p.o.Features != nil {
		p.o.Features(r, func(name string, value float64) { p.set("", name, value) })
	}
	p.emit()
}

// set gives a feature of the row a value. A name that the row has is
// overwritten in its place.
func (p *pageReader) set(prefix, name string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	number := p.numberOf(prefix, name)
	if at := int(p.place[number]); at < len(p.values) && p.values[at].feature == number {
		p.values[at].value = value
		return
	}
	p.place[number] = uint32(len(p.values))
	p.values = append(p.values, named{number, value})
}

// setHand gives a row the features that every row has: they are the first of the
// page, by number, and the first of the row.
func (p *pageReader) setHand(values [len(handNames)]float64) {
	if len(p.page.names) == 0 {
		for _, name := range handNames {
			p.numberOf("", name)
		}
	}
	for i, x := range values {
		p.place[i] = uint32(i)
		p.values = append(p.values, named{uint32(i), x})
	}
}

// numberOf is the number of a name in the page, a new one if it is new.
func (p *pageReader) numberOf(prefix, name string) uint32 {
	var buffer [128]byte
	key := append(append(buffer[:0], prefix...), name...)
	number, known := p.number[string(key)]
	if known {
		return number
	}
	number = uint32(len(p.page.names))
	full := strings.Clone(string(key))
	p.number[full] = number
	p.page.names = append(p.page.names, full)
	p.page.slots = append(p.page.slots, -1)
	p.place = append(p.place, 0)
	p.hash = append(p.hash, xxh3.HashString(full))
	return number
}

// emit writes the values of the row to the page, and what they are all together.
func (p *pageReader) emit() {
	row := uint32(len(p.page.rewards) - 1)
	profile := p.view.hash()
	for slot, v := range p.values {
		profile += mix(p.hash[v.feature] ^ math.Float64bits(v.value)*golden)
		if v.value == 0 {
			continue
		}
		if p.page.slots[v.feature] < 0 {
			p.page.slots[v.feature] = slot
		}
		p.page.entries = append(p.page.entries, entry{row, v.feature, v.value})
	}
	p.page.profile = append(p.page.profile, profile)
}
