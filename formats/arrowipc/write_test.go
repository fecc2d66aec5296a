package arrowipc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// sample has rows of many shapes, n of them.
func sample(t testing.TB, n int) []rollout.Row {
	var records []string
	for i := range n {
		switch i % 5 {
		case 0:
			records = append(records, fmt.Sprintf(`{"rollout_id":"r%d","scenario_id":"t%d","rollout_index":%d,"prompt":"ask %d","messages":[`+
				`{"role":"user","content":"ask %d"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\": %d}"}}]},`+
				`{"role":"tool","content":"r","name":"f","tool_call_id":"c"}],"tools":[{"type":"function"}],"reward":%d,"judge_status":"ok","markers":{"a":0.25,"b":1},"model_version":"m"}`,
				i, i/8, i%8, i, i, i, i%2))
		case 1:
			records = append(records, fmt.Sprintf(`{"rollout_id":"r%d","reward":1.0,"logprob":-%d.257812345,"n_tokens":null,"privileged":{"reference":"%d"}}`, i, i, i))
		case 2:
			records = append(records, fmt.Sprintf(`{"rollout_id":"r%d","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"assistant"}],"reward":"0.5","judge_status":"timeout"}`, i))
		case 3:
			records = append(records, fmt.Sprintf(`{"rollout_id":"r%d","final_text":"日本 %d","rollmill_gate":"leak","rollmill_gates":[{"gate":"leak","code":"ngram"}],"x":{"b":1.50,"a":[]}}`, i, i))
		case 4:
			records = append(records, `{"prompt":null,"scenario_id":7,"steps":[],"schema_version":"0"}`)
		}
	}
	return rowsOf(t, records...)
}

func TestFilesComeBack(t *testing.T) {
	rows := sample(t, 103)
	for _, c := range []arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd} {
		for _, name := range []string{"x.arrow", "x.arrows"} {
			t.Run(fmt.Sprint(c, name), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), name)
				data, sum := save(t, path, rows, arrowipc.Compress(c), arrowipc.RecordRows(10))
				if sum.Rows != 103 || sum.Parts[0].Bytes != int64(len(data)) {
					t.Errorf("%+v, %d bytes", sum, len(data))
				}
				a := readAll(t, []string{path}, arrowipc.BatchRows(7))
				sameRows(t, a.rows, rows)
				if r := a.rows[57]; r.Pos.Record != 58 || r.Pos.Input != 0 || r.Pos.Offset == 0 {
					t.Errorf("position %+v", r.Pos)
				}
				theirs(t, data, name == "x.arrow", rows)
			})
		}
	}
}

// theirs reads a file with arrow-go's own readers.
func theirs(t *testing.T, data []byte, isFile bool, want []rollout.Row) {
	t.Helper()
	var recs []arrow.RecordBatch
	if isFile {
		r, err := ipc.NewFileReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Schema().Equal(arrowipc.Schema()) {
			t.Errorf("schema %v", r.Schema())
		}
		for i := range r.NumRecords() {
			rec, err := r.RecordBatchAt(i)
			if err != nil {
				t.Fatal(err)
			}
			recs = append(recs, rec)
		}
	} else {
		r, err := ipc.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
			rec := r.RecordBatch()
			rec.Retain()
			recs = append(recs, rec)
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
	}
	var rows []rollout.Row
	for _, rec := range recs {
		more, rejects, err := arrowipc.Decode(rec, rollout.AllFields)
		if err != nil || len(rejects) > 0 {
			t.Fatal(err, rejects)
		}
		rows = append(rows, more...)
	}
	sameRows(t, rows, want)
}

// The bytes do not depend on workers or on the batches of the flow.
func TestSameBytesForAnyWorkersAndBatches(t *testing.T) {
	rows := sample(t, 12_345)
	dir := t.TempDir()
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		for _, items := range []int{64, 1024, 10_000} {
			path := filepath.Join(dir, fmt.Sprintf("%d-%d.arrow", workers, items))
			w := arrowipc.Create(path, arrowipc.WriteWorkers(workers), arrowipc.RecordRows(1000), arrowipc.RecordBytes(100_000))
			if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows, stream.Items(items)), w)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%d workers, batches of %d: %d bytes, %d before", workers, items, len(got), len(want))
			}
			if back := readAll(t, []string{path}, arrowipc.Workers(workers), arrowipc.BatchRows(items)); items == 1024 {
				sameRows(t, back.rows, rows)
			}
		}
	}
}

