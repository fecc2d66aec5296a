package dialect

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
)

// recordsLooked is how many records Recognise looks at to find one that tells
// its dialect.
const recordsLooked = 16

// Recognise tells how an input is to be read from its first bytes. name is the
// input's name, of which only the extension counts, and only where the bytes
// leave a doubt. head is the start of the decompressed input; whole
// tells that it is all of it. Records that the head cuts off are understood as
// far as they go. An error, an *Error, says what the input is instead; an input
// that has some good lines is none, since its bad ones can be quarantined.
func Recognise(name string, head []byte, whole bool) (Guess, error) {
	if g, err, done := recogniseBinary(name, head); done {
		return g, err
	}
	text := trimmed(bytes.TrimPrefix(head, utf8BOM))
	if len(text) == 0 {
		return Guess{Layout: Lines}, nil // nothing, or nothing yet
	}
	if text[0] != '{' && text[0] != '[' {
		if goodLine(text) {
			return recogniseLines(text), nil
		}
		return Guess{}, notRecords(text)
	}

	if isLinesName(name) && !opensDocument(text) && goodLine(text) {
		return recogniseLines(text), nil // its bad lines can be set aside
	}
	s := jsonscan.Scanner{Buf: text}
	end := s.Value(0)
	cut := end < 0 && jsonwalk.IsCut(text)
	switch {
	case cut:
		end = len(text)
	case end < 0:
		return recogniseBroken(text, s.Err)
	}
	oneLine := bytes.IndexByte(text[:end], '\n') < 0
	more := len(trimmed(text[end:])) > 0
	switch {
	case oneLine && (more || isLinesName(name)):
		return recogniseLines(text), nil
	case more:
		return Guess{}, &Error{CodeNotJSON, "several JSON documents of many lines each; want a record a line (jq -c . makes them)"}
	}
	return recogniseDocument(text[:end], oneLine, oneLine && cut && !whole)
}

var utf8BOM = []byte("\xef\xbb\xbf")

// isLinesName reports whether the name of a file says that it holds a record a
// line.
func isLinesName(name string) bool {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch path.Ext(name) {
	case ".jsonl", ".ndjson", ".jsonlines", ".jl":
		return true
	}
	return false
}

// recogniseBroken looks at a text whose first value is not JSON: lines of which
// the first is bad, or a document with a mistake in it, which its reader will
// name.
func recogniseBroken(text []byte, fault jsonscan.Error) (Guess, error) {
	if opensDocument(text) {
		return recogniseDocument(text, false, false)
	}
	if goodLine(text) {
		return recogniseLines(text), nil
	}
	return Guess{}, &Error{CodeNotJSON, fault.Error()}
}

// opensDocument reports whether the first line is a bracket alone, as of JSON
// that was written for people.
func opensDocument(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	opening := string(bytes.TrimSpace(line))
	return opening == "{" || opening == "["
}

// goodLine reports whether some line of text is a JSON object, or the start of
// one that is cut off.
func goodLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); !bytes.HasPrefix(line, []byte("{")) {
			continue
		}
		s := jsonscan.Scanner{Buf: line}
		if s.Valid() || jsonwalk.IsCut(line) && len(line) > 1 {
			return true
		}
	}
	return false
}

func recogniseLines(text []byte) Guess {
	n := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if d, known := dialectOf(line); known {
			return Guess{Layout: Lines, Dialect: d}
		}
		if n++; n == recordsLooked {
			break
		}
	}
	return Guess{Layout: Lines, Unknown: true}
}

// recogniseDocument looks at one JSON value. unended tells that it is one line
// whose end is not in sight: a document, or the first of many long lines.
func recogniseDocument(doc []byte, oneLine, unended bool) (Guess, error) {
	if doc[0] == '[' {
		return recogniseArray(doc)
	}
	d, known := dialectOf(doc)
	switch {
	case d != nil:
		return Guess{Layout: Whole, Dialect: d}, nil
	case known && oneLine:
		return Guess{Layout: Lines}, nil
	case known:
		return Guess{Layout: Whole}, nil
	}
	if d, known, keyed := recogniseKeyed(doc); keyed {
		return Guess{Layout: Keyed, Dialect: d, Unknown: !known}, nil
	}
	if unended {
		return Guess{Layout: Lines, Unknown: true}, nil
	}
	return Guess{Layout: Whole, Unknown: true}, nil
}

