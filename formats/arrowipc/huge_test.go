package arrowipc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/arrowipc"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Case io-05 at its real size. It takes minutes and 8 GiB of memory, so it runs
// where ROLLMILL_HUGE is set; the case with a lower limit runs always.
func TestThreeGiBInOneColumn(t *testing.T) {
	if os.Getenv("ROLLMILL_HUGE") == "" || testing.Short() {
		t.Skip("ROLLMILL_HUGE is not set")
	}
	text := strings.Repeat("x", 1<<30)
	rows := make([]rollout.Row, 3) // that share their text
	for i := range rows {
		rows[i].Pos.Record = int64(i) + 1
		rows[i].FinalText = text
		rows[i].Touch(rollout.FieldFinalText)
	}
	if _, err := arrowipc.Encode(rows); !errors.Is(err, arrowipc.ErrTooLong) {
		t.Errorf("as one record batch: %v", err)
	}
	path := filepath.Join(t.TempDir(), "x.arrow")
	w := arrowipc.Create(path, arrowipc.WriteWorkers(1))
	if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice(rows), w)); err != nil {
		t.Fatal(err)
	}
	n := 0
	for r, err := range stream.From(arrowipc.Open(path, arrowipc.Workers(1))).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.FinalText != text {
			t.Errorf("row %d has %d bytes of text", n, len(r.FinalText))
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d rows", n)
	}
	long := rollout.Row{Prompt: text + text}
	long.Touch(rollout.FieldPrompt)
	w = arrowipc.Create(path, arrowipc.Replace(), arrowipc.WriteWorkers(1))
	if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice([]rollout.Row{long}), w)); !errors.Is(err, arrowipc.ErrTooLong) {
		t.Errorf("a text of 2 GiB: %v", err)
	}
}