// The same, wherever the cuts are and whatever the compression.
func TestPropertyWritingIsDeterministic(t *testing.T) {
	rows := sample(t, 500)
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		cut := []arrowipc.WriteOption{
			arrowipc.RecordRows(rapid.IntRange(20, 600).Draw(t, "rows")),
			arrowipc.RecordBytes(rapid.IntRange(2_000, 50_000).Draw(t, "bytes")),
			arrowipc.Compress(rapid.SampledFrom([]arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd}).Draw(t, "compression")),
		}
		var want []byte
		for range 2 {
			run++
			path := filepath.Join(dir, fmt.Sprintf("%d.arrow", run))
			w := arrowipc.Create(path, append(cut, arrowipc.WriteWorkers(rapid.IntRange(1, 4).Draw(t, "workers")))...)
			flow := stream.FromSlice(rows, stream.Items(rapid.IntRange(1, 600).Draw(t, "batch")))
			if _, err := stream.Run(context.Background(), stream.To(flow, w)); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want != nil && !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, and %d before", len(got), len(want))
			}
			want = got
			os.Remove(path)
		}
	})
}

func TestParts(t *testing.T) {
	rows := sample(t, 250)
	for _, c := range []struct {
		perFile int64
		want    string
	}{
		{100, "out-00000.arrow 100, out-00001.arrow 100, out-00002.arrow 50"},
		{125, "out-00000.arrow 125, out-00001.arrow 125"},
		{1000, "out-00000.arrow 250"},
	} {
		dir := t.TempDir()
		_, sum := save(t, filepath.Join(dir, "out.arrow"), rows, arrowipc.RowsPerFile(c.perFile), arrowipc.RecordRows(30))
		var got, paths []string
		for _, p := range sum.Parts {
			got = append(got, fmt.Sprintf("%s %d", filepath.Base(p.Path), p.Rows))
			paths = append(paths, p.Path)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%d a file: %v, want %s", c.perFile, got, c.want)
		}
		a := readAll(t, paths, arrowipc.FirstInput(7))
		sameRows(t, a.rows, rows)
		last := a.rows[249].Pos
		if int(last.Input) != 7+len(paths)-1 || a.reader.InputName(last.Input) != paths[len(paths)-1] || last.Record != sum.Parts[len(paths)-1].Rows {
			t.Errorf("%d a file: last position %v", c.perFile, last)
		}
		end := a.marks[len(a.marks)-1]
		if len(end) != len(paths) || !end[len(end)-1].Done || end[0].Record != sum.Parts[0].Rows {
			t.Errorf("%d a file: last mark %+v", c.perFile, end)
		}
	}
}

func TestKeptOnlyCountsTheOthersByGate(t *testing.T) {
	_, sum := save(t, filepath.Join(t.TempDir(), "x.arrow"), sample(t, 100), arrowipc.KeptOnly())
	if sum.Rows != 80 || sum.Dropped["leak"] != 20 {
		t.Errorf("%+v", sum)
	}
}

func TestRejectsAreHandedOn(t *testing.T) {
	flow := stream.Through(stream.FromSlice(sample(t, 10)), stream.MapItems(1, func(_ context.Context, r rollout.Row) (rollout.Row, error) {
		if r.Gate != "" {
			return r, &stream.RejectError{Reject: stream.Reject{Pos: r.Pos, Code: "gate"}}
		}
		return r, nil
	}))
	var seen []stream.Reject
	w := arrowipc.Create(filepath.Join(t.TempDir(), "x.arrow"), arrowipc.Rejects(func(r []stream.Reject) error { seen = append(seen, r...); return nil }))
	if _, err := stream.Run(context.Background(), stream.To(flow, w)); err != nil {
		t.Fatal(err)
	}
	if s := w.Summary(); s.Rows != 8 || s.Rejected != 2 || len(seen) != 2 || seen[1].Pos.Record != 9 {
		t.Errorf("%+v, %+v", s, seen)
	}
}

