package decontaminate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rollmill/rollmill/stages/decontaminate"
)

// TestNaturalNearCopies holds the recommended rule against data that nothing was
// tuned on: training questions of GSM8K against its test questions. Six of 7,473
// are flagged, and all six are one question with other names and numbers; of
// 1,319 questions in other words (rephrase_gsm8k) hardly any are, which is what a
// rule of n-grams cannot see.
func TestNaturalNearCopies(t *testing.T) {
	exam := naturalTexts(t, "gsm8k/test.jsonl", "question")
	items := make([]decontaminate.Item, len(exam))
	for i, q := range exam {
		items[i] = decontaminate.Item{ID: strconv.Itoa(i), Texts: []decontaminate.Text{{Part: decontaminate.Question, Text: q}}}
	}
	rule := decontaminate.Windowed{Threshold: windowedThreshold}
	x, err := decontaminate.Build(context.Background(), []decontaminate.Set{{Name: "test", Items: items}},
		decontaminate.Config{N: []int{rule.N()}, Words: decontaminate.Unicode}, 1)
	if err != nil {
		t.Fatal(err)
	}
	scanner := x.NewScanner(rule)
	flagged := func(texts []string) (rows []int) {
		for i, s := range texts {
			matches := rule.Judge(scanner.Scan(s), nil)
			if len(matches) == 0 {
				continue
			}
			rows = append(rows, i)
			if len(rows) <= 6 {
				_, item := x.TextAt(matches[0].Text)
				t.Logf("row %d, %.3f:\n  %.80q\n  %.80q", i, matches[0].Score, s, item)
			}
		}
		return rows
	}
	if rows := flagged(naturalTexts(t, "gsm8k/train.jsonl", "question")); len(rows) != 6 {
		t.Errorf("%d rows of the training set are flagged, want 6: %v", len(rows), rows)
	}
	if n := len(flagged(naturalTexts(t, "decontam/rephrase_gsm8k.jsonl", "text"))); n > 20 {
		t.Errorf("%d paraphrases are flagged, want hardly any", n)
	}
	if n := len(flagged(exam)); n != len(exam) {
		t.Errorf("%d of %d items are found in themselves", n, len(exam))
	}
	if rows := flagged([]string{"", " "}); len(rows) > 0 {
		t.Errorf("empty texts are flagged: %v", rows)
	}
}

// naturalTexts reads a member of each line of a file of other people's data.
func naturalTexts(t *testing.T, path, member string) (texts []string) {
	t.Helper()
	root := os.Getenv("ROLLMILL_DATA")
	if root == "" {
		root = "../../../shared/data"
	}
	raw, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Skipf("no real data: %v", err)
	}
	for line := range bytes.Lines(raw) {
		var record map[string]json.RawMessage
		var text string
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(record[member], &text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}
