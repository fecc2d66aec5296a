package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/profile"
	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stream"
)

const schemaHelp = `Schema reads everything and says what is in there: layout and dialect of each
input, and each member that records have, with its JSON types, in how many rows
it stands, how often it is null, and an example. Members of markers are listed
as markers.NAME. A + marks members that Rollmill has no field for: they are
carried along as they are.

For records of row v1 the members are those of the file; for other dialects they
are those of the rows that the dialect makes.
` + mapHelp

const schemaExample = `  rollmill schema rollouts.jsonl.zst
  rollmill schema old.json --map prompt=question --json`

// schemaFlags are what schema is told.
type schemaFlags struct {
	in     inputFlags
	names  int
	report reportFlags
}

func newSchema() *cobra.Command {
	var f schemaFlags
	cmd := &cobra.Command{
		Use:     "schema IN...",
		Short:   "Say which members rollouts have, and of which types",
		Long:    schemaHelp,
		Example: schemaExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().IntVar(&f.names, "names", 500, "tell up to `N` names apart and count the others together")
	f.in.add(cmd)
	f.report.add(cmd)
	return cmd
}

func (f *schemaFlags) run(cmd *cobra.Command, args []string) error {
	if f.names < 1 {
		return usagef("--names %d: want at least 1", f.names)
	}
	reader, err := f.in.open(args, 0, rollout.AllFields)
	if err != nil {
		return err
	}
	schema := profile.NewSchema(f.names)
	var refused tally
	end := accumulate(stream.From(reader), f.in.parallel(), func(b *stream.Batch[rollout.Row]) *profile.Schema {
		refused.add(b.Rejects)
		part := profile.NewSchema(0)
		part.Add(b.Items)
		return part
	}, schema.Merge)
	if _, err := runFlow(cmd, f.report.quiet, reader, end); err != nil {
		return err
	}
	r := newSchemaReport(reader, schema.Result(), refused.counts())
	if r.Rows == 0 && len(r.Rejects) == 0 {
		return emptyError(reader.paths)
	}
	if f.report.json {
		return printJSON(cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// schemaReport is what schema reports.
type schemaReport struct {
	Inputs  []inputReport  `json:"inputs"`
	Rows    int64          `json:"rows"`
	Rejects []codeCount    `json:"rejects,omitempty"`
	Members []memberReport `json:"members"`
	Omitted int64          `json:"omitted,omitzero"` // members whose names are beyond --names
}

type memberReport struct {
	Name    string       `json:"name"`
	Extra   bool         `json:"extra"`
	Rows    int64        `json:"rows"`
	Share   float64      `json:"share"`
	Nulls   int64        `json:"nulls"`
	Types   []typeReport `json:"types"`
	Example string       `json:"example,omitzero"` // JSON text
	Cut     bool         `json:"cut,omitzero"`
}

type typeReport struct {
	Type string `json:"type"`
	Rows int64  `json:"rows"`
}

func newSchemaReport(reader *source, result profile.SchemaResult, refused []codeCount) *schemaReport {
	r := &schemaReport{
		Inputs: reportInputs(reader.facts()), Rows: result.Rows, Rejects: refused,
		Members: make([]memberReport, len(result.Members)), Omitted: result.Omitted,
	}
	for i, m := range result.Members {
		share := math.Round(1e6*float64(m.Rows)/float64(result.Rows)) / 1e6
		r.Members[i] = memberReport{Name: m.Name, Extra: m.Extra, Rows: m.Rows, Share: share, Nulls: m.Nulls, Example: m.Example, Cut: m.Cut}
		for _, t := range m.Types {
			r.Members[i].Types = append(r.Members[i].Types, typeReport(t))
		}
	}
	return r
}

func (r *schemaReport) print(w io.Writer) error {
	printInputs(w, r.Inputs)
	fmt.Fprintln(w, count(r.Rows, "row"))
	if len(r.Rejects) > 0 {
		fmt.Fprintf(w, "and records that cannot be read: %s (rollmill validate says where)\n", codesText(r.Rejects))
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MEMBER\tTYPES\tROWS\tSHARE\tNULL\tEXAMPLE")
	for _, m := range r.Members {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n",
			m.label(), m.typesText(), grouped(m.Rows), percent(m.Rows, r.Rows), grouped(m.Nulls), m.exampleText())
	}
	if r.Omitted > 0 {
		fmt.Fprintf(table, "(further names)\t\t%s\n", grouped(r.Omitted))
	}
	return table.Flush()
}

func (m *memberReport) label() string {
	if m.Extra {
		return excerpt(m.Name, 60) + " +"
	}
	return excerpt(m.Name, 60)
}

// typesText lists the types, with their counts where there are several beside
// null, which has a column of its own.
func (m *memberReport) typesText() string {
	var words []string
	for _, t := range m.Types {
		if t.Type != "null" || len(m.Types) == 1 {
			words = append(words, t.Type)
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	words = words[:0]
	for _, t := range m.Types {
		if t.Type != "null" {
			words = append(words, t.Type+" "+grouped(t.Rows))
		}
	}
	return strings.Join(words, ", ")
}

func (m *memberReport) exampleText() string {
	if m.Cut {
		return clean(m.Example) + "…"
	}
	return clean(m.Example)
}

// percent is a share; what is not all is never shown as 100 %, nor some as 0 %.
func percent(n, of int64) string {
	share := 100 * float64(n) / float64(of)
	switch {
	case n < of && share > 99.9:
		return ">99.9 %"
	case n > 0 && share < 0.1:
		return "<0.1 %"
	case n == of:
		return "100 %"
	}
	return fmt.Sprintf("%.1f %%", share)
}
