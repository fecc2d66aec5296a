package curate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/stages/curate"
	"github.com/rollmill/rollmill/stream"
)

// Nothing that stands where gates say something is told for what this run found,
// whatever its type is.
func TestGatesBeforeAreForgotten(t *testing.T) {
	gates := []string{`"rollmill_gate":5,`, `"rollmill_gate":null,`, `"rollmill_gate":"too_hard",`, `"rollmill_gates":"x",`, `"rollmill_gate":["decontaminate"],"rollmill_gates":{},`}
	in, n := filepath.Join(t.TempDir(), "in.jsonl"), 0
	var text strings.Builder
	for line := range strings.Lines(string(lines())) {
		if rest, ok := strings.CutPrefix(line, `{"scenario_id"`); ok {
			text.WriteString("{" + gates[n%len(gates)] + `"scenario_id"` + rest)
			n++
		}
	}
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	o, _ := small(t, in, filepath.Join(t.TempDir(), "out"))
	r, err := curate.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := stream.Collect(t.Context(), stream.From(arrowipc.Open(filepath.Join(o.Out, "rows.arrow"))))
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for i := range rows {
		for _, m := range rows[i].Extra {
			if strings.HasPrefix(m.Name, "rollmill_gate") {
				t.Fatalf("%v: %s stands there still", rows[i].Pos, m.Name)
			}
		}
		if rows[i].Gate == "" {
			kept++
		}
	}
	if int64(kept) != r.Counts.Kept || kept == 0 {
		t.Errorf("%d rows ended at no gate, and %d are kept", kept, r.Counts.Kept)
	}
}
