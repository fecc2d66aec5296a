package mathequal_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// schoolReplies are replies as models write them to grade-school problems, with the
// reference of each.
var schoolReplies = [][2]string{
	{"72", "72"},
	{"1,000", "1000"},
	{"$18.00", "18"},
	{`\boxed{72}`, "72"},
	{"The answer is 72.", "72"},
	{"#### 72", "72"},
	{"Each pack costs 3 * 4 = <<3*4=12>>12 dollars\nSo he pays 12 + 6 = $<<12+6=18>>18 in all\nA: 18", "18"},
	{"She sells 16 - 3 = 13 eggs, so she earns 13 * 2 = 26 dollars a day.\nThe final answer is: $\\boxed{26}$.", "26"},
}

func BenchmarkReply(b *testing.B) {
	for _, r := range schoolReplies {
		m, err := mathequal.NewMatcher(r[1], mathequal.Options{})
		if err != nil {
			b.Fatal(err)
		}
		name := strings.ReplaceAll(r[0][:min(len(r[0]), 18)], " ", "_")
		b.Run(strings.ReplaceAll(name, "\n", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(r[0])))
			b.ReportAllocs()
			for b.Loop() {
				if v, err := m.Reply(r[0]); err != nil || !v.Equal {
					b.Fatal(v, err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkMatch reads reference and reply anew each time, as a stage does that
// meets every reference once.
func BenchmarkMatch(b *testing.B) {
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		for _, r := range schoolReplies {
			if v, err := mathequal.Match(r[0], r[1], mathequal.Options{}); err != nil || !v.Equal {
				b.Fatal(r, v, err)
			}
			rows++
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkVectors is the mixture of the vectors, most of which need a tree.
func BenchmarkVectors(b *testing.B) {
	if _, err := os.Stat("testdata/vectors.jsonl"); err != nil {
		b.Fatal(err)
	}
	var vectors []vector
	t := &testing.T{}
	vectors = readLines[vector](t, "testdata/vectors.jsonl")
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		for _, v := range vectors {
			_, _ = mathequal.Match(v.Candidate, v.Gold, mathequal.Options{})
			rows++
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