// Whatever goes wrong, nothing is left behind, under its final name or another.
func TestFailedRunsLeaveNothing(t *testing.T) {
	boom := errors.New("boom")
	dir := t.TempDir()
	fail := stream.Map(1, func(_ context.Context, b stream.Batch[rollout.Row]) (stream.Batch[rollout.Row], error) {
		if b.Seq == 5 {
			return b, boom
		}
		return b, nil
	})
	w := arrowipc.Create(filepath.Join(dir, "out.arrow"), arrowipc.RowsPerFile(100))
	flow := stream.Through(stream.FromSlice(sample(t, 1000), stream.Items(100)), fail)
	if _, err := stream.Run(context.Background(), stream.To(flow, w)); !errors.Is(err, boom) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestOutputsThatCannotBeWritten(t *testing.T) {
	there := write(t, "there.arrow", nil)
	for _, c := range []struct{ path, want string }{
		{"/dev/full", "/dev/full: no space left on device (free some space or write elsewhere; nothing was left behind)"},
		{there, there + ": exists already (remove it, choose another name or pass --force)"},
		{"x.arrow.zst", "x.arrow.zst: is a name for another kind of file (leave .gz or .zst out of the name; record batches are compressed within the file)"},
	} {
		_, err := stream.Run(context.Background(), stream.To(stream.FromSlice(sample(t, 10)), arrowipc.Create(c.path)))
		var oe *files.OutputError
		if !errors.As(err, &oe) || oe.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}

func TestNoRowsAreAFileWithoutRows(t *testing.T) {
	for _, name := range []string{"x.arrow", "x.arrows"} {
		path := filepath.Join(t.TempDir(), name)
		data, _ := save(t, path, nil)
		theirs(t, data, name == "x.arrow", nil)
		if _, err := tryReadAll([]string{path}); !errors.Is(err, files.ErrEmpty) {
			t.Errorf("%s: reading it: %v", name, err)
		}
		none := arrowipc.Create(filepath.Join(t.TempDir(), name), arrowipc.NoEmpty())
		if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice[rollout.Row](nil), none)); err != nil || len(none.Summary().Parts) != 0 {
			t.Errorf("%s: %+v %v", name, none.Summary(), err)
		}
	}
}

// A text that is not UTF-8 is written as JSON would have it.
func TestTextsMadeByHandAreWrittenAsUTF8(t *testing.T) {
	r := rollout.Row{Prompt: "a\xffb", Reason: "ok", Extra: []rollout.Member{{Name: "x", JSON: "\"\xff\""}}}
	r.Touch(rollout.FieldPrompt | rollout.FieldReason)
	changed := sample(t, 1)[0]
	changed.Judge = "\xfe"
	changed.Touch(rollout.FieldJudge)
	rec, err := arrowipc.Encode([]rollout.Row{r, changed})
	if err != nil {
		t.Fatal(err)
	}
	back, rejects, err := arrowipc.Decode(rec, rollout.AllFields)
	if err != nil || len(rejects) > 0 {
		t.Fatal(rejects, err)
	}
	if back[0].Prompt != "a\ufffdb" || back[0].Extra[0].JSON != "\"\ufffd\"" || back[1].Judge != "\ufffd" {
		t.Errorf("%+v", back)
	}
}

func TestRecords(t *testing.T) {
	rows := sample(t, 95)
	flow := arrowipc.Records(stream.FromSlice(rows, stream.Items(7)), arrowipc.RecordRows(10), arrowipc.WriteWorkers(3))
	var back []rollout.Row
	n := 0
	for rec, err := range flow.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		more, _, err := arrowipc.Decode(rec, rollout.AllFields)
		if err != nil {
			t.Fatal(err)
		}
		rec.Release() // the rows stay
		back = append(back, more...)
	}
	if n != 10 {
		t.Errorf("%d record batches", n)
	}
	sameRows(t, back, rows)
}

// A record batch that was cut out of another one is read as any is.
func TestDecodeOfASlice(t *testing.T) {
	rows := sample(t, 60)
	rec, err := arrowipc.Encode(rows)
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := arrowipc.Decode(rec.NewSlice(13, 50), rollout.AllFields)
	if err != nil {
		t.Fatal(err)
	}
	sameRows(t, back, rows[13:50])
}
