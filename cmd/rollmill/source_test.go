package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the source of an area may not do: start a goroutine or make a channel
// outside stream; print, log, exit or read the clock in a library (stream may,
// for its counts); draw from a random state that is not its own.

// misuse says why an area may not use a name of a package; "" when it may.
func misuse(area, pkg, name string) string {
	command := strings.HasPrefix(area, "cmd/")
	switch pkg {
	case "fmt":
		if strings.HasPrefix(name, "Print") && !command {
			return "a library prints"
		}
	case "log", "log/slog":
		if !command {
			return "a library logs"
		}
	case "os":
		if name == "Exit" && !command {
			return "a library exits"
		}
	case "time":
		if slices.Contains([]string{"Now", "Since", "Until"}, name) && !command && area != "stream" {
			return "a library reads the clock"
		}
	case "math/rand":
		return "use math/rand/v2"
	case "math/rand/v2":
		if token.IsExported(name) && !slices.Contains([]string{
			"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "PCG", "ChaCha8", "Zipf", "Source",
		}, name) {
			return "a random state that all share"
		}
	}
	return ""
}

// offences lists what a file of an area does and may not. src is as for
// [parser.ParseFile].
func offences(area, file string, src any) ([]string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	report := func(n ast.Node, what string) {
		found = append(found, fset.Position(n.Pos()).String()+": "+what)
	}
	imported := map[string]string{} // name in this file to path
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := path.Base(p)
		if name == "v2" {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			report(spec, "imports "+p+" into its own names")
		}
		imported[name] = p
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if area != "stream" {
				report(n, "go statement")
			}
		case *ast.CallExpr:
			fun, ok := n.Fun.(*ast.Ident)
			if !ok {
				break
			}
			switch fun.Name {
			case "print", "println":
				report(n, "builtin "+fun.Name)
			case "make":
				if _, isChan := n.Args[0].(*ast.ChanType); isChan && area != "stream" {
					report(n, "make(chan)")
				}
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				if why := misuse(area, imported[x.Name], n.Sel.Name); why != "" {
					report(n, x.Name+"."+n.Sel.Name+": "+why)
				}
			}
		}
		return true
	})
	return found, nil
}

// granted reports whether a package may commit an offence, because it is what
// the package is for.
func granted(pkg, offence string) bool {
	switch strings.TrimPrefix(pkg, module) {
	case "stages/grade/sandbox": // its Main is another process, and wall time is a limit it sets
		return strings.HasSuffix(offence, "a library exits") || strings.HasSuffix(offence, "a library reads the clock")
	}
	return false
}

func TestSourceKeepsTheRules(t *testing.T) {
	for _, p := range packages(t) {
		area, _ := floor(p.ImportPath)
		for _, file := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			found, err := offences(area, filepath.Join(p.Dir, file), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if !granted(p.ImportPath, f) {
					t.Error(f)
				}
			}
		}
	}
}

func TestNamesSayWhatIsInside(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "types", "misc"}
	for _, p := range packages(t) {
		if slices.Contains(empty, p.Name) || slices.Contains(empty, path.Base(p.ImportPath)) {
			t.Errorf("package %s: a name that says nothing", p.ImportPath)
		}
		for _, file := range p.GoFiles {
			if slices.Contains(empty, strings.TrimSuffix(file, ".go")) {
				t.Errorf("%s/%s: a name that says nothing", p.ImportPath, file)
			}
		}
	}
}

func TestOffences(t *testing.T) {
	const head = "package p\nimport (\"fmt\"; \"log\"; \"os\"; \"time\"; \"math/rand/v2\"; clock \"time\")\n"
	for _, c := range []struct {
		name, area, body, want string
	}{
		{"goroutine", "stages/grade", "func f() { go f() }", "go statement"},
		{"goroutine of stream", "stream", "func f() { go f() }", ""},
		{"goroutine of the command", "cmd/rollmill", "func f() { go f() }", "go statement"},
		{"channel", "formats/jsonl", "var c = make(chan int, 1)", "make(chan)"},
		{"channel of stream", "stream", "var c = make(chan int)", ""},
		{"slice", "formats/jsonl", "var c = make([]int, 1)", ""},
		{"print", "stats", "func f() { fmt.Println() }", "fmt.Println: a library prints"},
		{"print to a writer", "stats", "func f() { fmt.Fprintln(nil) }", ""},
		{"print of the command", "cmd/rollmill", "func f() { fmt.Println() }", ""},
		{"builtin print", "cmd/rollmill", "func f() { println() }", "builtin println"},
		{"log", "backends/openai", "func f() { log.Print() }", "log.Print: a library logs"},
		{"exit", "formats/jsonl", "func f() { os.Exit(1) }", "os.Exit: a library exits"},
		{"file", "formats/jsonl", "func f() { os.Open(\"\") }", ""},
		{"clock", "stages/grade", "var t = time.Now()", "time.Now: a library reads the clock"},
		{"clock by another name", "stages/grade", "var t = clock.Since", "clock.Since: a library reads the clock"},
		{"clock of stream", "stream", "var t = time.Now()", ""},
		{"duration", "stages/grade", "var t = time.Second", ""},
		{"shared random state", "stats", "var n = rand.IntN(3)", "rand.IntN: a random state that all share"},
		{"own random state", "stats", "var r = rand.New(rand.NewPCG(1, 2))", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := offences(c.area, "p.go", head+c.body)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found, "; "); (got == "") != (c.want == "") || !strings.HasSuffix(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}
