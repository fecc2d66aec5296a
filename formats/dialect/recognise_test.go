package dialect_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/dialect"
)

func ExampleRecognise() {
	head := []byte(`[{"task_id": 0, "trial": 0, "reward": 1.0, "info": {}, "traj": [{"role": "user", "content": "hi`)
	guess, err := dialect.Recognise("airline.json", head, false)
	fmt.Println(guess.Layout, guess.Dialect.Name(), err)
	// Output: array tau-bench <nil>
}

func guessText(g dialect.Guess) string {
	if g.Dialect == nil {
		return g.Layout.String()
	}
	return g.Layout.String() + " of " + g.Dialect.Name()
}

func TestRecognise(t *testing.T) {
	for _, c := range []struct{ what, name, head, want string }{
		{"nothing", "x.jsonl", "", "lines"},
		{"white space", "x.json", " \n\n", "lines"},
		{"rows", "x.jsonl", "{\"prompt\":\"a\"}\n{\"prompt\":\"b\"}\n", "lines"},
		{"rows, whatever the name says", "x.json", "{\"prompt\":\"a\"}\n{\"prompt\":\"b\"}\n", "lines"},
		{"one row", "-", `{"messages":[{"role":"user","content":"q"}]}`, "lines"},
		{"one row over many lines", "x.json", "{\n \"messages\": []\n}", "single document"},
		{"rows behind a byte order mark", "x", "\xef\xbb\xbf{\"prompt\":\"a\"}\r\n{\"prompt\":\"b\"}", "lines"},
		{"unknown lines", "x.jsonl", "{\"question\":\"a\",\"z\":{}}\n", "lines"},
		{"bare NaN", "x.jsonl", "{\"reward\":NaN}\n{\"reward\":1}\n", "lines"},
		{"a torn first line", "x.jsonl", "{\"a\":\"cut of\n{\"prompt\":\"a\"}\n", "lines"},
		{"a log line first", "x.jsonl", "WARNING: slow\n{\"prompt\":\"a\"}\n", "lines"},
		{"a log line, then a long record", "x.jsonl", "WARNING: slow\n{\"prompt\":\"a", "lines"},
		{"one long line", "x", `{"prompt":"aaa`, "lines"},
		{"one long line of unknown members", "x", `{"question":"aaa`, "lines"},
		{"a list of rows", "x.json", `[{"prompt":"a"},{"prompt":"b"}]`, "array"},
		{"a list of unknown objects", "x.json", `[{"a":1}]`, "array"},
		{"an empty list", "x.json", `[]`, "array"},
		{"a list with a mistake in it", "x.json", "[\n{\"prompt\":1},,,\n{\"prompt\":\"aaaaaaaaaaaaa\"}]", "array"},
		{"a keyed object of rows", "x.json", `{"1":{"prompt":"a"},"2":{"prompt":"b"}}`, "keyed object"},
		{"a keyed object of one row", "x.json", `{"1":{"prompt":"a"}}`, "keyed object"},
		{"a keyed object of unknown objects", "x.json", `{"1":{"q":"a"},"2":{"q":"b"}}`, "keyed object"},
		{"objects that differ", "x.json", `{"config":{"q":"a"},"data":{"r":"b"}}`, "single document"},
		{"objects and more", "x.json", `{"1":{"q":"a"},"n":2}`, "single document"},
		{"a document with a list", "x.json", "{\n\"data\":[{\"q\":1}]}", "single document"},
		{"tau-bench", "x", `[{"task_id":0,"reward":1.0,"info":{},"traj":[]}]`, "array of tau-bench"},
		{"tau-bench by line", "x", "{\"task_id\":0,\"reward\":1.0,\"traj\":[]}\n{\"task_id\":0", "lines of tau-bench"},
		{"one line of tau-bench, as its name says", "x.jsonl.gz", `{"task_id":0,"reward":1.0,"traj":[]}`, "lines of tau-bench"},
		{"the telling record is second", "x", "{\"a\":1}\n{\"task_id\":0,\"reward\":1.0,\"traj\":[]}\n", "lines of tau-bench"},
		{"intercode", "x", `{"0":{"query":"q","turn_history":{"actions":[`, "keyed object of intercode"},
		{"intercode by people", "x", `{"0":{"query":"q","trajectory":[{"action":"a","observation":"o"}]}}`, "keyed object of intercode"},
		{"inspect", "x", `{"version":2,"status":"success","eval":{"task":"t"},"samples":[`, "single document of inspect"},
		{"samples of inspect", "x", "{\"id\":1,\"epoch\":1,\"input\":\"q\",\"output\":{}}\n", "single document of inspect"},
		{"swe-agent", "a.traj", `{"history":[{"role":"system","content":"s"`, "single document of swe-agent"},
		{"swe-agent, trajectory alone", "a.traj", `{"trajectory":[{"action":"a","observation":"o","response":"r"}]}`, "single document of swe-agent"},
		{"mini-swe-agent", "a.json", `{"info":{},"messages":[],"trajectory_format":"mini-swe-agent-1.1"}`, "single document of swe-agent"},
		{"messages", "a.traj.json", `[{"role":"system","content":"s"},{"role":"user"`, "single document of chat"},
		{"a list of conversations", "a.json", `[[{"role":"system","content":"s"}],[]]`, "array of chat"},
		{"a conversation a line", "a", "[{\"role\":\"user\",\"content\":\"s\"}]\n[]\n", "lines of chat"},
		{"humaneval", "x", "{\"task_id\":\"a\",\"completion\":\"c\"}\n{\"task_id\":\"a\"}\n", "lines of humaneval"},
		{"humaneval labels", "x.jsonl", `{"task_id":"a","n":2,"c":1,"passed":[0,1]}`, "lines of humaneval"},
		{"rows with a task id are rows", "x.jsonl", `{"task_id":"a","final_text":"c","completion":"c"}`, "lines"},
		{"ShareGPT", "x.json", `[{"id":"1","conversations":[{"from":"human","value":"q"}]}]`, "array"},
		{"prompt and completion of a trainer", "x.jsonl", `{"task_id":"a","prompt":[{"role":"user","content":"q"}],"completion":"c"}`, "lines"},
		{"preference rows", "x.jsonl", `{"chosen":[{"role":"user","content":"q"}],"rejected":[]}`, "lines"},
	} {
		t.Run(c.what, func(t *testing.T) {
			for _, whole := range []bool{true, false} {
				g, err := dialect.Recognise(c.name, []byte(c.head), whole)
				if whole && strings.Contains(c.what, "unknown members") {
					continue // when that is all, it is a document that was torn
				}
				if err != nil || guessText(g) != c.want || g.Unknown && strings.HasPrefix(c.what, "ShareGPT") {
					t.Errorf("whole %v: got %v, %v, want %s", whole, guessText(g), err, c.want)
				}
			}
		})
	}
}

