package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stages/curate"
)

const jobHelp = `
JOB FILES
  --job FILE reads what else stands on the command line: YAML, a key a flag, and the
  inputs as inputs. What stands on the command line beside it wins.

    inputs: [runs/*.jsonl.zst]
    against: [evals/]
    with: math
    mode: rl
    target: 5000
    output: out/

  OUT/job.yaml is such a file of the run, with every setting that changes what comes
  out as it was settled: rollmill curate --job OUT/job.yaml does it again. Paths are
  as they were given, from where the command runs.`

// inputsKey is the key of a job file that stands for the arguments.
const inputsKey = "inputs"

// notInJobs are the flags that a job file has no key for.
var notInJobs = []string{"job", "help", "dry-run"}

// jobFile is a job file that is being read.
type jobFile struct {
	path   string
	flags  *pflag.FlagSet
	lines  map[string]int // of the keys
	inputs []string
	given  map[string]bool // flags of the command line, which win
}

// readJob reads a job file and sets the flags that it gives and the command line
// does not.
func readJob(path string, flags *pflag.FlagSet) (*jobFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &files.InputError{Path: path, Err: bareOS(err)}
	}
	j := &jobFile{path: path, flags: flags, lines: map[string]int{}, given: map[string]bool{}}
	flags.Visit(func(f *pflag.Flag) { j.given[f.Name] = true })
	doc, err := j.document(text)
	if err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, usagef("%s: it is empty; want keys such as inputs, with and mode", path)
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, j.wrongf(top, "found %s, want keys such as inputs, with and mode", kindOf(top))
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		if err := j.key(top.Content[i], top.Content[i+1]); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// document is the one document of a job file; it has no content where there is none.
func (j *jobFile) document(text []byte) (*yaml.Node, error) {
	var doc, second yaml.Node
	r := yaml.NewDecoder(bytes.NewReader(text))
	err := r.Decode(&doc)
	if err == nil {
		err = r.Decode(&second)
	}
	switch {
	case err == nil:
		return nil, j.wrongf(&second, "a second document begins; want one, a job is one file")
	case err != io.EOF:
		what := strings.TrimPrefix(err.Error(), "yaml: ")
		if at, ok := strings.CutPrefix(what, "line "); ok {
			return nil, usagef("%s:%s", j.path, at)
		}
		return nil, usagef("%s: %s", j.path, what)
	}
	return &doc, nil
}

// bareOS is an error of the system without the path.
func bareOS(err error) error {
	if at, ok := errors.AsType[*os.PathError](err); ok {
		return at.Err
	}
	return err
}

// wrongf is what is wrong at a place of the file.
func (j *jobFile) wrongf(at *yaml.Node, format string, args ...any) error {
	return usagef("%s:%d: %s", j.path, at.Line, fmt.Sprintf(format, args...))
}

// key takes one key and its value.
func (j *jobFile) key(name, value *yaml.Node) error {
	key := name.Value
	if line, twice := j.lines[key]; twice {
		return j.wrongf(name, "%s: it stands in line %d already", key, line)
	}
	j.lines[key] = name.Line
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	if key == inputsKey {
		list, err := j.texts(key, value)
		j.inputs = list
		return err
	}
	flag := j.flags.Lookup(key)
	if flag == nil || slices.Contains(notInJobs, key) {
		return j.unknown(name)
	}
	values, err := j.values(flag, value)
	if err != nil || j.given[key] {
		return err
	}
	for _, v := range values {
		if err := j.flags.Set(key, v); err != nil {
			return j.wrongf(value, "%s: found %q, want %s", key, v, wantOf(flag))
		}
	}
	return nil
}

// unknown says that there is no such key.
func (j *jobFile) unknown(name *yaml.Node) error {
	hint := "the keys are inputs and the names of the flags, see rollmill curate --help"
	if like := strings.ReplaceAll(name.Value, "_", "-"); j.flags.Lookup(like) != nil && !slices.Contains(notInJobs, like) {
		hint = "want " + like
	}
	return j.wrongf(name, "%s: there is no such key; %s", name.Value, hint)
}

