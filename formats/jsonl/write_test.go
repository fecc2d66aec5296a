package jsonl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
	"pgregory.net/rapid"
)

// numbered makes n rows, with a bad line behind every hundredth.
func numbered(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"rollout_id":"r%d","reward":%d,"prompt":"%s"}`+"\n", i, i%2, strings.Repeat("ask ", i%50))
		if i%100 == 99 {
			b.WriteString("{broken " + fmt.Sprint(i) + "\n")
		}
	}
	return b.Bytes()
}

func TestUntouchedRowsPassByteForByte(t *testing.T) {
	in := write(t, "in.jsonl", []byte(" {\"b\": 1.0,\"a\":\"\\u00e9\"}\r\n\n{\"reward\" :1}"))
	out, sum := convert(t, in, filepath.Join(t.TempDir(), "out.jsonl"), nil)
	if want := "{\"b\": 1.0,\"a\":\"\\u00e9\"}\n{\"reward\" :1}\n"; string(out) != want {
		t.Errorf("got %q, want %q", out, want)
	}
	if sum.Rows != 2 || sum.Parts[0].Bytes != int64(len(out)) {
		t.Errorf("%+v", sum)
	}
}

func TestOtherDialectsAreWrittenAsV1(t *testing.T) {
	in := write(t, "in.jsonl", []byte(`{"q":"2+2?","a":"4","ok":true}`+"\n"))
	out, _ := convert(t, in, filepath.Join(t.TempDir(), "out.jsonl"),
		[]jsonl.Option{jsonl.Dialect(mustMap(t, "prompt=q,final_text=a,reward=ok"))})
	if want := `{"schema_version":"1","prompt":"2+2?","final_text":"4","reward":1}` + "\n"; string(out) != want {
		t.Errorf("got %s, want %s", out, want)
	}
}

// The bytes do not depend on workers, batches or blocks, whatever the packing.
func TestPropertyWritingIsDeterministic(t *testing.T) {
	data := numbered(1200)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(in, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".jsonl", ".jsonl.gz", ".jsonl.zst"} {
		var want []byte
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++
			out := filepath.Join(dir, fmt.Sprintf("%d%s", run, ending))
			r := jsonl.Open(in,
				jsonl.Workers(rapid.IntRange(1, 4).Draw(t, "workers")),
				jsonl.BatchRows(rapid.IntRange(1, 1500).Draw(t, "batch")),
				jsonl.BlockSize(rapid.IntRange(100, 1<<20).Draw(t, "block")))
			w := jsonl.Create(out, jsonl.WriteWorkers(rapid.IntRange(1, 4).Draw(t, "writers")),
				jsonl.Quarantine(out+".quarantine", r.InputName))
			if _, err := stream.Run(context.Background(), stream.To(stream.From(r), w)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			refused, err := os.ReadFile(out + ".quarantine")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, refused...)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, and %d before", len(got), len(want))
			}
		})
		back := readAll(t, []string{filepath.Join(dir, "1"+ending)})
		if len(back.rows) != 1200 || back.rows[1199].ID != "r1199" {
			t.Errorf("%s: %d rows came back", ending, len(back.rows))
		}
	}
}

func TestParts(t *testing.T) {
	in := write(t, "in.jsonl", numbered(250))
	for _, c := range []struct {
		perFile int64
		want    string
	}{
		{100, "out-00000.jsonl.zst 100, out-00001.jsonl.zst 100, out-00002.jsonl.zst 50"},
		{125, "out-00000.jsonl.zst 125, out-00001.jsonl.zst 125"},
		{1000, "out-00000.jsonl.zst 250"},
	} {
		dir := t.TempDir()
		w := jsonl.Create(filepath.Join(dir, "out.jsonl.zst"), jsonl.RowsPerFile(c.perFile))
		if _, err := stream.Run(context.Background(), stream.To(stream.From(jsonl.Open(in)), w)); err != nil {
			t.Fatal(err)
		}
		var got []string
		seen := 0
		for _, p := range w.Summary().Parts {
			got = append(got, fmt.Sprintf("%s %d", filepath.Base(p.Path), p.Rows))
			for _, r := range readAll(t, []string{p.Path}).rows {
				if r.ID != fmt.Sprintf("r%d", seen) {
					t.Fatalf("row %d is %s", seen, r.ID)
				}
				seen++
			}
		}
		if strings.Join(got, ", ") != c.want || seen != 250 {
			t.Errorf("%d a file: %v and %d rows, want %s", c.perFile, got, seen, c.want)
		}
	}
}

func TestKeptOnlyCountsTheOthersByGate(t *testing.T) {
	in := write(t, "in.jsonl", numbered(90))
	gate := stream.Map(2, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		for i := range b.Items {
			if b.Items[i].Pos.Record%3 == 0 {
				b.Items[i].EndAt([]string{"leak", "length"}[b.Items[i].Pos.Record%2])
			}
		}
		return b, nil
	})
	path := filepath.Join(t.TempDir(), "out.jsonl")
	w := jsonl.Create(path, jsonl.KeptOnly())
	if _, err := stream.Run(context.Background(), stream.To(stream.Through(stream.From(jsonl.Open(in)), gate), w)); err != nil {
		t.Fatal(err)
	}
	sum := w.Summary()
	if sum.Rows != 60 || sum.Dropped["leak"] != 15 || sum.Dropped["length"] != 15 {
		t.Errorf("%+v", sum)
	}
}

func TestQuarantineCarriesTheRecord(t *testing.T) {
	in := write(t, "in.jsonl", []byte("{\"prompt\":\"a\"}\n{\"x\":\"\xff\"}\n{\"q\":\"\n"))
	dir := t.TempDir()
	q := filepath.Join(dir, "q.jsonl")
	r := jsonl.Open(in)
	w := jsonl.Create(filepath.Join(dir, "out.jsonl"), jsonl.Quarantine(q, r.InputName))
	if _, err := stream.Run(context.Background(), stream.To(stream.From(r), w)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(q)
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		Input  string `json:"input"`
		Record int64  `json:"record"`
		Offset int64  `json:"offset"`
		Code   string `json:"code"`
		Raw    string `json:"raw"`
		Base64 []byte `json:"raw_base64"`
	}
	var got []entry
	for line := range bytes.Lines(data) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	want := []entry{
		{Input: in, Record: 2, Offset: 15, Code: "bad_utf8", Base64: []byte("{\"x\":\"\xff\"}")},
		{Input: in, Record: 3, Offset: 25, Code: "bad_json", Raw: `{"q":"`},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if s := w.Summary(); s.Rejected != 2 || s.Rejects.Path != q {
		t.Errorf("%+v", s)
	}
}

