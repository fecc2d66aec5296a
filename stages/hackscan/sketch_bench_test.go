package hackscan

import (
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

// zipf makes texts of words that follow Zipf's law.
func zipf(texts, words int) []string {
	src := rand.New(rand.NewPCG(1, 1))
	syllables := strings.Fields("ba de fi go ku la me ni po ru sa te vi zo")
	draw := rand.NewZipf(src, 1.1, 3, 20_000)
	list := make([]string, texts)
	for i := range list {
		var b strings.Builder
		for range words {
			for n := draw.Uint64() + 1; n > 0; n /= 14 {
				b.WriteString(syllables[n%14])
			}
			b.WriteByte(' ')
		}
		list[i] = b.String()
	}
	return list
}

// The method of the limit: terms and pairs are counted, of assistant text.
func BenchmarkCountTerms(b *testing.B) {
	texts := zipf(20_000, 80)
	bytes := 0
	for _, s := range texts {
		bytes += len(s)
	}
	b.SetBytes(int64(bytes))
	start := cpuTime()
	s := newSketch(DefaultTermCapacity)
	var cutter termCutter
	var lowered []byte
	for b.Loop() {
		for _, t := range texts {
			lowered = text.AppendLower(lowered[:0], t)
			to := len(lowered)
			lowered = append(lowered, make([]byte, tail)...)
			s.add(cutter.cut(lowered, 0, to, 0), 0, lowered)
			s.endRow()
		}
	}
	cpu := (cpuTime() - start).Seconds()
	b.ReportMetric(float64(len(texts)*b.N)/cpu, "rows/cpu-s")
	b.ReportMetric(float64(bytes*b.N)/1e6/cpu, "MB/cpu-s")
}

// cpuTime is what the process has used of all cores.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
