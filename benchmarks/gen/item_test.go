package gen_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/benchmarks/gen"
)

func evalSet(t *testing.T, ngrams int) (text []byte, items int) {
	t.Helper()
	var b bytes.Buffer
	items, err := gen.WriteEval(&b, gen.Config{Seed: 1, Ngrams: ngrams})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), items
}

func TestEvalSetHasTheNgramsAskedFor(t *testing.T) {
	const want = 200_000
	text, items := evalSet(t, want)
	distinct, ids := map[string]bool{}, map[string]bool{}
	for _, it := range decodeLines[item](t, text) {
		ids[it.ID] = true
		for g := range ngrams(it.Question) {
			distinct[g] = true
		}
	}
	if len(distinct) < want || len(distinct) > want+100 {
		t.Errorf("%d distinct n-grams, want %d and at most one item more", len(distinct), want)
	}
	if len(ids) != items {
		t.Errorf("%d ids for %d items", len(ids), items)
	}
}

func TestEvalSetOfASeedStaysTheSame(t *testing.T) {
	const want = "830bf3145dd5c608b489de3742bd238bb9f249d94c57f912ce1924102f79cad2"
	large, _ := evalSet(t, 100_000)
	if got := hash(large); got != want {
		t.Errorf("the set hashes to %s, want %s", got, want)
	}
	small, items := evalSet(t, 1)
	if items != gen.LeakableItems || !bytes.HasPrefix(large, small) {
		t.Errorf("the smallest set has %d items and is a prefix: %v; want %d and true", items, bytes.HasPrefix(large, small), gen.LeakableItems)
	}
}

func ExampleWriteEval() {
	var set bytes.Buffer
	if _, err := gen.WriteEval(&set, gen.Config{Seed: 1}); err != nil {
		fmt.Println(err)
	}
	first, _, _ := strings.Cut(set.String(), "\n")
	fmt.Println(first)
	// Output:
	// {"id":"eval-0000000","question":"Grdu there place are titogo poprele 14 movo nosasi fosene teci. The you belo ferebr 324 some to from unbabi use came reous. Of but lavabr picture dadisnu 970 ingro word giprebr inggoable subtrra must. How many neco tirato of has the gebuve are there?","answer":"45777"}
}
