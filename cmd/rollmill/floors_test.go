package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The packages of this module stand on floors, and an import goes down: never
// up, and never sideways between two stages or two formats.
//
//	6  cmd/*
//	5  stages/curate                 knows the other stages
//	4  stages/*
//	3  formats/*, backends/*
//	2  formats/dialect               shared by formats and backends
//	1  formats/rollout, formats/files, formats/internal/*
//	0  stream, stats                 know nothing of ours
const module = "github.com/rollmill/rollmill/"

// floor returns the area that a package belongs to, such as stages/grade for
// all below it, and the floor of the area; -1 when it stands on none.
func floor(pkg string) (area string, n int) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(pkg, module), "/")
	second, _, _ := strings.Cut(rest, "/")
	area = strings.TrimSuffix(first+"/"+second, "/")
	switch area {
	case "formats/rollout", "formats/internal", "formats/files":
		return area, 1
	case "formats/dialect":
		return area, 2
	case "stages/curate":
		return area, 5
	case "formats", "stages", "cmd":
		return area, -1
	}
	switch first {
	case "stream", "stats":
		return first, 0
	case "formats", "backends":
		return area, 3
	case "stages":
		return area, 4
	case "cmd":
		return area, 6
	}
	return area, -1
}

// breach says what is wrong with one of our packages importing another; "" for nothing.
func breach(from, to string) string {
	a, n := floor(from)
	b, m := floor(to)
	switch {
	case n < 0:
		return from + " stands on no floor"
	case m < 0:
		return to + " stands on no floor"
	case a == b || m < n:
		return ""
	case m > n:
		return "an import that goes up"
	case n == 1: // rollout and the internal packages serve each other
		return ""
	case strings.HasPrefix(a, "backends") && strings.HasPrefix(b, "backends"):
		return ""
	}
	return "an import that goes sideways"
}

// heavy are the packages that a service which embeds us must not pay for.
var heavy = []string{
	"net/http",
	"google.golang.org/grpc",
	"github.com/openai/openai-go",
	"github.com/anthropics/anthropic-sdk-go",
}

// light reports whether the packages of an area stay free of all that is heavy.
func light(area string) bool {
	switch area {
	case "stream", "stats", "formats/rollout", "formats/files", "formats/internal", "formats/dialect", "formats/jsonl", "formats/arrowipc":
		return true
	case "stages/curate":
		return false
	}
	return strings.HasPrefix(area, "stages/")
}

func isHeavy(dep string) bool {
	for _, h := range heavy {
		if dep == h || strings.HasPrefix(dep, h+"/") {
			return true
		}
	}
	return false
}

type goPackage struct {
	ImportPath     string
	Name           string
	Dir            string
	GoFiles        []string // without tests
	CgoFiles       []string
	IgnoredGoFiles []string // for other systems
	Imports        []string
	Deps           []string // all that it imports, directly or not
}

// packages lists the packages of the module, as they are built without cgo.
func packages(t *testing.T) []goPackage {
	t.Helper()
	watch(t)
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,IgnoredGoFiles,Imports,Deps", "./...")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// watch lists the folders of the module, so that go test, which remembers what
// a test opened but not what its child processes did, runs these tests again
// when a file anywhere has changed.
func watch(t *testing.T) {
	t.Helper()
	const root = "../.."
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportsGoDown(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t) {
		seen[strings.TrimPrefix(p.ImportPath, module)] = true
		if area, n := floor(p.ImportPath); n < 0 {
			t.Errorf("%s stands on no floor (%s)", p.ImportPath, area)
		}
		for _, to := range p.Imports {
			if !strings.HasPrefix(to, module) {
				continue
			}
			if why := breach(p.ImportPath, to); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, to, why)
			}
		}
	}
	if !seen["stream"] || !seen["formats/rollout"] {
		t.Errorf("go list does not see the module: %v", seen)
	}
}

func TestLightPackagesStayLight(t *testing.T) {
	for _, p := range packages(t) {
		if area, _ := floor(p.ImportPath); !light(area) {
			continue
		}
		if i := slices.IndexFunc(p.Deps, isHeavy); i >= 0 {
			t.Errorf("%s depends on %s", p.ImportPath, p.Deps[i])
		}
	}
}

func TestBreach(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"cmd/rollmill", "stages/curate", ""},
		{"stages/curate", "stages/grade", ""},
		{"stages/grade", "stages/grade/verify", ""},
		{"stages/grade/verify", "stages/grade", ""},
		{"stages/measure", "stats", ""},
		{"stages/grade", "backends/openai", ""},
		{"backends/openai", "backends", ""},
		{"backends/openai", "formats/dialect", ""},
		{"formats/jsonl", "formats/dialect", ""},
		{"formats/parquet", "formats/internal/columns", ""},
		{"formats/internal/columns", "formats/rollout", ""},
		{"formats/rollout", "formats/internal/jsonscan", ""},
		{"formats/rollout", "stream", ""},
		{"stream", "stream/internal/core", ""},

		{"stream", "formats/rollout", "up"},
		{"stats", "stream", "sideways"},
		{"formats/rollout", "formats/dialect", "up"},
		{"formats/dialect", "formats/jsonl", "up"},
		{"formats/parquet", "formats/arrowipc", "sideways"},
		{"formats/report", "stages/measure", "up"},
		{"formats/jsonl", "backends", "sideways"},
		{"backends/openai", "formats/jsonl", "sideways"},
		{"stages/grade", "stages/measure", "sideways"},
		{"stages/grade/verify", "stages/measure", "sideways"},
		{"stages/select", "stages/curate", "up"},
		{"stages/curate", "cmd/rollmill", "up"},
		{"cmd/rollmill", "tools", "no floor"},
		{"formats", "stream", "no floor"},
	} {
		got := breach(module+c.from, module+c.to)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s imports %s: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestHeavy(t *testing.T) {
	for dep, want := range map[string]bool{
		"net/http":                                         true,
		"net/http/httptrace":                               true,
		"google.golang.org/grpc/codes":                     true,
		"github.com/openai/openai-go/v3":                   true,
		"github.com/anthropics/anthropic-sdk-go/v2/option": true,
		"net/url":                      false,
		"google.golang.org/protobuf":   false,
		"github.com/openai/openai-goo": false,
	} {
		if isHeavy(dep) != want {
			t.Errorf("isHeavy(%q) = %v", dep, !want)
		}
	}
	for area, want := range map[string]bool{"stages/grade": true, "stages/curate": false, "formats/parquet": false, "backends/openai": false} {
		if light(area) != want {
			t.Errorf("light(%q) = %v", area, !want)
		}
	}
}
