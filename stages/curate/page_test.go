package curate_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/report/reporttest"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stages/selection"
)

// hostile are rollouts with long words, long texts, right-to-left and wide writing,
// markup and control characters.
func hostile() []byte {
	long := strings.Repeat("unbroken", 60)
	texts := []string{
		long, strings.Repeat("Many words make a long reply. ", 200), "مرحبا بالعالم هذا نص من اليمين إلى اليسار " + strings.Repeat("כן ", 40),
		strings.Repeat("这是一个没有空格的很长的中文句子", 30), "<script>alert(1)</script><b>bold</b>\x1b[31m\u202e", "| a | b |\n|---|---|\n" + strings.Repeat("\t", 40) + "end",
	}
	var b bytes.Buffer
	for t := range tasks {
		for i := range aTask {
			answer := 1000 + t
			if i >= t%9 {
				answer = 7
			}
			fmt.Fprintf(&b, `{"scenario_id":%q,"rollout_index":%d,"prompt":%s,"final_text":%s,"finish_reason":"stop","reference":"%d"}`+"\n",
				fmt.Sprintf("task-%d-%s", t, long[:100]), i, quoted(prompt(t)+texts[t%len(texts)]), quoted(fmt.Sprintf("%s\nway%d word%d. The answer is %d.", texts[(t+i)%len(texts)], i, t*31+i, answer)), 1000+t)
		}
	}
	return append(b.Bytes(), "{\"broken\n"...)
}

// quoted is a text as a JSON string.
func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// The report of a run can be read on a phone and on a screen, light and dark,
// whatever stands in the rows.
func TestPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a browser several times")
	}
	in := filepath.Join(t.TempDir(), strings.Repeat("a-long-name-", 12)+".jsonl")
	if err := os.WriteFile(in, hostile(), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, in, filepath.Join(t.TempDir(), "out"), 2, 64)
	o.Inputs[0].Name = in
	set := decontaminate.Set{Name: "evals/" + strings.Repeat("réponse-", 20) + ".jsonl"}
	for i := range leaked {
		set.Items = append(set.Items, decontaminate.Item{Texts: []decontaminate.Text{{Part: decontaminate.Question, Text: prompt(i)}}})
	}
	var err error
	if o.Index, err = decontaminate.Build(context.Background(), []decontaminate.Set{set}, o.Index.Config(), 2); err != nil {
		t.Fatal(err)
	}
	o.Select = selection.Options{Holdout: 0.1, RL: selection.RLOptions{NoTools: true}}
	o.Rows = jsonl.Open(in)
	if _, err := curate.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(o.Out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(page, []byte("<script>")) {
		t.Error("text of a row became markup")
	}
	for _, v := range reporttest.Views(420, 1200) {
		reporttest.Look(t, page, v)
	}
}
