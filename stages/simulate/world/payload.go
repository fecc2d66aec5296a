package world

import (
	"fmt"
	"strconv"

	"github.com/zeebo/xxh3"
)

var (
	adjectives = []string{
		"amber", "brisk", "calm", "copper", "crisp", "dusty", "early", "faint", "gentle", "green", "hidden", "ivory",
		"late", "lively", "narrow", "northern", "plain", "quiet", "rapid", "silver", "small", "steady", "upper", "winter",
	}
	nouns = []string{
		"harbor", "lantern", "meadow", "parcel", "bridge", "orchard", "signal", "ledger", "valley", "window",
		"garden", "engine", "ticket", "anchor", "market", "canvas", "river", "basket", "studio", "summit",
	}
	people = []string{
		"Ada Brandt", "Ben Okafor", "Chiara Lunde", "Dev Rao", "Elif Demir", "Finn Aalto", "Grace Mbeki", "Hugo Marin",
		"Ines Duarte", "Jonas Weiss", "Kaia Nilsen", "Liam Byrne", "Mina Sato", "Noor Haddad", "Omar Farah", "Petra Novak",
	}
	statuses  = []string{"open", "pending", "active", "shipped", "delivered", "on hold", "closed", "cancelled"}
	fileStems = []string{"main", "config", "report", "notes", "index", "server", "schema", "readme"}
	codeWords = []string{"parse", "load", "render", "retry", "merge", "flush", "encode", "verify", "split", "resolve"}
	checks    = []string{"unit tests", "lint", "type check", "build", "integration tests", "coverage", "deploy preview"}
)

// pick returns an element by a number that was drawn.
func pick(list []string, n uint64) string { return list[n%uint64(len(list))] }

// hex8 returns eight hexadecimal digits of a number that was drawn.
func hex8(n uint64) string { return fmt.Sprintf("%08x", uint32(n>>32)) }

// draws gives numbers that follow from a text.
type draws struct{ text string }

func (d draws) about(what string) uint64 { return xxh3.HashStringSeed(d.text, xxh3.HashString(what)) }

// payload returns the data of a call that succeeds. It follows from what the
// call refers to, so that a record that is read twice is the same, and else
// from the whole call.
func (w *World) payload(e *entry) string {
	if len(w.refs) > 0 && !e.several {
		if i := w.index(w.refs[0]); i >= 0 && w.known[i].json != "" {
			return w.known[i].json
		}
	}
	if len(w.refs) > 0 && !e.several && (e.kind == record || e.kind == money) {
		return string(w.record(nil, e, w.refs[0]))
	}
	call := draws{string(w.digest(e, "payload"))}
	switch {
	case e.kind == shell:
		return w.shell(call)
	case e.kind == grep:
		return w.matches(call)
	case e.kind == file && len(w.refs) > 0:
		return w.file(w.refs[0])
	case e.kind == files || e.kind == file:
		return w.listing(call)
	case e.kind == git:
		return w.history(call)
	case e.kind == ci:
		return w.checks(call)
	case e.several || len(w.refs) == 0 && e.verb == read:
		return w.found(e, call)
	}
	return string(w.record(nil, e, e.stem+"_"+strconv.FormatUint(call.about("id")%89_000+1000, 10)))
}

// record appends the record of an entity.
func (w *World) record(dst []byte, e *entry, id string) []byte {
	d := draws{"entity:" + id}
	o := open(dst)
	o.text("id", id)
	o.text("name", pick(adjectives, d.about("adjective"))+" "+pick(nouns, d.about("noun")))
	o.text("status", pick(statuses, d.about("status")))
	for _, hint := range e.hints {
		switch hint {
		case "quantity":
			o.int("quantity", int64(d.about("quantity")%40)+1)
		case "amount":
			o.raw("amount", amount(d))
			o.text("currency", pick([]string{"EUR", "USD", "GBP"}, d.about("currency")))
		case "date":
			o.text("date", date(d.about("date")))
		case "owner":
			o.text("owner", pick(people, d.about("owner")))
		}
	}
	if e.kind == money && len(e.hints) == 0 {
		o.raw("amount", amount(d))
	}
	if i := w.index(id); i >= 0 && w.known[i].version > 0 {
		o.int("version", int64(w.known[i].version)+1)
	}
	o.text("updated_at", date(d.about("updated")))
	// What located the record stands in it too; other arguments do not.
	for i := range w.args {
		if a := &w.args[i]; locates(a.name) && a.name != "id" && a.text == id {
			o.raw(a.name, a.json)
		}
	}
	return o.close()
}

// amount returns a sum of money: most have cents, few are large.
func amount(d draws) string {
	n := d.about("amount")
	scale := []uint64{1, 1, 10, 100}[n%4]
	whole, cents := (n>>8%200+3)*scale, n>>32%100
	if n>>48%10 < 3 {
		cents = 0
	}
	return fmt.Sprintf("%d.%02d", whole, cents)
}

