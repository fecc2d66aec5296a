package decontaminate

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

// benchSet is an evaluation set of about so many n-grams: items of some 100 words.
func benchSet(grams int) Set {
	const words = 107
	set := Set{Name: "bench"}
	for i := range grams / 100 {
		set.Items = append(set.Items, Item{Texts: []Text{{Question, benchText(words, uint64(1e6+i))}}})
	}
	return set
}

var benchIndexes sync.Map

// benchIndex is the index of such a set, made once.
func benchIndex(b *testing.B, grams int, n ...int) *Index {
	b.Helper()
	key := fmt.Sprint(grams, n)
	if x, ok := benchIndexes.Load(key); ok {
		return x.(*Index)
	}
	x, err := Build(context.Background(), []Set{benchSet(grams)}, Config{N: n, Words: Unicode}, 2)
	if err != nil {
		b.Fatal(err)
	}
	benchIndexes.Store(key, x)
	return x
}

// benchRows are rows of 300 words, of which one in every (0: none) holds an item.
func benchRows(set Set, rows, every int) []rollout.Row {
	list := make([]rollout.Row, rows)
	for i := range list {
		text := benchText(300, uint64(i))
		if every > 0 && i%every == 0 {
			text = set.Items[i%len(set.Items)].Texts[0].Text + " " + text
		}
		list[i].Prompt = text
		list[i].Pos = rollout.Pos{Record: int64(i + 1)}
	}
	return list
}

func size(rows []rollout.Row) (bytes int) {
	for i := range rows {
		bytes += len(rows[i].Prompt)
	}
	return bytes
}

func BenchmarkCheck(b *testing.B) {
	for _, grams := range []int{100_000, 1_000_000, 10_000_000} {
		if grams > 1_000_000 && testing.Short() {
			continue
		}
		for _, rule := range []Rule{Default80{}, Windowed{}} {
			x := benchIndex(b, grams, rule.N())
			set := benchSet(10_000)
			for _, every := range []int{0, 100, 2} {
				b.Run(fmt.Sprintf("%dk/%s/hit=%d", grams/1000, rule.Name(), every), func(b *testing.B) {
					rows := benchRows(set, 2000, every)
					c := x.NewChecker(Prompt, rule)
					n := size(rows)
					b.SetBytes(int64(n))
					b.ReportAllocs()
					b.ResetTimer()
					defer cpuRate(b, n)()
					for b.Loop() {
						for i := range rows {
							c.Row(&rows[i])
						}
					}
				})
			}
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, grams := range []int{100_000, 1_000_000} {
		set := benchSet(grams)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%dk/workers=%d", grams/1000, workers), func(b *testing.B) {
				start := cpuTime()
				var x *Index
				for b.Loop() {
					var err error
					if x, err = Build(context.Background(), []Set{set}, Config{}, workers); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(x.Grams(DefaultN))*float64(b.N)/1e6/(cpuTime()-start).Seconds(), "Mgrams/cpu-s")
				b.ReportMetric(float64(x.Bytes())/float64(x.Grams(DefaultN)), "B/gram")
			})
		}
	}
}

// To load an index is to be at least five times faster than to make it.
func BenchmarkLoad(b *testing.B) {
	x := benchIndex(b, 1_000_000, DefaultN)
	data := written(b, x)
	b.SetBytes(int64(len(data)))
	start := cpuTime()
	for b.Loop() {
		if _, err := parse(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(x.Grams(DefaultN))*float64(b.N)/1e6/(cpuTime()-start).Seconds(), "Mgrams/cpu-s")
}

// What hashing the words costs of a scan, and what looking them up.
func BenchmarkLook(b *testing.B) {
	for _, grams := range []int{100_000, 1_000_000} {
		x := benchIndex(b, grams, 8)
		p := newSplitter(Unicode).prefixes(nil, benchText(3000, 5))
		size := len(benchText(3000, 5))
		b.Run(fmt.Sprintf("%dk", grams/1000), func(b *testing.B) {
			f := &x.NewScanner().evidence.found[0]
			b.SetBytes(int64(size))
			defer cpuRate(b, size)()
			for b.Loop() {
				f.look(p)
			}
		})
	}
}
