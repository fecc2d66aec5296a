package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every flag of curate that changes what comes out has a key, which sets it; what is
// written of it is read back; and nothing else is written.
func TestJobKeys(t *testing.T) {
	cmd := newCurate()
	n := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !changesResults(f.Name) {
			return
		}
		n++
		value := ""
		switch kind := f.Value.Type(); kind {
		case "bool":
			value = "true"
		case "int", "int64", "uint64":
			value = "41"
		case "float64":
			value = "0.25"
		case "duration":
			value = "41s"
		case "string", "stringArray":
			value = "41: # 'a \"b\""
		default:
			t.Errorf("--%s is a %s, which job files do not know", f.Name, kind)
		}
		if words := f.Annotations[wordsOf]; len(words) > 0 {
			value = words[len(words)-1]
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			t.Errorf("--%s: %v", f.Name, err)
		}
	})
	if n < 40 {
		t.Fatalf("curate has %d flags that change what comes out", n)
	}
	inputs := []string{"a*.jsonl", "yes", "0.5", "- b", "täler/\xff", "a\nb"}
	text, err := jobText(cmd.Flags(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	again := newCurate()
	j, err := readJob(path, again.Flags())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !slices.Equal(j.inputs, inputs) || len(j.lines) != n+1 {
		t.Errorf("%d keys, want %d; inputs %q\n%s", len(j.lines), n+1, j.inputs, text)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if got := again.Flags().Lookup(f.Name).Value.String(); got != f.Value.String() {
			t.Errorf("--%s is %s, want %s", f.Name, got, f.Value)
		}
		if line := "\n" + f.Name + ":"; strings.Contains(string(text), line) != changesResults(f.Name) {
			t.Errorf("%s: written %t", f.Name, !changesResults(f.Name))
		}
	})
}

// A job file is one document of YAML.
func TestJobDocuments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.yaml")
	for _, c := range []struct{ text, want string }{
		{"mode: sft\n", ""},
		{"---\nmode: sft\n...\n# the end\n", ""},
		{"%YAML 1.2\n---\nmode: sft\n", ": found incompatible YAML document"},
		{"mode: sft\n---\nmode: rl\n", ":2: a second document begins; want one, a job is one file"},
		{"mode: sft\n# more\n---\n\n- x\n", ":3: a second document begins; want one, a job is one file"},
		{"mode: sft\n---\n", ":2: a second document begins; want one, a job is one file"},
		{"mode: sft\n---\n{x\n", ":2: did not find expected ',' or '}'"},
		{"", ": it is empty; want keys such as inputs, with and mode"},
		{"# nothing\n", ": it is empty; want keys such as inputs, with and mode"},
	} {
		write(t, path, c.text)
		_, err := readJob(path, newCurate().Flags())
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != path+c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// The lists of flags that are no settings of a job name flags that there are.
func TestJobFlagsThere(t *testing.T) {
	flags := newCurate().Flags()
	for _, list := range [][]string{hostFlags, notInJobs, toldApart} {
		for _, name := range list {
			if flags.Lookup(name) == nil && name != "help" {
				t.Errorf("there is no --%s", name)
			}
		}
	}
}

// A flag of the command line wins, lists as a whole.
func TestJobFlagWins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.yaml")
	if err := os.WriteFile(path, []byte("target: 7\nagainst: [a, b]\nendorsed: c\nholdout: null\nmode: sft\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := newCurate().Flags()
	if err := flags.Parse([]string{"--against", "d", "--target", "9"}); err != nil {
		t.Fatal(err)
	}
	if _, err := readJob(path, flags); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"target": "9", "against": "[d]", "endorsed": "[c]", "holdout": "0", "mode": "sft"} {
		if got := flags.Lookup(name).Value.String(); got != want {
			t.Errorf("--%s is %s, want %s", name, got, want)
		}
	}
}
