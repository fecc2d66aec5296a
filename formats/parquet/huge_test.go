package parquet_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

// Texts beyond what one row group is to hold: case io-05 with a lower limit.
func TestTextsBeyondARowGroup(t *testing.T) {
	throughLarge(t, 3, 24<<20)
}

// More than 2 GiB in one column. It takes minutes, so it runs where ROLLMILL_HUGE
// is set.
func TestTwoGiBInOneColumn(t *testing.T) {
	if os.Getenv("ROLLMILL_HUGE") == "" || testing.Short() {
		t.Skip("ROLLMILL_HUGE is not set")
	}
	throughLarge(t, 2300, 1<<20)
	long := rollout.Row{Prompt: strings.Repeat("x", 1<<31)}
	long.Touch(rollout.FieldPrompt)
	w := parquet.Create(filepath.Join(t.TempDir(), "x.parquet"))
	if _, err := stream.Run(context.Background(), stream.To(stream.FromSlice([]rollout.Row{long}), w)); !errors.Is(err, parquet.ErrTooLong) {
		t.Errorf("a text of 2 GiB: %v", err)
	}
}

// throughLarge writes and reads rows that have texts of n bytes.
func throughLarge(t *testing.T, count, n int) {
	text := strings.Repeat("x", n)
	rows := make([]rollout.Row, count) // that share their text
	for i := range rows {
		rows[i].FinalText = text
		rows[i].Touch(rollout.FieldFinalText)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	write(t, path, rows, 3, parquet.WriteWorkers(1))
	if groups := sortedBy(t, path); len(groups) < 2 {
		t.Errorf("%d row groups", len(groups))
	}
	if info, err := os.Stat(path); err != nil || info.Size() > int64(count)*int64(n)/100 {
		t.Errorf("%d bytes: %v", info.Size(), err) // the text is compressed wherever it stands
	}
	read := 0
	for r, err := range stream.From(parquet.Open(path, parquet.Workers(1))).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.FinalText != text {
			t.Fatalf("row %d has %d bytes of text", read, len(r.FinalText))
		}
		read++
	}
	if read != count {
		t.Errorf("%d rows", read)
	}
}
