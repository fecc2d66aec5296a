package labelled

import (
	"fmt"
	"regexp"
	"strings"
)

// How many of each there are in a half.
const (
	Items      = 1400
	PerCopied  = 100 // rows of each class that copies: 10 of them
	PerOther   = 200 // rows of each class that does not: 5 of them
	mostShared = 0.5 // of the words of an item that are no numbers, in a row of its template
	hardShared = 0.3 // and at least, so that the row is worth asking about
)

// Set is one half: an evaluation set, and training rows to be held against it.
type Set struct {
	Half  Half
	Items []Item
	Rows  []Row // shuffled
}

// New makes a half.
func New(h Half, seed uint64) *Set {
	set := &Set{Half: h}
	seen := map[string]bool{}
	for n := 0; len(set.Items) < Items; n++ {
		item := newItem(seed, h, n)
		if !seen[item.Text] {
			seen[item.Text] = true
			set.Items = append(set.Items, item)
		}
	}
	m := &maker{set: set, seed: seed}
	m.list()
	m.copies()
	m.others()
	shuffle(newSource(seed, "order "+h.String(), 0), set.Rows)
	return set
}

// maker makes the rows of a set.
type maker struct {
	set     *Set
	seed    uint64
	holders map[string][]holder // of a word
	sizes   []int               // words of an item that are no numbers
	shared  []int               // of those, with the text that is asked about
}

// writer gives each row a source of its own, and each an id.
func (m *maker) writer(class Class, n int) (w *writer, id string) {
	h := m.set.Half
	return newWriter(newSource(m.seed, h.String()+" "+string(class), n), h),
		fmt.Sprintf("%s-%s-%d", h, strings.ReplaceAll(string(class), " ", "-"), n)
}

// copies makes the rows that copy, each another item within its class.
func (m *maker) copies() {
	for _, class := range Copies {
		fit := m.fitting(class)
		shuffle(newSource(m.seed, "items "+m.set.Half.String()+string(class), 0), fit)
		for n := range PerCopied {
			w, id := m.writer(class, n)
			item := fit[n%len(fit)]
			row := w.put(id, class, w.copied(class, item), class == Conversation)
			row.Copied, row.Item = true, item.ID
			row.SetExtra("label", `"copy"`)
			row.SetExtra("item", quote(item.ID))
			m.set.Rows = append(m.set.Rows, row)
		}
	}
}

// fitting lists the items that a class can be made of.
func (m *maker) fitting(class Class) (fit []Item) {
	for _, item := range m.set.Items {
		short := item.Kind == Short && item.bare()
		switch class {
		case Line:
			if !short {
				continue
			}
		case OneWord, TenthWord:
			if short {
				continue
			}
		case Numerals:
			if len(digits.FindAllString(item.Text, -1)) < 2 {
				continue
			}
		}
		fit = append(fit, item)
	}
	return fit
}

// copied edits an item as its class says.
func (w *writer) copied(class Class, item Item) string {
	s := item.Text
	switch class {
	case Paragraph:
		return w.within(s)
	case Line:
		return w.amid(s)
	case OneWord:
		return w.within(w.oneWordChanged(s))
	case TenthWord:
		return w.within(w.everyTenthChanged(s))
	case UpperCase:
		return strings.ToUpper(w.sometimesWithin(s))
	case NoPunct:
		return w.withoutPunctuation(w.sometimesWithin(s))
	case Wrapped:
		return w.wrapped(w.sometimesWithin(s))
	case Numerals:
		return w.sometimesWithin(w.numeralsChanged(s))
	}
	return s
}

func (w *writer) sometimesWithin(s string) string {
	if w.percent(50) {
		return w.within(s)
	}
	return s
}

// others makes the rows that copy nothing.
func (m *maker) others() {
	for _, class := range Others {
		for n := range PerOther {
			w, id := m.writer(class, n)
			row := w.put(id, class, m.other(w, class, n), w.percent(20))
			row.SetExtra("label", `"clean"`)
			m.set.Rows = append(m.set.Rows, row)
		}
	}
}

func (m *maker) other(w *writer, class Class, n int) string {
	switch class {
	case KnownFormula:
		formula := pick(w.source, of(w.half, formulas))
		if w.percent(50) {
			return w.prose(w.between(15, 80)) + " " + capital(formula) + ". " + w.prose(w.between(15, 80))
		}
		return capital(formula) + ". " + m.unlike(w, plain(n))
	case Boilerplate:
		return w.instruct(m.unlike(w, plain(n)))
	case SameTemplate:
		return w.sometimesWithin(m.unlike(w, plain(n)))
	case Permuted:
		return w.sometimesWithin(w.permuted(m.set.Items[(n*7)%len(m.set.Items)].Text))
	}
	return w.prose(w.between(40, 300))
}

// plain is a kind of question without a formula.
func plain(n int) Kind {
	if kind := kinds[n%len(kinds)]; kind != Formula {
		return kind
	}
	return Story
}

// unlike writes a question that has fewer than half of the words of any item of
// its kind, and enough of the words of one to be hard.
func (m *maker) unlike(w *writer, kind Kind) string {
	for try := 0; ; try++ {
		s := newWriter(w.source, w.half).ask(kind)
		if x := m.share(s, kind); x < mostShared && (x >= hardShared || try >= 100) {
			return s
		}
	}
}

// share is the largest share of the words of an item of a kind, without
// numbers and instructions, that a text has.
func (m *maker) share(s string, kind Kind) (most float64) {
	clear(m.shared)
	for w, n := range bagOf(s) {
		for _, h := range m.holders[w] {
			m.shared[h.item] += min(n, h.times)
		}
	}
	for i, n := range m.shared {
		if n > 0 && m.set.Items[i].Kind == kind {
			most = max(most, float64(n)/float64(m.sizes[i]))
		}
	}
	return most
}

// holder is an item that has a word, and how often.
type holder struct{ item, times int }

// list notes which items have which words.
func (m *maker) list() {
	m.holders, m.sizes, m.shared = map[string][]holder{}, make([]int, Items), make([]int, Items)
	for i, item := range m.set.Items {
		for w, n := range bagOf(item.asked) {
			m.holders[w] = append(m.holders[w], holder{i, n})
			m.sizes[i] += n
		}
	}
}

var letters = regexp.MustCompile(`\pL+`)

// bagOf counts the words of a text that are no numbers.
func bagOf(s string) map[string]int {
	bag := map[string]int{}
	for _, w := range letters.FindAllString(strings.ToLower(s), -1) {
		bag[w]++
	}
	return bag
}
