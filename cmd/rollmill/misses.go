package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
)

// misses are the rules of --map that led nowhere in every record so far.
func (s *source) misses() []dialect.Miss {
	if s.mapping == nil {
		return nil
	}
	return s.mapping.Misses()
}

// sayMisses says on standard error which rules of --map led nowhere, once for all
// passes over the same inputs.
func (s *source) sayMisses(cmd *cobra.Command) {
	if s.flags.mute {
		return
	}
	for _, m := range s.misses() {
		if text := s.missText(m); !slices.Contains(s.flags.missesSaid, text) {
			s.flags.missesSaid = append(s.flags.missesSaid, text)
			fmt.Fprintln(cmd.ErrOrStderr(), "rollmill: "+text)
		}
	}
}

// missingError is the error of a rule that led nowhere where its field is needed: a
// rule is the only source of its field.
func (s *source) missingError(needed rollout.Fields) error {
	for _, m := range s.misses() {
		if m.Sets != 0 && needed.Has(m.Sets) {
			return &commandError{exitBadInput, fmt.Sprintf("not one row has a %s, which %s takes from %s", m.Field, s.flags.mapFlag(), m.Path)}
		}
	}
	return nil
}

// namesShown is how many names of members a line shows.
const namesShown = 12

func (s *source) missText(m dialect.Miss) string {
	names := m.Names
	more := ""
	if len(names) > namesShown {
		names, more = names[:namesShown], ", ..."
	}
	there := "they have no members"
	if len(names) > 0 {
		there = "they have " + clean(strings.Join(names, ", ")) + more
	}
	what := "record has"
	if strings.HasPrefix(m.Path, ".") {
		what = "part of a record has"
	}
	return fmt.Sprintf("%s %s=%s: no %s that path; %s", s.flags.mapFlag(), m.Field, m.Path, what, there)
}
