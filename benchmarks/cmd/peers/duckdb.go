//go:build cgo

package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
	"github.com/rollmill/rollmill/formats/jsonl"
	"github.com/rollmill/rollmill/formats/parquet"
	"github.com/rollmill/rollmill/stream"
)

const threads = 2

// conversions times JSONL to Parquet by DuckDB and by Rollmill, in turns on one file, with
// as many threads and zstd.
func conversions(command string, runs int, path string) error {
	dir, err := os.MkdirTemp("", "convert")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.parquet")
	programs := []struct {
		name    string
		convert func() error
	}{{"duckdb", func() error { return duck(path, out) }}, {"rollmill", func() error { return ours(path, out) }}}

	walls, cpus, sizes := make([][]float64, len(programs)), make([][]float64, len(programs)), make([]float64, len(programs))
	for range runs {
		for i, p := range programs {
			cpu, begin := cpuSeconds(), time.Now()
			if err := p.convert(); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			walls[i] = append(walls[i], time.Since(begin).Seconds())
			cpus[i] = append(cpus[i], cpuSeconds()-cpu)
			info, err := os.Stat(out)
			if err != nil {
				return err
			}
			sizes[i] = float64(info.Size()) / 1e6
		}
	}
	fmt.Printf("`%s`: JSON Lines to Parquet, medians, %d threads, zstd\n\n| program | wall s | CPU s | Parquet MB | times DuckDB, wall | CPU |\n|---|---:|---:|---:|---:|---:|\n", command, threads)
	for i, p := range programs {
		wall, cpu := median(walls[i]), median(cpus[i])
		fmt.Printf("| %s | %.2f | %.2f | %.1f | %.2f | %.2f |\n", p.name, wall, cpu, sizes[i], median(walls[0])/wall, median(cpus[0])/cpu)
	}
	return nil
}

func duck(path, out string) error {
	db, err := sql.Open("duckdb", fmt.Sprintf("?threads=%d", threads))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf("copy (select * from read_json('%s', format='newline_delimited')) to '%s' (format parquet, compression zstd)", path, out))
	return err
}

func ours(path, out string) error {
	rows := stream.From(jsonl.Open(path, jsonl.Workers(threads)))
	_, err := stream.Run(context.Background(), stream.To(rows, parquet.Create(out, parquet.Replace(), parquet.WriteWorkers(threads))))
	return err
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
