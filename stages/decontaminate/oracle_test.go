package decontaminate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// Words under the ASCII rule are those of package text, which is Python's.
func TestASCIIWordsMatchPackageText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyText.Draw(t, "text")
		got, want := strings.Join(wordsOf(ASCII, in), " "), string(text.AppendWords(nil, in))
		if got != want {
			t.Fatalf("%q: %q, want %q", in, got, want)
		}
	})
}

// Words under the Unicode rule are those of the whole text in normal form.
func TestUnicodeWordsMatchTheWholeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := strings.ToValidUTF8(anyText.Draw(t, "text"), " ")
		folded := cases.Fold().String(norm.NFKC.String(in))
		var want []string
		word, alone := "", false
		flush := func() {
			if word != "" {
				want = append(want, word)
			}
			word = ""
		}
		for _, r := range folded {
			letter := unicode.IsLetter(r) || unicode.IsNumber(r)
			switch {
			case unicode.IsMark(r) || r == fractionSlash:
				if word != "" {
					word += string(r)
				}
			case !letter:
				flush()
			default:
				single := unicode.In(r, unspaced...)
				if single || alone {
					flush()
				}
				word, alone = word+string(r), single
			}
		}
		flush()
		if got := wordsOf(Unicode, in); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", in, got, want)
		}
	})
}

func TestTableIsAMultimap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.Uint64Range(0, 40)
		hashOf := func(n uint64) uint64 { return n * chunkMul }
		drawn := rapid.SliceOfN(few, 0, 300).Draw(t, "hashes")
		shift := bucketShift(len(drawn))
		want := map[uint64][]uint32{}
		pairs := make([]pair, len(drawn))
		for i, n := range drawn {
			want[hashOf(n)] = append(want[hashOf(n)], uint32(i))
			pairs[i] = pair{keyOf(hashOf(n), shift), uint32(i)}
		}
		table := buildTable(pairs, shift, func(v uint32) uint32 { return v / 10 }, 2)
		if table.len() != len(want) {
			t.Fatalf("%d entries, want %d", table.len(), len(want))
		}
		for n := range uint64(60) {
			hash := hashOf(n)
			entry := table.find(hash)
			if values := want[hash]; values == nil != (entry < 0) || values != nil && !table.mayHold(hash) {
				t.Fatalf("hash %d: entry %d, values %v", n, entry, values)
			} else if values != nil {
				groups := map[uint32]bool{}
				for _, v := range values {
					groups[v/10] = true
				}
				if got := table.values(entry); !slices.Equal(got, values) || table.groups(entry) != len(groups) {
					t.Fatalf("hash %d: %v of %d groups, want %v of %d", n, got, table.groups(entry), values, len(groups))
				}
			}
		}
		if err := table.validate(func(uint32) bool { return true }); err != nil {
			t.Fatal(err)
		}
	})
}

// smallText draws texts of few words, so that they have much in common.
func smallText(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "E", "5"}), 0, most).Draw(t, "words")
		return strings.Join(words, rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(t, "between"))
	})
}

// plainRuns finds runs by comparing every place with every place.
func plainRuns(x *Index, in string, n int) (runs []Run) {
	words := wordsOf(x.config.Words, in)
	for i := range x.texts {
		item := wordsOf(x.config.Words, x.texts[i].text)
		for at := range words {
			for pos := range item {
				if at > 0 && pos > 0 && words[at-1] == item[pos-1] {
					continue
				}
				k := 0
				for at+k < len(words) && pos+k < len(item) && words[at+k] == item[pos+k] {
					k++
				}
				if k >= n {
					runs = append(runs, Run{i, pos, at, k})
				}
			}
		}
	}
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.At, b.At), cmp.Compare(a.Pos, b.Pos))
	})
	return runs
}

func TestRunsMatchThePlainWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(smallText(14), 1, 5).Draw(t, "items")
		items = append(items, "z")
		n := rapid.IntRange(1, 5).Draw(t, "n")
		x, err := Build(t.Context(), []Set{textSet("e", items...)}, Config{N: []int{n, n + 2}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := x.NewScanner()
		for _, in := range rapid.SliceOfN(smallText(30), 1, 3).Draw(t, "texts") {
			e := s.Scan(in)
			for _, ask := range []int{n, n + 1, n + 2, n + 3} {
				if got, want := e.Runs(ask), plainRuns(x, in, ask); !slices.Equal(got, want) {
					t.Fatalf("%q, %d words: %v, want %v", in, ask, got, want)
				}
			}
		}
	})
}

