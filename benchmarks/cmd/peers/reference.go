//go:build cgo

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/rollmill/rollmill/benchmarks/asks"
)

// recorded prints what the reference implementation took, as it was recorded, and what
// Rollmill takes here. Each call is a process of its own, for its memory is told too.
func recorded(ctx context.Context, command string, rows int) error {
	list := asks.FiguresOf(rows)
	if len(list) == 0 {
		return fmt.Errorf("-reference %d: no figure of so many rows was recorded", rows)
	}
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("\n`%s`: recorded of the reference implementation, one thread, the rows in memory before; measured here, %d cores, the rows read from a file\n\n", command, threads)
	fmt.Print("| call | rows | reference, CPU s | peak MB | Rollmill, CPU s | peak MB | times less CPU | memory |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, f := range list {
		if err := f.Make(dir); err != nil {
			return err
		}
		cpu, mb, err := measured(ctx, &f, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Call, err)
		}
		fmt.Printf("| %s | %d | %.2f | %d | %.2f | %.0f | %.1f | %.1f |\n", f.Call, f.Rows, f.Seconds, f.MB, cpu, mb, f.Seconds/cpu, float64(f.MB)/mb)
	}
	return nil
}

// measured runs a call in a process of its own.
func measured(ctx context.Context, f *asks.Figure, dir string) (cpu, mb float64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, self, "-reference", fmt.Sprint(f.Rows), "-call", f.Call+"@"+dir)
	cmd.Env, cmd.Stderr = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", threads)), os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscan(string(said), &mb); err != nil {
		return 0, 0, fmt.Errorf("it said %q: %w", said, err)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), mb, nil
}

// runCall is what such a process does: it runs the call and prints the most memory that it
// had. What the system tells of a process when it has ended holds that of the one that
// started it, too.
func runCall(ctx context.Context, call string, rows int) error {
	at := strings.LastIndexByte(call, '@')
	if at < 0 {
		return fmt.Errorf("-call %s: want CALL@FOLDER", call)
	}
	f, err := asks.Named(call[:at], rows)
	if err != nil {
		return err
	}
	if err := f.Run(ctx, call[at+1:]); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return fmt.Errorf("memory is told on Linux alone: %w", err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kib float64
	if _, err := fmt.Sscan(peak, &kib); err != nil {
		return fmt.Errorf("/proc/self/status: VmHWM: %w", err)
	}
	fmt.Println(kib * 1024 / 1e6)
	return nil
}