func TestRecogniseRefuses(t *testing.T) {
	for _, c := range []struct{ what, head, want string }{
		{"HTML", "\n<!DOCTYPE html><html>", "an HTML page; perhaps a download that was refused"},
		{"XML", "<?xml version=\"1.0\"?>", "XML or HTML; want JSON"},
		{"Parquet", "PAR1\x15\x00", "a Parquet file"},
		{"Arrow", "ARROW1\x00\x00", "an Arrow IPC file"},
		{"gzip", "\x1f\x8b\x08\x00", "gzip within the decompressed input"},
		{"UTF-16", "\xff\xfe{\x00\"\x00", "text in UTF-16; want UTF-8"},
		{"a zip of other things", "PK\x03\x04........word/document.xml", "a zip archive that is no log of Inspect"},
		{"zero bytes", "{\"a\"\x00\x01", "binary data (a zero byte at 4)"},
		{"no UTF-8", "\x89\xc4\x91\xd2" + strings.Repeat("\xa0\xb3", 40), "binary data, or text that is not UTF-8"},
		{"CSV", "prompt,reward\nq,1\n", `text that starts "prompt,reward"; want JSON objects, one a line or in a list`},
		{"long text", strings.Repeat("secret ", 30), `text that starts "secret secret secret secret secret secre..."; want JSON`},
		{"numbers", "1\n2\n", `text that starts "1"`},
		{"a list of texts", `["a"]`, "a list whose element 0 is a string; want a list of objects"},
		{"objects over many lines", "{\n\"a\":1\n}\n{\n\"a\":2\n}\n", "several JSON documents of many lines each; want a record a line (jq -c . makes them)"},
		{"a mistake", `{"a":1,,"bbbbbbbbbbbbbbbbbbbbbbbbb":2}`, "byte 7: found ',', want a name in quotes"},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, err := dialect.Recognise("x", []byte(c.head), true)
			var e *dialect.Error
			if !errors.As(err, &e) || e.Code != dialect.CodeNotJSON || !strings.Contains(e.Detail, c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestRecogniseCutHeads asserts that a head may end anywhere: it is never an
// error, and from the place on where the first record tells its dialect it is
// recognised as the whole input is.
func TestRecogniseCutHeads(t *testing.T) {
	for file, telling := range map[string]string{
		"taubench.json":       `"traj": [`,
		"intercode.json":      `"actions": [`,
		"inspect.json":        `"eval": {"`,
		"history.traj":        `"trajectory": [{"action": "`,
		"trajectory.traj":     `"action": "`,
		"mini.traj.json":      `"content": "O`,
		"humaneval.jsonl":     `"passed": [0`,
		"conversations.jsonl": `"content": "a"}]` + "\n[",
		"mini2.traj.json":     `"trajectory_format": "m`,
	} {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", file))
			if err != nil {
				t.Fatal(err)
			}
			want, err := dialect.Recognise(file, data, true)
			if err != nil {
				t.Fatal(err)
			}
			told := bytes.Index(data, []byte(telling)) + len(telling)
			for n := range len(data) {
				got, err := dialect.Recognise(file, data[:n], false)
				if err != nil {
					t.Fatalf("%d bytes: %v", n, err)
				}
				if n >= told && got != want {
					t.Fatalf("%d bytes %q: %s, want %s", n, data[max(0, n-20):n], guessText(got), guessText(want))
				}
			}
		})
	}
}

func TestRecogniseZip(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"_journal/start.json", "samples/1_epoch_1.json", "header.json"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(`{}`))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := dialect.Recognise("log", b.Bytes(), true)
	if err != nil || guessText(g) != "zip of inspect" {
		t.Errorf("got %s, %v", guessText(g), err)
	}
}

func TestNamed(t *testing.T) {
	for _, name := range dialect.Names() {
		if d, err := dialect.Named(name); err != nil || d.Name() != name {
			t.Errorf("%s: got %v, %v", name, d, err)
		}
	}
	if _, err := dialect.Named("tau"); err == nil || !strings.Contains(err.Error(), `no dialect "tau"; there are tau-bench, intercode`) {
		t.Errorf("got %v", err)
	}
}
