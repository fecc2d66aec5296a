package arrowjs

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// summary is what read.mjs prints of a file.
type summary struct {
	Rows       int            `json:"rows"`
	Batches    int            `json:"batches"`
	Columns    []string       `json:"columns"`
	Rewards    float64        `json:"rewards"`
	Unrewarded int            `json:"unrewarded"`
	Content    int            `json:"content"`
	Calls      []string       `json:"calls"`
	Statuses   map[string]int `json:"statuses"`
	Markers    float64        `json:"markers"`
	Extra      []string       `json:"extra"`
}

// rows makes n rollouts of several shapes, and what a reader should find in them.
func rows(t *testing.T, n int) ([]rollout.Row, summary) {
	want := summary{Rows: n, Columns: rollout.AllFields.Names(), Calls: []string{}, Statuses: map[string]int{}, Extra: []string{}}
	out := make([]rollout.Row, n)
	d := rollout.NewDecoder(rollout.AllFields)
	for i := range out {
		var record string
		switch i % 3 {
		case 0:
			record = fmt.Sprintf(`{"scenario_id":"t%d","messages":[{"role":"user","content":"añ日 %d"},{"role":"assistant","content":null,"tool_calls":[`+
				`{"id":"c%d","type":"function","function":{"name":"f","arguments":"{\"a\": %d}"}}]}],"reward":0.5,"judge_status":"ok","markers":{"m":0.25,"k":1}}`, i/8, i, i, i)
			want.Content += len(fmt.Sprintf("añ日 %d", i))
			want.Calls = append(want.Calls, fmt.Sprintf(`c%d f {"a": %d}`, i, i))
			want.Rewards += 0.5
			want.Statuses["ok"]++
			want.Markers += 1.25
		case 1:
			record = `{"reward":null,"judge_status":"timeout","seed":7}`
			want.Unrewarded++
			want.Statuses["timeout"]++
			want.Extra = append(want.Extra, `{"reward":null,"seed":7}`)
		case 2:
			record = `{"prompt":"p","messages":[],"reward":1.0}`
			want.Rewards++
			want.Extra = append(want.Extra, `{"reward":1.0}`)
		}
		if err := d.Decode([]byte(record), &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out, want
}

// installed returns a folder with the script and what it needs.
func installed(t *testing.T) string {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "read.mjs"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("apache-arrow cannot be had: %v\n%s", err, out)
	}
	return dir
}

func TestApacheArrowReadsOurFiles(t *testing.T) {
	dir := installed(t)
	rows, want := rows(t, 1000)
	want.Batches = 4
	var names []string
	for _, c := range []arrowipc.Compression{arrowipc.None, arrowipc.LZ4, arrowipc.Zstd} {
		for _, ending := range []string{".arrow", ".arrows"} {
			name := c.String() + ending
			w := arrowipc.Create(filepath.Join(dir, name), arrowipc.Compress(c), arrowipc.RecordRows(256))
			if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows), w)); err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
	}
	read := exec.Command("node", append([]string{"read.mjs"}, names...)...)
	read.Dir = dir
	var stderr bytes.Buffer
	read.Stderr = &stderr
	out, err := read.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for _, name := range names {
		if !lines.Scan() {
			t.Fatalf("nothing of %s", name)
		}
		var got summary
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: read as\n%.600v\nwant\n%.600v", name, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
}
