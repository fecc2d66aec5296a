package decontaminate

import "fmt"

// WordRule says what a word is. Punctuation, white space and the case of
// letters never count.
type WordRule uint8

const (
	// ASCII words are runs of a-z and 0-9 in the lower-cased text (spec of gates,
	// section 1.3). Other letters split words, so a text without any ASCII letter
	// or digit has no words. It is the rule of the reference implementation.
	ASCII WordRule = iota
	// Unicode words are runs of letters and digits of any script after NFKC and
	// case folding, marks included. In scripts that are written without blanks
	// (Han, Kana, Thai, Khmer, ...) each character is a word. Texts in ASCII have
	// the same words under both rules.
	Unicode
)

// String is the name of the rule: ascii or unicode.
func (r WordRule) String() string {
	if r == Unicode {
		return "unicode"
	}
	return "ascii"
}

// ParseWordRule reads the name of a rule.
func ParseWordRule(name string) (WordRule, error) {
	for _, r := range []WordRule{ASCII, Unicode} {
		if r.String() == name {
			return r, nil
		}
	}
	return 0, fmt.Errorf("decontaminate: there is no word rule %q; there are ascii and unicode", name)
}

// MarshalText writes the name of the rule.
func (r WordRule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name of a rule.
func (r *WordRule) UnmarshalText(text []byte) (err error) {
	*r, err = ParseWordRule(string(text))
	return err
}
