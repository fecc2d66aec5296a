package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/stages/decontaminate"
)

const indexHelp = `Index makes an index of evaluation sets, for rollmill decontaminate to look
rollouts up in: the n-grams of their words, and whose they are. To load one is
much faster than to make one. Indexes are inputs too, of the same lengths and words:
index a.index b.jsonl -o both.index merges them.

The file holds the texts, its configuration and a checksum. The same sets give
the same bytes.
` + againstHelp + `
` + mapHelp

const indexExample = `  rollmill index gsm8k.jsonl mmlu/ -o evals.index
  rollmill index test.jsonl -o test.index --n 4,8,13 --map prompt=query
  rollmill decontaminate rollouts.jsonl.zst --against evals.index -o clean.jsonl.zst`

// indexFlags are what index is told.
type indexFlags struct {
	in     inputFlags
	words  wordsFlag
	out    string
	ns     string
	force  bool
	report reportFlags
}

func newIndex() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:     "index EVAL... -o FILE",
		Short:   "Make an index of evaluation sets",
		Long:    indexHelp,
		Example: indexExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "output", "o", "", "write to `FILE`")
	flags.StringVar(&f.ns, "n", "4,8", "index n-grams of these `NUMBERS` of words, with commas between")
	f.words.add(cmd, "unicode")
	flags.BoolVar(&f.force, "force", false, "replace a file that is there")
	f.in.add(cmd)
	f.report.add(cmd)
	return cmd
}

func (f *indexFlags) run(cmd *cobra.Command, args []string) error {
	ns, err := parseLengths(f.ns)
	if err != nil {
		return err
	}
	if _, _, err := f.in.check(); err != nil {
		return err
	}
	to := &target{path: f.out, force: f.force}
	switch {
	case f.out == "":
		return usagef("say where to write: -o FILE")
	case to.toStdout():
		return usagef("-o -: an index is a file; name one")
	}
	if err := to.checkFile(f.out, args, false); err != nil {
		return err
	}
	f.in.mine = to.writes
	words, err := f.words.rule(decontaminate.Unicode)
	if err != nil {
		return err
	}
	x, err := openIndex(cmd, &f.in, f.report.quiet, args, decontaminate.Config{N: ns, Words: words})
	if err != nil {
		return err
	}
	if err := x.Save(f.out, f.force); err != nil {
		return err
	}
	r := &indexReport{Path: f.out, Config: x.Config(), Items: x.Items(), Texts: x.Texts(), Bytes: x.Bytes(), Sets: x.SetReports(), index: x}
	if f.report.json {
		return printJSON(cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// parseLengths reads the numbers of --n.
func parseLengths(text string) (ns []int, err error) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > decontaminate.MaxN {
			return nil, usagef("--n %s: want numbers from 1 to %d, with commas between", text, decontaminate.MaxN)
		}
		ns = append(ns, n)
	}
	return ns, nil
}

// indexReport says what was indexed.
type indexReport struct {
	Path   string                    `json:"path"`
	Config decontaminate.Config      `json:"config"`
	Items  int                       `json:"items"`
	Texts  int                       `json:"texts"`
	Bytes  int                       `json:"bytes"` // of memory, beyond the texts
	Sets   []decontaminate.SetReport `json:"sets"`
	index  *decontaminate.Index
}

func (r *indexReport) print(w io.Writer) error {
	for i := range r.Sets {
		s := &r.Sets[i]
		fmt.Fprintf(w, "%s: %s%s\n", inputName(s.Name), count(int64(s.Items), "item"), statesText(s.States))
	}
	size := int64(0)
	if info, err := files.Open(r.Path); err == nil {
		size = info.Size
		info.Close()
	}
	_, err := fmt.Fprintf(w, "-> %s: %s, %s\n", clean(r.Path), byteSize(size), indexText(r.index))
	return err
}

// statesText says how many records cannot be checked by their question, and why.
func statesText(s decontaminate.States) string {
	var words []string
	for _, c := range []struct {
		n    int64
		what string
	}{{s.Malformed, "malformed"}, {s.Missing, "without a question"}, {s.Null, "null"}, {s.Empty, "without words"}, {s.TooShort, "too short for n-grams"}} {
		if c.n > 0 {
			words = append(words, grouped(c.n)+" "+c.what)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
