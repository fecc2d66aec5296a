package files_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/files"
)

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{
		"runs/b.jsonl.zst", "runs/a.JSONL", "runs/deep/c.eval", "runs/notes.txt", "runs/.hidden.jsonl", "runs/.git/x.jsonl",
		"x-2.jsonl", "x-1.jsonl.gz", "odd[1].jsonl", "docs/readme.md", "runs/b.quarantine.jsonl", "x-2.quarantine.jsonl.gz",
	} {
		write(t, name, nil)
	}
	for _, c := range []struct {
		args []string
		want string
		err  error
	}{
		{[]string{"runs"}, "runs/a.JSONL runs/b.jsonl.zst runs/deep/c.eval", nil},
		{[]string{"x-*.jsonl*", "-"}, "x-1.jsonl.gz x-2.jsonl -", nil},
		{[]string{"x-2.jsonl", "x-1.jsonl.gz"}, "x-2.jsonl x-1.jsonl.gz", nil},
		{[]string{"runs/b.quarantine.jsonl"}, "runs/b.quarantine.jsonl", nil},
		{[]string{"odd[1].jsonl"}, "odd[1].jsonl", nil},
		{[]string{"runs/notes.txt"}, "runs/notes.txt", nil},
		{[]string{"missing.jsonl"}, "", fs.ErrNotExist},
		{[]string{"y-*.jsonl"}, "", files.ErrNothingFound},
		{[]string{"docs"}, "", files.ErrNothingFound},
		{[]string{"["}, "", filepath.ErrBadPattern},
	} {
		got, err := files.Expand(c.args)
		if strings.Join(got, " ") != c.want || !errors.Is(err, c.err) {
			t.Errorf("Expand(%q) = %q, %v; want %q, %v", c.args, got, err, c.want, c.err)
		}
		if ie := new(files.InputError); err != nil && (!errors.As(err, &ie) || ie.Path != c.args[0]) {
			t.Errorf("Expand(%q): error %v does not name it", c.args, err)
		}
	}
}

func TestExpandWithout(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"runs/a.jsonl", "runs/out/train.jsonl", "runs/out/deep/rows.arrow", "runs/z.jsonl"} {
		write(t, name, nil)
	}
	mine := func(path string) bool { return path == "runs/z.jsonl" || strings.HasPrefix(path, "runs/out") }
	for _, c := range []struct {
		arg  string
		want string
		hint string
	}{
		{"runs", "runs/a.jsonl", ""},
		{"runs/*", "runs/a.jsonl", ""},
		{"runs/*/train*", "", "what is there is written by this run"},
		{"runs/out", "", "what is there is written by this run"},
		{"runs/y*", "", "no file matches the pattern"},
		{"runs/z.jsonl", "runs/z.jsonl", ""},
		{"runs/out/train.jsonl", "runs/out/train.jsonl", ""},
	} {
		got, err := files.ExpandWithout([]string{c.arg}, mine)
		if strings.Join(got, " ") != c.want || (err == nil) != (c.hint == "") {
			t.Errorf("%s: %q, %v; want %q", c.arg, got, err, c.want)
		}
		if ie, ok := errors.AsType[*files.InputError](err); err != nil && (!ok || ie.Hint != c.hint || !errors.Is(err, files.ErrNothingFound)) {
			t.Errorf("%s: %v; want the hint %q", c.arg, err, c.hint)
		}
	}
}

