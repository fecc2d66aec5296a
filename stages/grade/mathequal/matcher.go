package mathequal

import "strings"

// A Matcher holds answers against one reference, which it has read once. It is
// safe for concurrent use.
type Matcher struct {
	options   Options
	reference string
	fixed     fixed // the reference, where it is a plain number
	isFixed   bool
	tree      *node // nil where the reference is no mathematics
	treeErr   error // why
}

// NewMatcher prepares a reference: an answer, not a reply that holds one (see
// Final for that). The error is ErrNotMath for an empty reference and ErrBudget
// for one that is over the bounds. A reference that is not empty and cannot be
// read as mathematics still equals its own text.
func NewMatcher(reference string, o Options) (*Matcher, error) {
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	m := &Matcher{options: o, reference: strings.TrimSpace(reference)}
	if m.reference == "" {
		return nil, ErrNotMath
	}
	if m.fixed, m.isFixed = readFixed(m.reference, false); m.isFixed {
		return m, nil
	}
	m.tree, m.treeErr = parse(m.reference, o.Mode)
	if over, ok := m.treeErr.(*BudgetError); ok {
		over.Side = "reference"
		return nil, over
	}
	return m, nil
}

// Match finds the final answer of a reply and compares it with the reference.
// Whoever has several replies to one reference should use a Matcher.
func Match(reply, reference string, o Options) (Verdict, error) {
	m, err := NewMatcher(reference, o)
	if err != nil {
		return Verdict{}, err
	}
	return m.Reply(reply)
}

// Equal compares an answer, which nothing stands around, with the reference.
func Equal(answer, reference string, o Options) (Verdict, error) {
	m, err := NewMatcher(reference, o)
	if err != nil {
		return Verdict{}, err
	}
	return m.Answer(answer)
}

// Answer compares an answer, which nothing stands around, with the reference. The
// error matches ErrBudget when the comparison would cost too much.
func (m *Matcher) Answer(answer string) (Verdict, error) {
	text := strings.TrimSpace(answer)
	if text == "" {
		return Verdict{}, nil
	}
	v, err := m.judge(span{text: text, place: Whole})
	if err == errUnreadable {
		return m.byText(span{text: text, place: Whole}), nil
	}
	return v, err
}

// maxTries bounds how many stretches of a reply are tried as its answer.
const maxTries = 16

// Reply finds the final answer of a reply and compares it with the reference. A
// reply without an answer is not equal. The error matches ErrBudget when the
// comparison would cost too much.
func (m *Matcher) Reply(reply string) (Verdict, error) {
	if v, ok := m.bareNumber(reply); ok {
		return v, nil
	}
	f := newFinder(reply, m.options)
	if m.options.Mode == Strict {
		if s, ok := m.whole(&f); ok {
			return m.Answer(s)
		}
	}
	var first span
	for range maxTries {
		s, ok := f.next()
		if !ok {
			break
		}
		if strings.TrimSpace(s.text) == "" {
			continue
		}
		if first.text == "" {
			first = s
		}
		v, err := m.judge(s)
		if err == errUnreadable {
			if m.options.Mode == Strict && s.place.Anchored() {
				break
			}
			continue
		}
		if err == nil && !v.Equal && m.sameString(first) {
			v = m.byText(first)
		}
		return v, err
	}
	if first.text == "" {
		return Verdict{}, nil
	}
	return m.byText(first), nil
}

// bareNumber is the verdict on a reply that is a plain number and nothing else,
// which is what Reply comes to for it, without looking for anchors.
func (m *Matcher) bareNumber(reply string) (v Verdict, ok bool) {
	if !m.isFixed || len(reply) == 0 || len(reply) > 24 || !digit(reply[0]) && reply[0] != '$' {
		return v, false
	}
	n, ok := readFixed(reply, true)
	if !ok {
		return v, false
	}
	v.Equal, ok = equalFixed(n, m.fixed)
	v.Answer, v.Place, v.By = strings.TrimSuffix(strings.TrimSpace(reply[currency(reply):]), "."), LastNumber, Number
	return v, ok
}

// byText is the verdict on an answer that is no mathematics.
func (m *Matcher) byText(s span) Verdict {
	v := Verdict{Answer: strings.TrimSpace(s.text), Place: s.place, By: Unreadable}
	if m.sameString(s) {
		v.Equal, v.By = true, Text
	}
	return v
}

// sameString reports whether an answer and the reference are the same text. The
// sign of a percentage is not part of its text for Math-Verify: 50% is also 50.
func (m *Matcher) sameString(s span) bool {
	if s.percent && m.options.Mode == Strict {
		return false
	}
	return strings.TrimSpace(s.text) == m.reference
}

// whole returns the reply itself where all of it is the answer: it is the
// reference word for word, or names no other place and is a formula from end to
// end.
func (m *Matcher) whole(f *finder) (string, bool) {
	text := strings.TrimSpace(f.text)
	if text == m.reference {
		return text, true
	}
	if len(text) > 200 || text == "" {
		return "", false
	}
	look := *f
	if s, ok := look.next(); ok && (s.place.Anchored() || s.start == 0 && s.end == len(text)) {
		return "", false
	}
	tree, err := parse(text, Strict)
	return text, err == nil && !tree.prose
}

// judge compares one stretch of a reply with the reference. The error is
// errUnreadable when it is no mathematics, so that another one may be tried.
func (m *Matcher) judge(s span) (Verdict, error) {
	text := strings.TrimSpace(s.text)
	if strings.Contains(text, "boxed") { // a formula around a box
		if inner := boxes(text); len(inner) == 1 && inner[0].start == 0 && inner[0].end == len(text) {
			text = strings.TrimSpace(inner[0].text)
			s.text = text
		}
	}
	v := Verdict{Answer: text, Place: s.place}
	if m.sameString(s) && !s.percent {
		v.Equal, v.By = true, Text
		return v, nil
	}
	if m.isFixed {
		if n, ok := readFixed(text, s.plain); ok {
			if s.percent {
				n = n.hundredth()
			}
			if equal, decided := equalFixed(n, m.fixed); decided {
				v.Equal, v.By = equal, Number
				return v, nil
			}
		}
	}
	return m.compare(v, s)
}
