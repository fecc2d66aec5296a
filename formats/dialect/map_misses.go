package dialect

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rollmill/rollmill/formats/internal/jsonwalk"
	"github.com/rollmill/rollmill/formats/rollout"
)

// Miss is a rule of a mapping that led nowhere in every record so far.
type Miss struct {
	Field string   `json:"field"`
	Path  string   `json:"path"`
	Names []string `json:"names_seen"` // of the members where the path starts, in the first records

	Sets rollout.Fields `json:"-"` // the field
}

// mapSeen is what the rules of a mapping met. It may be used by several goroutines.
type mapSeen struct {
	records atomic.Bool   // there were some
	found   []atomic.Bool // by rule

	mu struct {
		sync.Mutex
		record, part map[string]struct{} // names of members
	}
}

const (
	recordsNamed = 16 // of each input: their number does not depend on who reads them
	maxNames     = 32 // the first ones by the alphabet
)

// note notes the names of a record or of a part of one.
func (s *mapSeen) note(json []byte, part bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := &s.mu.record
	if part {
		names = &s.mu.part
	}
	if *names == nil {
		*names = map[string]struct{}{}
	}
	for name := range jsonwalk.Members(json) {
		(*names)[strings.Clone(name)] = struct{}{}
	}
	for len(*names) > maxNames {
		delete(*names, slices.Max(slices.Collect(maps.Keys(*names))))
	}
}

// saw notes whether a rule found something, a null too.
func (s *mapSeen) saw(rule int, value []byte) {
	if value != nil && !s.found[rule].Load() {
		s.found[rule].Store(true)
	}
}

// Misses lists the rules whose paths led nowhere in any record that was read so far,
// in the order in which they were given; none before the first record. A null is
// something. It may be called while records are read.
func (m *Mapping) Misses() (list []Miss) {
	if !m.seen.records.Load() {
		return nil
	}
	m.seen.mu.Lock()
	defer m.seen.mu.Unlock()
	for i := range m.rules {
		if m.seen.found[i].Load() {
			continue
		}
		r := &m.rules[i]
		names := m.seen.mu.record
		if r.from.part {
			names = m.seen.mu.part
		}
		list = append(list, Miss{Field: r.target(), Path: r.from.text, Names: slices.Sorted(maps.Keys(names)), Sets: r.field})
	}
	return list
}

// target is the field of a rule as it was given.
func (r *rule) target() string {
	name := strings.Join(r.field.Names(), "")
	if r.name != "" {
		return name + "." + r.name
	}
	return name
}
