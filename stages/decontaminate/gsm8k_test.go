package decontaminate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// dataFile opens a file of real data, which is not part of the repository.
func dataFile(t *testing.T, name string) *os.File {
	t.Helper()
	dir := os.Getenv("ROLLMILL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no real data: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// members reads one member of each record of a file.
func members(t *testing.T, name, member string) (texts []string) {
	t.Helper()
	lines := bufio.NewScanner(dataFile(t, name))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var record map[string]any
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		text, _ := record[member].(string)
		texts = append(texts, text)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// The hits of the GSM8K questions among their paraphrases and the training
// questions, as an independent program counts them.
func TestGSM8KCounts(t *testing.T) {
	var expected struct {
		Decontam struct {
			Rows []struct {
				Pair        string `json:"pair"`
				N           int    `json:"n"`
				EvalRows    int    `json:"eval_rows"`
				CorpusRows  int    `json:"corpus_rows"`
				EvalShort   int    `json:"eval_shorter_than_n"`
				CorpusShort int    `json:"corpus_shorter_than_n"`
				Grams       int    `json:"eval_distinct_ngrams"`
				CorpusHit   int    `json:"corpus_rows_hit"`
				EvalHit     int    `json:"eval_rows_hit"`
				AlignedHit  *int   `json:"aligned_hit"`
				HalfHit     int    `json:"corpus_rows_with_half_ngrams_hit"`
			} `json:"rows"`
		} `json:"decontam"`
	}
	if err := json.NewDecoder(dataFile(t, "EXPECTED.json")).Decode(&expected); err != nil {
		t.Fatal(err)
	}
	test := members(t, "gsm8k/test.jsonl", "question")
	corpora := map[string][]string{
		"gsm8k_test vs rephrase_gsm8k": members(t, "decontam/rephrase_gsm8k.jsonl", "text"),
		"gsm8k_test vs gsm8k_train":    members(t, "gsm8k/train.jsonl", "question"),
		"gsm8k_test vs gsm8k_test":     test,
	}
	x := build(t, Config{N: []int{5, 8, 10, 13}, Words: Unicode}, textSet("gsm8k", test...))
	if x.Texts() != len(test) {
		t.Fatalf("%d texts of %d questions", x.Texts(), len(test))
	}
	s := x.NewScanner()
	for _, want := range expected.Decontam.Rows {
		t.Run(fmt.Sprintf("%s/%d", want.Pair, want.N), func(t *testing.T) {
			corpus := corpora[want.Pair]
			evalHit := newBitset(len(test))
			hit, aligned, half, short := 0, 0, 0, 0
			for i, text := range corpus {
				e := s.Scan(text)
				if e.Words() < want.N {
					short++
				}
				runs := e.Runs(want.N)
				if len(runs) > 0 {
					hit++
				}
				same := false
				for _, r := range runs {
					evalHit.set(r.Text)
					same = same || r.Text == i
				}
				if same {
					aligned++
				}
				if found := distinctGramsFound(s, text, want.N); found > 0 && 2*found >= distinctGrams(text, want.N) {
					half++
				}
			}
			evalShort := 0
			for i := range test {
				if len(x.wordsOf(i)) < want.N {
					evalShort++
				}
			}
			for _, c := range []struct {
				what      string
				got, want int
			}{
				{"evaluation rows", len(test), want.EvalRows}, {"corpus rows", len(corpus), want.CorpusRows},
				{"short evaluation rows", evalShort, want.EvalShort}, {"short corpus rows", short, want.CorpusShort},
				{"different n-grams", x.Grams(want.N), want.Grams}, {"corpus rows hit", hit, want.CorpusHit},
				{"evaluation rows hit", evalHit.count(), want.EvalHit}, {"corpus rows with half of their n-grams hit", half, want.HalfHit},
			} {
				if c.got != c.want {
					t.Errorf("%s: %d, want %d", c.what, c.got, c.want)
				}
			}
			if want.AlignedHit != nil && aligned != *want.AlignedHit {
				t.Errorf("aligned hits: %d, want %d", aligned, *want.AlignedHit)
			}
		})
	}
}

// distinctGrams is how many different n-grams a text has.
func distinctGrams(text string, n int) int {
	p := plainPrefixes(Unicode, text)
	seen := map[uint64]bool{}
	for i := 0; i+n < len(p); i++ {
		seen[gramHash(p, i, n, power(n))] = true
	}
	return len(seen)
}

// distinctGramsFound is how many of them the index has.
func distinctGramsFound(s *Scanner, text string, n int) int {
	e := s.Scan(text)
	seen := map[uint64]bool{}
	for _, r := range e.Runs(n) {
		for k := range r.Len - n + 1 {
			seen[gramHash(e.p, r.At+k, n, power(n))] = true
		}
	}
	return len(seen)
}

// Under the ASCII rule a text with an accent differs, as the spec says.
func TestGSM8KCountsASCII(t *testing.T) {
	test := members(t, "gsm8k/test.jsonl", "question")
	x := build(t, Config{N: []int{5}}, textSet("gsm8k", test...))
	s := x.NewScanner()
	hit := 0
	for _, text := range members(t, "decontam/rephrase_gsm8k.jsonl", "text") {
		if len(s.Scan(text).Runs(5)) > 0 {
			hit++
		}
	}
	if hit != 840 || x.Grams(5) != 55840 {
		t.Errorf("%d rows hit of %d n-grams, want 840 and 55840", hit, x.Grams(5))
	}
}
