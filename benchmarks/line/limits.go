package line

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Limit is what the best program for a stage takes.
type Limit struct {
	Stage string
	Names []string // of the programs whose times add up
	Row   float64  // CPU seconds a row
	Kept  bool     // only kept rows go through it
}

// stageLimits are the stages whose limits add up to that of the line. The scan
// and the selection are not among them.
func stageLimits() []Limit {
	return []Limit{
		{Stage: "decompress", Names: []string{"codec/zstd-default-decompress"}},
		{Stage: "decode", Names: []string{"json-decode/own-map"}},
		{Stage: "numeric", Names: []string{"grade/numeric-verifier(own)"}},
		{Stage: "n-gram at 10^6", Names: []string{"ngram/n=8/1e6/swar+own-batched"}},
		{Stage: "hand features", Names: []string{"hack/features-swar-counts-only", "hack/phrases-on-word-hashes(hashes given)"}},
		{Stage: "columns", Names: []string{"arrow/build-own-buffers(reuse=true)"}},
		{Stage: "IPC lz4 write", Names: []string{"arrow/ipc-write-lz4"}},
		{Stage: "IPC lz4 read", Names: []string{"arrow/ipc-read-lz4"}},
		{Stage: "Parquet zstd", Names: []string{"parquet-tuned/go-write-zstd-fastest"}, Kept: true},
	}
}

// corpusRows is how many rows of its own the limits are measured on.
const corpusRows = "200000"

// Limits builds the program of the limits from a folder and runs it on one core,
// where each program is at its best. Its corpus is made in the folder tmp.
func Limits(ctx context.Context, dir, tmp string) ([]Limit, error) {
	program, corpus := filepath.Join(tmp, "limits"), filepath.Join(tmp, "limits.jsonl")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir = dir
	if _, err := output(build); err != nil {
		return nil, err
	}
	if _, err := os.Stat(corpus); err != nil {
		if _, err := output(exec.CommandContext(ctx, program, "-corpus", corpus, "-gen", corpusRows)); err != nil {
			return nil, err
		}
	}
	list := stageLimits()
	var names []string
	for _, l := range list {
		for _, name := range l.Names {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	text, err := output(exec.CommandContext(ctx, program, "-corpus", corpus, "-p", "1", "-n", "3", "-max", "10", "-run", "^("+strings.Join(names, "|")+")$"))
	if err != nil {
		return nil, err
	}
	return list, readLimits(text, list)
}

func output(cmd *exec.Cmd) ([]byte, error) {
	var failure bytes.Buffer
	cmd.Stderr = &failure
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("line: %s: %w: %s", filepath.Base(cmd.Path), err, failure.Bytes())
	}
	return text, nil
}

// readLimits reads the table that the program prints: a name, and in column 12
// microseconds of CPU a row.
func readLimits(text []byte, list []Limit) error {
	took := map[string]float64{}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		cells := strings.Split(s.Text(), "\t")
		if len(cells) < 12 {
			continue
		}
		if us, err := strconv.ParseFloat(cells[11], 64); err == nil {
			took[cells[0]] = us / 1e6
		}
	}
	for i := range list {
		for _, name := range list[i].Names {
			us, ok := took[name]
			if !ok {
				return fmt.Errorf("line: the limits do not tell %s", name)
			}
			list[i].Row += us
		}
	}
	return nil
}

// medianLimits takes the median of each limit, the lower one of two.
func medianLimits(rounds [][]Limit) []Limit {
	list := slices.Clone(rounds[0])
	for i := range list {
		var took []float64
		for _, round := range rounds {
			took = append(took, round[i].Row)
		}
		slices.Sort(took)
		list[i].Row = took[(len(took)-1)/2]
	}
	return list
}

// LimitSum is the CPU time that so many rows would take, of which some are kept.
func LimitSum(list []Limit, rows, kept int64) (seconds float64) {
	for _, l := range list {
		seconds += l.Row * float64(l.of(rows, kept))
	}
	return seconds
}

func (l *Limit) of(rows, kept int64) int64 {
	if l.Kept {
		return kept
	}
	return rows
}
