package main

import (
	"fmt"

	"github.com/rollmill/rollmill/stages/curate"
)

// settle gives the flags whose default depends on others the value that they have in
// a run, as its job file tells them.
func (f *curateFlags) settle(o *curate.Options) {
	f.format = string(o.Format)
	f.sel.band = fmt.Sprintf("%v,%v", f.sel.options.RL.Band.Low, f.sel.options.RL.Band.High)
	if o.Index != nil {
		if len(f.compared.rules) == 0 {
			for _, r := range o.Decontaminate.Rules {
				f.compared.rules = append(f.compared.rules, r.Name())
			}
		}
		f.compared.parts = o.Decontaminate.Parts.String()
		f.compared.sets.words.name = o.Index.Config().Words.String()
	}
}