func TestOpenDecompresses(t *testing.T) {
	text := bytes.Repeat([]byte("some text to pack\n"), 30_000)
	for _, c := range []files.Compression{files.Plain, files.Gzip, files.Zstd} {
		for _, cuts := range []int{1, 3} {
			var packed []byte
			for i := range cuts { // members of gzip, frames of zstd
				packed = c.AppendFrame(packed, text[len(text)*i/cuts:len(text)*(i+1)/cuts])
			}
			path := write(t, filepath.Join(t.TempDir(), "packed"), packed)
			in, err := files.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			head, whole, err := in.Head()
			if err != nil || whole || !bytes.HasPrefix(text, head) || len(head) == 0 {
				t.Errorf("%v in %d: head of %d bytes, whole %v, %v", c, cuts, len(head), whole, err)
			}
			got, err := io.ReadAll(in)
			if err != nil || !bytes.Equal(got, text) || in.Compression != c || in.Consumed() != int64(len(packed)) || in.Size != int64(len(packed)) {
				t.Errorf("%v in %d: %d bytes, %v, %v, consumed %d of %d", c, cuts, len(got), err, in.Compression, in.Consumed(), len(packed))
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestDamagedInputsNameTheFile(t *testing.T) {
	text := []byte(strings.Repeat("0123456789 and more ", 20_000))
	for _, c := range []files.Compression{files.Gzip, files.Zstd} {
		packed := c.AppendFrame(nil, text)
		torn := packed[:len(packed)/2]
		flipped := bytes.Clone(packed)
		flipped[len(flipped)-3] ^= 0xff // in the checksum of both
		for what, data := range map[string][]byte{"torn": torn, "flipped": flipped} {
			path := write(t, filepath.Join(t.TempDir(), "x"), data)
			in, err := files.Open(path)
			if err == nil {
				_, err = io.ReadAll(in)
				in.Close()
			}
			var ie *files.InputError
			if !errors.As(err, &ie) || ie.Path != path || !strings.Contains(err.Error(), fmt.Sprintf("damaged %v data near byte", c)) {
				t.Errorf("%v %s: %v", c, what, err)
			}
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	gz := files.Gzip.AppendFrame(nil, []byte("x"))
	for _, c := range []struct {
		path string
		want string
	}{
		{filepath.Join(dir, "missing"), ": no such file or directory (check the path)"},
		{dir, ": is a folder (name the files in it)"},
		{write(t, filepath.Join(dir, "a.zst"), gz), ": not what its name says: it is gzip, not zstd (rename it)"},
		{write(t, filepath.Join(dir, "b.gz"), []byte("{}")), ": not what its name says: it is plain, not gzip (rename it)"},
	} {
		if _, err := files.Open(c.path); err == nil || err.Error() != c.path+c.want {
			t.Errorf("Open(%s): %v, want %s", c.path, err, c.want)
		}
	}
}

func TestCreateShowsWholeFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	names := func() string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				shown = append(shown, e.Name())
			}
		}
		return fmt.Sprintf("%s of %d", strings.Join(shown, " "), len(entries))
	}
	start := func(replace bool) *files.Output {
		t.Helper()
		o, err := files.Create(path, replace)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
		return o
	}

	o := start(false)
	if got := names(); got != " of 1" {
		t.Errorf("while it is written: %s", got)
	}
	o.Abort()
	if got := names(); got != " of 0" {
		t.Errorf("after Abort: %s", got)
	}
	o = start(false)
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	o.Abort() // does nothing any more
	if got := names(); got != "out of 1" || o.Written != 4 {
		t.Errorf("after Commit: %s, %d bytes", got, o.Written)
	}
	if _, err := files.Create(path, false); !errors.Is(err, files.ErrExists) {
		t.Errorf("over a file: %v", err)
	}
	if err := start(true).Commit(); err != nil {
		t.Errorf("replacing it: %v", err)
	}
}

// A file that appears while another is written under its name is not lost.
func TestCommitDoesNotReplaceUnasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	o, err := files.Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, []byte("other"))
	if err := o.Commit(); !errors.Is(err, files.ErrExists) {
		t.Errorf("Commit: %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "other" {
		t.Errorf("it now holds %q", data)
	}
}

func TestReplacingKeepsPermissionsAndLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	o, err := files.Create(link, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(target)
	if data, _ := os.ReadFile(target); err != nil || info.Mode() != 0o640 || string(data) != "new" {
		t.Errorf("target %v %q, %v", info.Mode(), data, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "broken")); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Create(filepath.Join(dir, "broken"), true); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
		t.Errorf("a broken link: %v", err)
	}
}

// Two runs that write the same name do not mix.
func TestTwoOutputsOfOneName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	a, err := files.Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	b, err := files.Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range []*files.Output{a, b, a} {
		if _, err := o.Write([]byte{"aba"[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(a.Commit(), b.Commit()); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "b" {
		t.Errorf("the file holds %q", data)
	}
}

func TestSmallNamesTellMuch(t *testing.T) {
	for _, c := range []struct {
		name   string
		ext    string
		packed files.Compression
		record bool
	}{
		{"a/b.JSONL.zst", ".jsonl", files.Zstd, true},
		{"b.json.gz", ".json", files.Gzip, true},
		{"b.traj", ".traj", files.Plain, true},
		{"b.txt.gz", ".txt", files.Gzip, false},
		{"b", "", files.Plain, false},
	} {
		if e, p, r := files.Ext(c.name), files.CompressionOf(c.name), files.IsRecordName(c.name); e != c.ext || p != c.packed || r != c.record {
			t.Errorf("%s: %q, %v, %v", c.name, e, p, r)
		}
	}
}

func TestSniff(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		want       files.Format
	}{
		{"a.jsonl", "{}", files.JSON},
		{"misnamed.jsonl", "PAR1....", files.Parquet},
		{"b.parquet", "PAR1", files.Parquet},
		{"c.arrow", "ARROW1\x00\x00", files.ArrowFile},
		{"d", "\xff\xff\xff\xff\x10\x00\x00\x00", files.ArrowStream},
		{"empty.parquet", "", files.JSON},
	} {
		got, err := files.Sniff(write(t, filepath.Join(dir, c.name), []byte(c.text)))
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, c := range []struct {
		text string
		want files.Format
	}{{`{"a":1}`, files.JSON}, {"PAR1....", files.Parquet}, {"ARROW1\x00\x00", files.ArrowFile}, {"\xff\xff\xff\xff\x10\x00\x00\x00", files.ArrowStream}, {"x", files.JSON}, {"", files.JSON}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString(c.text); err != nil {
			t.Fatal(err)
		}
		w.Close()
		os.Stdin, r = r, os.Stdin
		got, err := files.Sniff(files.Stdin)
		in, openErr := files.Open(files.Stdin)
		if err != nil || openErr != nil || got != c.want {
			t.Fatalf("standard input of %q: %v, %v, %v; want %v", c.text, got, err, openErr, c.want)
		}
		if text, err := io.ReadAll(in); err != nil || string(text) != c.text {
			t.Errorf("standard input of %q is read as %q, %v", c.text, text, err)
		}
		os.Stdin, r = r, os.Stdin
		r.Close()
	}
	for name, want := range map[string]files.Format{"-": files.JSON, "x.parquet": files.Parquet, "x.arrow": files.ArrowFile, "x.arrows": files.ArrowStream, "x.jsonl.zst": files.JSON} {
		if got := files.FormatOf(name); got != want {
			t.Errorf("FormatOf(%s) = %v, want %v", name, got, want)
		}
	}
}