// plainDefault80 is the rule as the spec of gates tells it, section 2.1.
func plainDefault80(x *Index, in string, n int, overlap float64) (kind string, item int, coverage float64) {
	words := wordsOf(ASCII, in)
	if len(words) == 0 {
		return "", 0, 0
	}
	for i := range x.texts {
		if text.Norm(x.texts[i].text) == text.Norm(in) {
			return Exact, i, 1
		}
	}
	if len(words) < n {
		return "", 0, 0
	}
	grams := map[string]map[int]bool{}
	for i := range x.texts {
		item := wordsOf(ASCII, x.texts[i].text)
		for p := 0; p+n <= len(item); p++ {
			key := strings.Join(item[p:p+n], " ")
			if grams[key] == nil {
				grams[key] = map[int]bool{}
			}
			grams[key][i] = true
		}
	}
	covered := map[int]map[int]bool{}
	for at := 0; at+n <= len(words); at++ {
		for i := range grams[strings.Join(words[at:at+n], " ")] {
			if covered[i] == nil {
				covered[i] = map[int]bool{}
			}
			for k := at; k < at+n; k++ {
				covered[i][k] = true
			}
		}
	}
	best, most := -1, 0
	for _, i := range slices.Sorted(maps.Keys(covered)) {
		if len(covered[i]) > most {
			best, most = i, len(covered[i])
		}
	}
	coverage = float64(most) / float64(len(words))
	if best < 0 || overlap > 0 && coverage < overlap {
		return "", 0, 0
	}
	return Near, best, coverage
}

func TestDefault80MatchesThePlainWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := append(rapid.SliceOfN(smallText(16), 1, 5).Draw(t, "items"), "z")
		n := rapid.IntRange(1, 5).Draw(t, "n")
		overlap := rapid.SampledFrom([]float64{-1, 0.3, 0.5, 0.8, 1}).Draw(t, "overlap")
		x, err := Build(t.Context(), []Set{textSet("e", items...)}, Config{N: []int{n}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := x.NewScanner()
		for _, in := range rapid.SliceOfN(smallText(20), 1, 4).Draw(t, "texts") {
			kind, item, coverage := plainDefault80(x, in, n, overlap)
			got := Default80{Grams: n, Overlap: overlap}.Judge(s.Scan(in), nil)
			switch {
			case kind == "" && len(got) == 0:
			case kind == "" || len(got) != 1 || got[0].Kind != kind || got[0].Text != item || math.Abs(got[0].Score-coverage) > 1e-12:
				t.Fatalf("%q: %+v, want %s %d %v", in, got, kind, item, coverage)
			}
		}
	})
}

// A match points at what it says, in bytes of both texts.
func TestMatchesPointAtTheirWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := append(rapid.SliceOfN(smallText(14), 1, 4).Draw(t, "items"), "z")
		x, err := Build(t.Context(), []Set{textSet("e", items...)}, Config{N: []int{3}, Words: Unicode}, 1)
		if err != nil {
			t.Fatal(err)
		}
		in := anyText.Draw(t, "before") + " " + smallText(30).Draw(t, "text") + " " + anyText.Draw(t, "behind")
		for _, r := range []Rule{Any(3), Windowed{Grams: 3, Threshold: -1, MinWords: 1, MinWeight: -1}, LongestSpan{Grams: 3, Share: -1}} {
			for _, m := range r.Judge(x.NewScanner().Scan(in), nil) {
				here, there := wordsOf(Unicode, in), wordsOf(Unicode, x.texts[m.Text].text)
				if got, want := wordsOf(Unicode, in[m.Start:m.End]), here[m.At:m.At+m.Len]; !slices.Equal(got, want) {
					t.Fatalf("%s: bytes hold %q, words %q", r.Name(), got, want)
				}
				item := x.texts[m.Text].text
				if got, want := wordsOf(Unicode, item[m.ItemStart:m.ItemEnd]), there[m.Pos:m.Pos+m.ItemLen]; !slices.Equal(got, want) {
					t.Fatalf("%s: bytes of the item hold %q, words %q", r.Name(), got, want)
				}
				if _, is := r.(LongestSpan); is && (here[m.At] != there[m.Pos] || here[m.At+m.Len-1] != there[m.Pos+m.ItemLen-1]) {
					t.Fatalf("%s: the ends of %+v are no words in common", r.Name(), m)
				}
			}
		}
	})
}

// decomposed is a text with its accents as characters of their own.
func decomposed(text string) string { return norm.NFD.String(text) }
