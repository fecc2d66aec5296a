package curate

import (
	"strings"
	"unicode/utf8"

	"github.com/rollmill/rollmill/formats/rollout"
)

const (
	samplesAGate = 3   // rows that are shown of each gate, the first ones
	sampleWidth  = 320 // characters of a text that is shown
)

// samples are rows for people to look at: the first of each gate, and those that
// the hack scan shows as evidence.
type samples struct {
	wanted   map[rollout.Pos]bool
	evidence map[rollout.Pos]sample
	byGate   map[string][]sample
}

// sample is what is shown of a row.
type sample struct {
	at            rollout.Pos
	gate          string // "" is kept
	prompt, reply string
	found         string // what the gates say of it
	reward        string
}

func newSamples(r *Result) *samples {
	s := &samples{map[rollout.Pos]bool{}, map[rollout.Pos]sample{}, map[string][]sample{}}
	if r.Scan == nil {
		return s
	}
	for _, e := range r.Scan.Evidence {
		for _, p := range e.Pairs {
			s.wanted[placeless(p.More.Pos)], s.wanted[placeless(p.Less.Pos)] = true, true
		}
	}
	return s
}

// placeless is a position without its byte offset, which tells nothing apart.
func placeless(at rollout.Pos) rollout.Pos {
	at.Offset = 0
	return at
}

// add adds samples in the order of the rows.
func (s *samples) add(list []sample) {
	for _, one := range list {
		if have := s.byGate[one.gate]; len(have) < samplesAGate {
			s.byGate[one.gate] = append(have, one)
		}
		if s.wanted[one.at] {
			s.evidence[one.at] = one
		}
	}
}

func sampleOf(r *rollout.Row) sample {
	one := sample{at: r.Pos, gate: strings.Clone(r.Gate), prompt: shown(r.Prompt), reply: shown(r.FinalText)}
	if r.FinalText == "" {
		if text, ok := rollout.FinalTextOf(r.Messages); ok {
			one.reply = shown(text)
		}
	}
	if v, ok := r.GradedReward(); ok {
		one.reward = number(v)
	}
	for _, f := range r.Gates {
		if f.Detail != "" {
			one.found = shown(f.Detail)
		}
	}
	return one
}

// shown is a copy of a text, cut to what is shown of it.
func shown(text string) string {
	n := 0
	for i := range text {
		if n++; n > sampleWidth {
			return strings.ToValidUTF8(text[:i], string(utf8.RuneError)) + " ..."
		}
	}
	return strings.ToValidUTF8(strings.Clone(text), string(utf8.RuneError))
}
