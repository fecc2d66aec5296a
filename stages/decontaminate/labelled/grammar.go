package labelled

import (
	"strconv"
	"strings"
)

// Half says which templates are used.
type Half int

const (
	Tune  Half = iota // choose constants on this one
	Judge             // and tell the figures of this one
)

// String returns tune or judge.
func (h Half) String() string {
	if h == Judge {
		return "judge"
	}
	return "tune"
}

// of returns the half's share of templates.
func of[T any](h Half, all []T) (mine []T) {
	for i, t := range all {
		if i%2 == int(h) {
			mine = append(mine, t)
		}
	}
	return mine
}

// writer fills templates.
type writer struct {
	*source
	half  Half
	given map[string]string // what numbered slots were filled with
}

func newWriter(s *source, h Half) *writer { return &writer{s, h, map[string]string{}} }

// write fills a template: [one|two] is one of those, {slot} a word, the same one
// again where the slot has a number: {name1}.
func (w *writer) write(template string) string {
	var out strings.Builder
	for template != "" {
		i := strings.IndexAny(template, "[{")
		if i < 0 {
			out.WriteString(template)
			break
		}
		out.WriteString(template[:i])
		rest := template[i+1:]
		if template[i] == '[' {
			choice, after, _ := strings.Cut(rest, "]")
			out.WriteString(w.write(pick(w.source, strings.Split(choice, "|"))))
			template = after
			continue
		}
		slot, after, _ := strings.Cut(rest, "}")
		out.WriteString(w.slot(slot))
		template = after
	}
	return out.String()
}

// slot fills one slot.
func (w *writer) slot(slot string) string {
	kind := strings.TrimRight(slot, "0123456789")
	if kind == slot {
		return w.word(kind)
	}
	word, known := w.given[slot]
	if !known {
		word = w.word(kind)
		w.given[slot] = word
	}
	return word
}

func (w *writer) word(kind string) string {
	switch kind {
	case "name":
		return w.name()
	case "town":
		return w.town()
	case "thing":
		return pick(w.source, things)
	case "things":
		return plural(pick(w.source, things))
	case "animal":
		return pick(w.source, animals)
	case "animals":
		return plural(pick(w.source, animals))
	case "adj":
		return pick(w.source, adjectives)
	case "verbed":
		return pick(w.source, verbs)
	case "job":
		return pick(w.source, jobs)
	case "jobs":
		return plural(pick(w.source, jobs))
	case "place":
		return pick(w.source, places)
	case "kin":
		return pick(w.source, kin)
	case "day":
		return pick(w.source, days)
	case "field":
		return pick(w.source, fields)
	case "concept":
		return pick(w.source, concepts)
	case "does":
		return pick(w.source, doing)
	case "n":
		return w.numeral()
	case "year":
		return strconv.Itoa(w.between(1480, 1990))
	case "ident":
		return pick(w.source, things) + "_" + strings.TrimSuffix(pick(w.source, verbs), "ed")
	case "prose":
		return w.sentence()
	}
	panic("labelled: no slot " + strconv.Quote(kind))
}

// capital gives a sentence its first letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
