package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/decontaminate"
	"github.com/rollmill/rollmill/stream"
)

const againstHelp = `
EVALUATION SETS
  Any input is one: a file is a set, named by its path. Compared are prompt (else
  question, problem, instruction, text), answer, reference, passage (else context)
  and privileged.reference of each record.`

// againstFlags say how evaluation sets are read and compared.
type againstFlags struct {
	maps  []string
	each  string
	words wordsFlag
}

func (f *againstFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.maps, "eval-map", nil, "take fields of evaluation records from `RULES`, as --map does; repeatable")
	flags.StringVar(&f.each, "eval-each", "", "make an evaluation item of each member or element of `LIST`")
	f.words.add(cmd, "unicode, but ascii for default80 alone")
}

// inputs are the flags by which evaluation sets are read, beside those of inputs.
func (f *againstFlags) inputs(in *inputFlags) *inputFlags {
	how := *in
	how.dialect, how.maps, how.each = "", f.maps, f.each
	how.forEval, how.missesSaid = true, nil
	return &how
}

// wordsFlag says what a word is.
type wordsFlag struct{ name string }

func (f *wordsFlag) add(cmd *cobra.Command, otherwise string) {
	cmd.Flags().StringVar(&f.name, "words", "", "words are of ascii or unicode letters and digits, a `RULE` (default: "+otherwise+")")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("words", cobra.FixedCompletions([]string{"ascii", "unicode"}, cobra.ShellCompDirectiveNoFileComp)))
}

// rule is the rule that the flag says, if it says one.
func (f *wordsFlag) rule(otherwise decontaminate.WordRule) (decontaminate.WordRule, error) {
	if f.name == "" {
		return otherwise, nil
	}
	rule, err := decontaminate.ParseWordRule(f.name)
	if err != nil {
		return 0, usagef("--words: there is no %q; there are ascii and unicode", f.name)
	}
	return rule, nil
}

// openIndex makes the index of evaluation sets and of indexes that were saved. The
// configuration is that of the first index that was saved, if there is one.
func openIndex(cmd *cobra.Command, how *inputFlags, quiet bool, paths []string, config decontaminate.Config) (*decontaminate.Index, error) {
	paths, err := how.expand(paths)
	if err != nil {
		return nil, err
	}
	var made []*decontaminate.Index
	var raw []string
	for _, path := range paths {
		if path == files.Stdin || !decontaminate.IsIndex(path) {
			raw = append(raw, path)
			continue
		}
		x, err := decontaminate.Load(path)
		if err != nil {
			return nil, err
		}
		made = append(made, x)
	}
	if len(made) > 0 {
		config = made[0].Config()
	}
	if len(raw) > 0 {
		x, err := buildIndex(cmd, how, quiet, raw, config)
		if err != nil {
			return nil, err
		}
		made = append(made, x)
	}
	if len(made) == 1 {
		return made[0], nil
	}
	x, err := decontaminate.Merge(cmd.Context(), how.parallel(), made...)
	return x, indexError(paths[0], err)
}

// buildIndex makes the index of evaluation sets.
func buildIndex(cmd *cobra.Command, how *inputFlags, quiet bool, paths []string, config decontaminate.Config) (*decontaminate.Index, error) {
	reader, err := how.open(paths, decontaminate.ItemFields, rollout.AllFields)
	if err != nil {
		return nil, err
	}
	sets := make([]decontaminate.Set, len(reader.paths))
	for i := range sets {
		sets[i].Name = reader.InputName(uint32(i))
	}
	type batch struct {
		items []decontaminate.Item
		of    []uint32 // the input of each
		bad   []uint32 // the input of each record that cannot be read
	}
	end := accumulate(stream.From(reader), how.parallel(), func(b *stream.Batch[rollout.Row]) (part batch) {
		for i := range b.Items {
			part.items = append(part.items, decontaminate.ItemOf(&b.Items[i]))
			part.of = append(part.of, b.Items[i].Pos.Input)
		}
		for i := range b.Rejects {
			part.bad = append(part.bad, b.Rejects[i].Pos.Input)
		}
		return part
	}, func(part batch) {
		for i, input := range part.of {
			sets[input].Items = append(sets[input].Items, part.items[i])
		}
		for _, input := range part.bad {
			sets[input].Malformed++
		}
	})
	if _, err := runFlow(cmd, quiet, reader, end); err != nil {
		return nil, err
	}
	x, err := decontaminate.Build(cmd.Context(), sets, config, how.parallel())
	return x, indexError(paths[0], err)
}

// indexError says that evaluation sets make no index.
func indexError(path string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	hint := ""
	if errors.Is(err, decontaminate.ErrNoItems) {
		hint = "say with --eval-map where the questions stand"
	}
	return &files.InputError{Path: path, Err: err, Hint: hint}
}

// indexText says what an index was made of.
func indexText(x *decontaminate.Index) string {
	c := x.Config()
	text := fmt.Sprintf("%s of %s, %v words", count(int64(x.Items()), "item"), count(int64(x.Texts()), "text"), c.Words)
	for _, n := range c.N {
		text += fmt.Sprintf("; %s %d-grams", grouped(int64(x.Grams(n))), n)
	}
	return text + "; " + byteSize(int64(x.Bytes())) + " beyond the texts"
}