func recogniseArray(doc []byte) (Guess, error) {
	n := 0
	for element := range jsonwalk.Elements(doc) {
		switch {
		case isKind(element, '{') && isMessage(outlineOf(element)) && n == 0:
			return Guess{Layout: Whole, Dialect: chat{}}, nil
		case !isKind(element, '{') && !isKind(element, '['):
			return Guess{}, &Error{CodeNotJSON, fmt.Sprintf("a list whose element %d is %s; want a list of objects", n, kindWord(element))}
		}
		if d, known := dialectOf(element); known {
			return Guess{Layout: Array, Dialect: d}, nil
		}
		if n++; n == recordsLooked {
			break
		}
	}
	return Guess{Layout: Array, Unknown: true}, nil
}

// recogniseKeyed reports whether the members of an object are its records: all
// of those in sight are objects, and they tell their dialect or at least share
// a name.
func recogniseKeyed(doc []byte) (d Dialect, known, keyed bool) {
	var names map[string][]byte
	n, alike := 0, false
	for _, value := range jsonwalk.Members(doc) {
		if !isKind(value, '{') {
			return nil, false, false
		}
		o := outlineOf(value)
		if !known && n < recordsLooked {
			d, known = dialectOf(value)
		}
		if n++; n == 1 {
			names = o.members
			continue
		}
		for name := range o.members {
			alike = alike || names[name] != nil
		}
	}
	return d, known, known || alike
}

// recogniseBinary settles what is no text at all.
func recogniseBinary(name string, head []byte) (g Guess, err error, done bool) {
	for _, m := range []struct{ magic, found string }{
		{"PAR1", "a Parquet file"},
		{"ARROW1", "an Arrow IPC file"},
		{"\x1f\x8b", "gzip within the decompressed input; decompress it once more"},
		{"\x28\xb5\x2f\xfd", "zstd within the decompressed input; decompress it once more"},
		{"SQLite format 3", "a SQLite database"},
		{"%PDF", "a PDF"},
		{"\xff\xfe", "text in UTF-16; want UTF-8"},
		{"\xfe\xff", "text in UTF-16; want UTF-8"},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return g, &Error{CodeNotJSON, m.found}, true
		}
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) {
		if strings.HasSuffix(strings.ToLower(name), ".eval") || bytes.Contains(head, []byte("_journal/")) || bytes.Contains(head, []byte("samples/")) {
			return Guess{Layout: Zip, Dialect: inspect{}}, nil, true
		}
		return g, &Error{CodeNotJSON, "a zip archive that is no log of Inspect; unpack it"}, true
	}
	if i := bytes.IndexByte(head[:min(len(head), 1<<10)], 0); i >= 0 {
		return g, &Error{CodeNotJSON, fmt.Sprintf("binary data (a zero byte at %d)", i)}, true
	}
	return g, nil, false
}

// notRecords says what a text is that has no line with a JSON object.
func notRecords(text []byte) error {
	start := strings.ToLower(string(text[:min(len(text), 64)]))
	switch {
	case strings.HasPrefix(start, "<!doctype html"), strings.HasPrefix(start, "<html"):
		return &Error{CodeNotJSON, "an HTML page; perhaps a download that was refused"}
	case text[0] == '<':
		return &Error{CodeNotJSON, "XML or HTML; want JSON"}
	case !utf8.Valid(text[:min(len(text), 64)]) && !utf8.Valid(text[:max(0, min(len(text), 64)-3)]):
		return &Error{CodeNotJSON, "binary data, or text that is not UTF-8"}
	}
	line, _, _ := strings.Cut(string(text[:min(len(text), 200)]), "\n")
	return &Error{CodeNotJSON, fmt.Sprintf("text that starts %q; want JSON objects, one a line or in a list", excerpt(line))}
}