// date returns a day of the years 2022 to 2026.
func date(n uint64) string {
	day := [...]byte{'2', '0', '2', '2' + byte(n%5), '-', 0, 0, '-', 0, 0}
	month, dayOfMonth := byte(n>>16%12+1), byte(n>>32%28+1)
	day[5], day[6] = '0'+month/10, '0'+month%10
	day[8], day[9] = '0'+dayOfMonth/10, '0'+dayOfMonth%10
	return string(day[:])
}

// found returns the results of a search or a list.
func (w *World) found(e *entry, call draws) string {
	o := open(nil)
	for i := range w.args {
		if a := &w.args[i]; a.name == "query" || a.name == "q" || a.name == "term" {
			o.raw("query", a.json)
		}
	}
	n := call.about("count")%uint64(w.catalog.options.Hits) + 1
	o.int("count", int64(n))
	o.name("items")
	o.dst = append(o.dst, '[')
	for i := range n {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		id := strconv.FormatUint(call.about("item"+strconv.FormatUint(i, 10))%89_000+1000, 10)
		o.dst = w.record(o.dst, e, id)
	}
	o.dst = append(o.dst, ']')
	return string(o.close())
}

// shell returns the output of a command: one in eleven is refused, one fails
// its tests, one meets a conflict, one is a listing; the others pass.
func (w *World) shell(d draws) string {
	o := open(nil)
	code, out := int64(0), pick(checks, d.about("check"))+": ok"
	switch d.about("flavor") % 11 {
	case 0:
		code, out = 126, "permission denied"
	case 1:
		code, out = 1, "FAILED "+pick(codeWords, d.about("word"))+"_test: 1 failed, 7 passed"
	case 2:
		code, out = 1, "CONFLICT (content): merge conflict in "+pick(fileStems, d.about("stem"))+".py"
	case 3:
		out = pick(fileStems, d.about("stem")) + ".py\n" + pick(fileStems, d.about("other")) + ".md"
	}
	o.int("exit_code", code)
	o.text("stdout", out)
	return string(o.close())
}

func (w *World) matches(d draws) string {
	o := open(nil)
	n := d.about("count")%uint64(w.catalog.options.Hits) + 1
	o.int("count", int64(n))
	var lines []string
	for i := range n {
		k := strconv.FormatUint(i, 10)
		lines = append(lines, fmt.Sprintf("%s.py:%d: %s_%s()", pick(fileStems, d.about("file"+k)), d.about("line"+k)%400+1,
			pick(codeWords, d.about("a"+k)), pick(nouns, d.about("b"+k))))
	}
	o.texts("matches", lines)
	return string(o.close())
}

func (w *World) file(path string) string {
	d := draws{"entity:" + path}
	o := open(nil)
	o.text("path", path)
	o.text("content", fmt.Sprintf("def %s_%s(value):\n    return %s(value, limit=%d)\n", pick(codeWords, d.about("a")),
		pick(nouns, d.about("b")), pick(codeWords, d.about("c")), d.about("n")%90+10))
	return string(o.close())
}

func (w *World) listing(d draws) string {
	o := open(nil)
	n := d.about("count")%uint64(w.catalog.options.Hits) + 1
	o.int("count", int64(n))
	var names []string
	for i := range n {
		k := strconv.FormatUint(i, 10)
		names = append(names, pick(fileStems, d.about("stem"+k))+"_"+pick(nouns, d.about("noun"+k))+pick([]string{".py", ".md", ".json"}, d.about("end"+k)))
	}
	o.texts("files", names)
	return string(o.close())
}

func (w *World) history(d draws) string {
	o := open(nil)
	o.text("commit", hex8(d.about("commit")))
	o.text("author", pick(people, d.about("author")))
	o.text("message", pick(codeWords, d.about("verb"))+" the "+pick(nouns, d.about("noun")))
	o.text("date", date(d.about("date")))
	return string(o.close())
}

// checks returns a run of a pipeline; one in seven holds a failure.
func (w *World) checks(d draws) string {
	o := open(nil)
	failing := d.about("failing")%7 == 0
	o.text("conclusion", map[bool]string{true: "failure", false: "success"}[failing])
	o.name("checks")
	o.dst = append(o.dst, '[')
	for i := range 3 {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		c := open(o.dst)
		c.text("name", checks[(d.about("first")+uint64(i))%uint64(len(checks))])
		c.text("conclusion", map[bool]string{true: "failure", false: "success"}[failing && i == 0])
		o.dst = c.close()
	}
	o.dst = append(o.dst, ']')
	return string(o.close())
}
