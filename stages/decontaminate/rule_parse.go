package decontaminate

import (
	"fmt"
	"strconv"
	"strings"
)

// RuleNames lists the rules that ParseRule reads.
func RuleNames() []string {
	return []string{"windowed", "default80", "any", "tokenshare", "itemshare", "longestspan", "llama2", "decon", "decon-question"}
}

// ParseRule reads a rule: its name, behind a colon the length of its n-grams, and
// behind an equals sign its threshold, as in windowed, any:13 and windowed:3=0.6.
// What is left out is the default of the rule.
func ParseRule(text string) (Rule, error) {
	name, threshold, hasThreshold := strings.Cut(text, "=")
	name, length, hasLength := strings.Cut(name, ":")
	n, x := 0, 0.0
	var err error
	if hasLength {
		if n, err = strconv.Atoi(length); err != nil || n < 1 || n > MaxN {
			return nil, fmt.Errorf("decontaminate: rule %q: n-grams of %q words; want 1 to %d", text, length, MaxN)
		}
	}
	if hasThreshold {
		if x, err = strconv.ParseFloat(threshold, 64); err != nil || !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("decontaminate: rule %q: a threshold of %q; want 0 to 1", text, threshold)
		}
		if x == 0 {
			x = -1 // anything; 0 stands for the default
		}
	}
	switch name {
	case "windowed":
		return Windowed{Grams: n, Threshold: x}, nil
	case "default80":
		return Default80{Grams: n, Overlap: x}, nil
	case "any":
		if hasThreshold {
			return nil, fmt.Errorf("decontaminate: rule any takes no threshold: any n-gram is enough")
		}
		return Any(or(n, DefaultN)), nil
	case "tokenshare":
		return TokenShare{Grams: n, Over: x}, nil
	case "itemshare":
		return ItemShare{Grams: n, Share: x}, nil
	case "longestspan":
		return LongestSpan{Grams: n, Share: x}, nil
	}
	if hasLength {
		return nil, fmt.Errorf("decontaminate: rule %q: the length of its n-grams is fixed, or there is no such rule; there are %s", text, strings.Join(RuleNames(), ", "))
	}
	switch name {
	case "llama2":
		return Llama2{Share: x}, nil
	case "decon":
		return Decon{Threshold: x}, nil
	case "decon-question":
		return Decon{Threshold: x, QuestionAlone: true}, nil
	}
	return nil, fmt.Errorf("decontaminate: there is no rule %q; there are %s", name, strings.Join(RuleNames(), ", "))
}