// values are the values of a flag as its Set takes them, none for null.
func (j *jobFile) values(flag *pflag.Flag, value *yaml.Node) ([]string, error) {
	if value.ShortTag() == "!!null" {
		return nil, nil
	}
	if flag.Value.Type() == "stringArray" {
		return j.texts(flag.Name, value)
	}
	text, ok := textOf(value)
	switch tag := value.ShortTag(); flag.Value.Type() {
	case "bool":
		ok = ok && tag == "!!bool"
	case "int", "int64", "uint64":
		ok = ok && tag == "!!int"
	case "float64":
		ok = ok && (tag == "!!int" || tag == "!!float")
	}
	if words := flag.Annotations[wordsOf]; ok && len(words) > 0 {
		ok = slices.Contains(words, text) || text == ""
	}
	if !ok {
		return nil, j.wrongf(value, "%s: found %s, want %s", flag.Name, kindOf(value), wantOf(flag))
	}
	return []string{text}, nil
}

// texts are the texts of a list, or one that stands alone.
func (j *jobFile) texts(key string, value *yaml.Node) (list []string, err error) {
	nodes := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		nodes = value.Content
	}
	for _, n := range nodes {
		text, ok := textOf(n)
		if !ok {
			return nil, j.wrongf(n, "%s: found %s, want a list of texts", key, kindOf(n))
		}
		list = append(list, text)
	}
	return list, nil
}

// textOf is a scalar as it is written.
func textOf(n *yaml.Node) (text string, ok bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return "", false
	}
	if n.ShortTag() == "!!binary" {
		return text, n.Decode(&text) == nil
	}
	return n.Value, true
}

// kindOf says what stands there.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	if n.ShortTag() == "!!null" {
		return "nothing"
	}
	return fmt.Sprintf("%q", excerpt(n.Value, 80))
}

// wantOf says what a flag takes.
func wantOf(flag *pflag.Flag) string {
	if words := flag.Annotations[wordsOf]; len(words) > 0 {
		return "one of " + strings.Join(words, ", ")
	}
	switch flag.Value.Type() {
	case "bool":
		return "true or false"
	case "int", "int64", "uint64":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a time such as 10s"
	case "stringArray":
		return "a list of texts"
	}
	return "a text"
}

// blame says where in the file a flag stands that an error of the command line
// names.
func (j *jobFile) blame(err error) error {
	wrong, ok := errors.AsType[*commandError](err)
	if !ok || wrong.code != exitUsage || strings.HasPrefix(wrong.text, j.path+":") {
		return err
	}
	for i, word := range strings.Fields(wrong.text) {
		name, isFlag := strings.CutPrefix(strings.Trim(word, ":,;"), "--")
		if line := j.lines[name]; (isFlag || i == 0) && line > 0 && !j.given[name] {
			return usagef("%s:%d: %s", j.path, line, wrong.text)
		}
	}
	return err
}

// folder is where the run stands that left the file, "" for another file.
func (j *jobFile) folder() string {
	dir := filepath.Dir(j.path)
	if filepath.Base(j.path) == curate.JobFileName && (exists(filepath.Join(dir, "manifest.json")) || exists(filepath.Join(dir, ".spool"))) {
		return dir
	}
	return ""
}

// job reads the job file, if there is one, and returns the inputs.
func (f *curateFlags) readJob(cmd *cobra.Command, args []string) ([]string, error) {
	if f.job == "" {
		return args, nil
	}
	var err error
	if f.jobFile, err = readJob(f.job, cmd.Flags()); err != nil {
		return nil, err
	}
	if f.out == "" {
		f.out = f.jobFile.folder()
	}
	if len(args) == 0 {
		args = f.jobFile.inputs
	}
	return args, f.in.arguments(cmd, args)
}