// Whatever goes wrong, nothing is left behind, under its final name or another.
func TestFailedRunsLeaveNothing(t *testing.T) {
	in := write(t, "in.jsonl", numbered(5000))
	boom := errors.New("boom")
	for _, c := range []struct {
		name string
		fail func(cancel context.CancelFunc) stream.Stage[rollout.Row, rollout.Row]
		want error
	}{
		{"error", func(context.CancelFunc) stream.Stage[rollout.Row, rollout.Row] {
			return stream.Map(1, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
				if b.Seq == 3 {
					return b, boom
				}
				return b, nil
			})
		}, boom},
		{"cancelled", func(cancel context.CancelFunc) stream.Stage[rollout.Row, rollout.Row] {
			return stream.Map(1, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
				if b.Seq == 3 {
					cancel()
				}
				return b, nil
			})
		}, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			dir := t.TempDir()
			w := jsonl.Create(filepath.Join(dir, "out.jsonl.gz"), jsonl.RowsPerFile(100), jsonl.Quarantine(filepath.Join(dir, "q"), func(uint32) string { return in }))
			_, err := stream.Run(ctx, stream.To(stream.Through(stream.From(jsonl.Open(in, jsonl.BatchRows(100))), c.fail(cancel)), w))
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			left, err := os.ReadDir(dir)
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

func TestOutputsThatCannotBeWritten(t *testing.T) {
	in := write(t, "in.jsonl", numbered(5000))
	for _, c := range []struct{ path, want string }{
		{"/dev/full", "/dev/full: no space left on device (free some space or write elsewhere; nothing was left behind)"},
		{in + "/out.jsonl", in + "/out.jsonl: not a directory"},
		{filepath.Dir(in), filepath.Dir(in) + ": is a folder (name a file in it)"},
		{"no/such/folder/out.jsonl", "no/such/folder/out.jsonl: no such file or directory (make the folder first)"},
	} {
		_, err := stream.Run(context.Background(), stream.To(stream.From(jsonl.Open(in)), jsonl.Create(c.path)))
		var oe *files.OutputError
		if !errors.As(err, &oe) || oe.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}

func TestNoRowsAreAFileWithoutRows(t *testing.T) {
	in := write(t, "in.jsonl", []byte("{broken\n{\"a\":1}\n"))
	drop := stream.Filter(func(*rollout.Row) bool { return false })
	for _, ending := range []string{".jsonl", ".jsonl.gz", ".jsonl.zst"} {
		path := filepath.Join(t.TempDir(), "out"+ending)
		w := jsonl.Create(path)
		if _, err := stream.Run(context.Background(), stream.To(stream.Through(stream.From(jsonl.Open(in)), drop), w)); err != nil {
			t.Fatal(err)
		}
		if _, err := tryReadAll([]string{path}); !errors.Is(err, files.ErrEmpty) {
			t.Errorf("%s: reading it: %v", ending, err)
		}
	}
}
