package decontaminate

import "github.com/rollmill/rollmill/formats/rollout"

// Options say how rows are checked. The zero value checks all parts of a row by
// the rule that we recommend.
type Options struct {
	Rules       []Rule       // a row is flagged when one of them matches; default: Windowed
	Parts       Parts        // which texts of a row are compared; default: all
	Boilerplate *Boilerplate // n-grams that are no evidence; default: none
	Examples    int          // rows and matches that a tally keeps of each kind; default: 20
	Matches     bool         // write the matches into the rows that are flagged
}

// DefaultExamples is how many rows a report shows.
const DefaultExamples = 20

// settle fills in what was left out.
func (o Options) settle() Options {
	if len(o.Rules) == 0 {
		o.Rules = []Rule{Windowed{}}
	}
	if o.Parts == 0 {
		o.Parts = AllParts
	}
	o.Examples = or(o.Examples, DefaultExamples)
	return o
}

// Fields are the fields of a row that are read.
func (o Options) Fields() rollout.Fields {
	f := o.settle().Parts.Fields() | rollout.FieldGate | rollout.FieldGates
	if o.Boilerplate != nil || o.Matches {
		f |= rollout.FieldExtra
	}
	return f
}

// Checker returns a checker of rows; make one for each worker. It panics when the
// index does not serve a rule; see [Index.Serves].
func (o Options) Checker(x *Index) *Checker {
	o = o.settle()
	c := x.NewChecker(o.Parts, o.Rules...)
	c.scanner.Discount(o.Boilerplate)
	return c
}
