package labelled_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/stages/decontaminate/labelled"
)

var halves = []labelled.Half{labelled.Tune, labelled.Judge}

var sets = [2]func() *labelled.Set{
	sync.OnceValue(func() *labelled.Set { return labelled.New(labelled.Tune, 1) }),
	sync.OnceValue(func() *labelled.Set { return labelled.New(labelled.Judge, 1) }),
}

func TestCounts(t *testing.T) {
	for _, h := range halves {
		set := sets[h]()
		if len(set.Items) != labelled.Items {
			t.Errorf("%s: %d items", h, len(set.Items))
		}
		classes := map[labelled.Class]int{}
		for _, r := range set.Rows {
			classes[r.Class]++
			if r.Copied != slices.Contains(labelled.Copies, r.Class) || r.Copied != (r.Item != "") {
				t.Errorf("%s: %s is copied: %v, of %q", h, r.Class, r.Copied, r.Item)
			}
		}
		for _, c := range labelled.Copies {
			if classes[c] != labelled.PerCopied {
				t.Errorf("%s: %d rows of %s", h, classes[c], c)
			}
		}
		for _, c := range labelled.Others {
			if classes[c] != labelled.PerOther {
				t.Errorf("%s: %d rows of %s", h, classes[c], c)
			}
		}
		if len(set.Rows) != 2000 {
			t.Errorf("%s: %d rows", h, len(set.Rows))
		}
	}
}

// The set is the same for ever: figures are told of it.
func TestSameBytes(t *testing.T) {
	for _, c := range []struct {
		half        labelled.Half
		items, rows uint64
	}{
		{labelled.Tune, 0x19b3b3ddbb33b2e7, 0x25a53a66c21da775},
		{labelled.Judge, 0x37e1b8f55dc90253, 0x12bf6e2145f29930},
	} {
		var items, rows bytes.Buffer
		set := sets[c.half]()
		if err := set.WriteItems(&items); err != nil {
			t.Fatal(err)
		}
		if err := set.WriteRows(&rows); err != nil {
			t.Fatal(err)
		}
		if i, r := xxh3.Hash(items.Bytes()), xxh3.Hash(rows.Bytes()); i != c.items || r != c.rows {
			t.Errorf("%s: %#x, %#x", c.half, i, r)
		}
	}
}

var words = regexp.MustCompile(`[\pL\pN]+`)

func wordsOf(s string) []string { return words.FindAllString(strings.ToLower(s), -1) }

// text is all that a row says.
func text(r *labelled.Row) string {
	var all []string
	if len(r.Messages) == 0 {
		all = append(all, r.Prompt, r.FinalText)
	}
	for _, m := range r.Messages {
		all = append(all, m.Content)
	}
	return strings.Join(all, "\n")
}

// Copies are what their class says, word by word.
func TestCopies(t *testing.T) {
	for _, h := range halves {
		set := sets[h]()
		items := map[string]labelled.Item{}
		for _, item := range set.Items {
			items[item.ID] = item
		}
		for i := range set.Rows {
			r := &set.Rows[i]
			item, copied := items[r.Item]
			if !copied {
				continue
			}
			want, all := wordsOf(item.Text), wordsOf(text(r))
			var equal func(a, b string) bool
			differ := 0
			switch r.Class {
			case labelled.NoPunct:
				continue // deleted punctuation joins words
			case labelled.OneWord:
				differ = 1
			case labelled.TenthWord:
				differ = (len(want) + 9) / 10
			case labelled.Numerals:
				equal = func(a, b string) bool { return a[0] <= '9' && b[0] <= '9' }
			}
			if !holds(all, want, differ, equal) {
				t.Errorf("%s, %s: not in the row with %d words changed:\n%s\n\n%s", h, r.Class, differ, item.Text, text(r))
			}
			if r.Class == labelled.UpperCase && r.Prompt != strings.ToUpper(r.Prompt) {
				t.Errorf("not upper case: %s", r.Prompt)
			}
			if n := len(strings.Fields(item.Text)); r.Class == labelled.Line && (n < 8 || n > 12) {
				t.Errorf("a short line of %d words: %s", n, item.Text)
			}
			if r.Class == labelled.Conversation && len(r.Messages) < 8 {
				t.Errorf("a conversation of %d messages", len(r.Messages))
			}
		}
	}
}

// holds says whether words stand in a row somewhere, all but exactly so many equal.
func holds(all, want []string, differ int, equal func(a, b string) bool) bool {
	for at := 0; at+len(want) <= len(all); at++ {
		n := 0
		for k, w := range want {
			if all[at+k] != w && (equal == nil || !equal(all[at+k], w)) {
				n++
			}
		}
		if n <= differ && (differ == 0 || n > 0) {
			return true
		}
	}
	return false
}

// No other row holds an item, whatever the case and the punctuation.
func TestOthers(t *testing.T) {
	for _, h := range halves {
		set := sets[h]()
		starts := map[string][][]string{}
		for _, item := range set.Items {
			words := wordsOf(item.Text)
			start := strings.Join(words[:5], " ")
			starts[start] = append(starts[start], words)
		}
		for i := range set.Rows {
			r := &set.Rows[i]
			if r.Copied {
				continue
			}
			all := wordsOf(text(r))
			for at := 0; at+5 <= len(all); at++ {
				for _, item := range starts[strings.Join(all[at:at+5], " ")] {
					if len(item) <= len(all)-at && slices.Equal(item, all[at:at+len(item)]) {
						t.Errorf("%s, %s holds %s", h, r.Class, item)
					}
				}
			}
		}
	}
}

// The halves share words, and no run of words that a rule could learn.
func TestHalvesAreDisjoint(t *testing.T) {
	runs := map[string]labelled.Half{}
	shared, all := 0, 0
	vocabulary := map[string]bool{}
	for _, h := range halves {
		for _, item := range sets[h]().Items {
			words := wordsOf(item.Text)
			for _, w := range words {
				vocabulary[w] = true
			}
			for i := 0; i+6 <= len(words); i++ {
				run := strings.Join(words[i:i+6], " ")
				if other, there := runs[run]; there && other != h {
					shared++
				}
				runs[run] = h
				all++
			}
		}
	}
	t.Logf("%d of %d runs of 6 words are in both halves; %d different words", shared, all, len(vocabulary))
	if shared > all/1000 {
		t.Errorf("%d of %d runs of 6 words are in both halves", shared, all)
	}
	if len(vocabulary) < 4000 {
		t.Errorf("%d different words, want several thousand", len(vocabulary))
	}
}

// What is written is what the command reads.
func TestWrittenRows(t *testing.T) {
	var rows bytes.Buffer
	set := sets[labelled.Judge]()
	if err := set.WriteRows(&rows); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(rows.Bytes()) {
		var got struct {
			ID     string         `json:"rollout_id"`
			Prompt string         `json:"prompt"`
			Class  labelled.Class `json:"class"`
			Label  string         `json:"label"`
			Item   string         `json:"item"`
		}
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		r := set.Rows[n]
		if want := map[bool]string{true: "copy", false: "clean"}[r.Copied]; got.ID != r.ID || got.Prompt != r.Prompt || got.Class != r.Class || got.Label != want || got.Item != r.Item {
			t.Fatalf("row %d: %+v", n, got)
		}
		n++
	}
	if n != len(set.Rows) {
		t.Errorf("%d lines", n)
	}
}
