package mathequal

import (
	"strings"
	"unicode"
)

// textGroup adds the content of a \text or a font command: a connective, a
// percentage, a function, a number, or else a word.
func (l *lexer) textGroup() error {
	for l.at < len(l.text) && l.text[l.at] == ' ' {
		l.at++
	}
	if l.at < len(l.text) && l.text[l.at] != '{' {
		return nil // the next letter, in another font
	}
	content, err := l.group()
	if err != nil {
		return err
	}
	content = strings.TrimSpace(strings.Trim(strings.TrimSpace(content), "$"))
	switch lower := strings.ToLower(content); {
	case content == "":
	case lower == "and", lower == "or", lower == ",", lower == ", and", lower == ", or":
		l.add(signToken, ",")
	case lower == "percent", lower == "%", lower == `\%`, lower == "percentage":
		l.add(signToken, "%")
	case functions[lower]: // \operatorname{lcm}
		l.add(commandToken, lower)
	default:
		if _, ok := readFixed(content, false); ok {
			inner := lexer{text: content}
			for inner.at < len(content) {
				if err := inner.next(); err != nil {
					return err
				}
			}
			l.tokens = append(l.tokens, inner.tokens...)
			return nil
		}
		l.add(textToken, squeezed(content))
	}
	return nil
}

// squeezed returns a phrase in lower case without spaces, brackets and markup.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(`()$\{}.~`, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
