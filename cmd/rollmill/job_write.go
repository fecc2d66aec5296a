package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// hostFlags are the flags of curate that change nothing of what comes out, but
// where it goes, how fast, and how much may fail on the way.
var hostFlags = []string{"output", "tmp", "max-failures", "force", "workers", "batch-rows", "in-flight", "json", "quiet"}

// changesResults reports whether a flag changes what comes out.
func changesResults(name string) bool {
	return !slices.Contains(hostFlags, name) && !slices.Contains(notInJobs, name)
}

const jobHead = "A job of rollmill curate as it was settled; rollmill curate --job FILE does it again."

// jobText is the job file of flags and inputs.
func jobText(flags *pflag.FlagSet, inputs []string) ([]byte, error) {
	top := &yaml.Node{Kind: yaml.MappingNode, HeadComment: jobHead}
	top.Content = append(top.Content, textNode(inputsKey), listNode(inputs))
	flags.VisitAll(func(f *pflag.Flag) {
		if changesResults(f.Name) {
			top.Content = append(top.Content, textNode(f.Name), valueNode(f))
		}
	})
	var text strings.Builder
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(top); err != nil {
		return nil, err
	}
	return []byte(text.String()), enc.Close()
}

// valueNode is the value of a flag.
func valueNode(f *pflag.Flag) *yaml.Node {
	switch f.Value.Type() {
	case "stringArray":
		list, _ := f.Value.(pflag.SliceValue)
		return listNode(list.GetSlice())
	case "bool", "int", "int64", "uint64", "float64":
		return &yaml.Node{Kind: yaml.ScalarNode, Value: f.Value.String()}
	}
	return textNode(f.Value.String())
}

func listNode(texts []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if len(texts) == 0 {
		n.Style = yaml.FlowStyle
	}
	for _, t := range texts {
		n.Content = append(n.Content, textNode(t))
	}
	return n
}

// textNode is a text, in quotes where it looks like something else.
func textNode(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	if utf8.ValidString(text) {
		n.Style &^= yaml.LiteralStyle // a line a key
		if strings.ContainsRune(text, '\n') {
			n.Style = yaml.DoubleQuotedStyle
		}
	}
	return n
}
